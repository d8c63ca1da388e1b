package io.tempolimit.core;

import io.tempolimit.RequestRejectedException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What has a bucket and a cooldown of its own (a host), with its statistics. Thread-safe.
 *
 * <p>The path of a request that need not wait takes no lock: one compare-and-set on the bucket, two counters. Who has to
 * wait is entered, under the key's lock, into a list in order of arrival; so new settings, cooldowns and cancellations
 * can move everybody's turn, and the end of an incident releases them one by one.
 *
 * <p>How turns move: while anybody waits, the bucket's word is exact (it is never idle; where sleepers are late, all turns are
 * handed out anew before one of them goes or somebody overtakes them), so taking the waiters' tokens out of it and
 * handing them out anew in the list's order gives each its turn under the new circumstances ({@link #reschedule}). A request that took its token while that happened sees, when it is entered, that
 * {@link #version} has changed, and all are scheduled once more.
 *
 * <p>Tried and lost: a queue whose head alone holds a token (a wait cannot be announced, and sleeping becomes polling); a
 * turn for each waiter but no list (a lowered rate or a cooldown does not reach those who sleep); a second bucket
 * for what leaves a client's own queue (two ideas for one bound).
 */
public final class Key {
    private static final AtomicLongFieldUpdater<Key> TOTAL = AtomicLongFieldUpdater.newUpdater(Key.class, "total");
    private static final AtomicIntegerFieldUpdater<Key> ACTIVE = AtomicIntegerFieldUpdater.newUpdater(Key.class, "active");
    /** A wait shorter than this is no delay worth counting (the contract's figure). */
    private static final long DELAY = 10_000_000L;
    /** A client's own queue may keep a request this long, or half an interval, beyond its turn: threads take time to wake. */
    private static final long LATE = 20_000_000L;
    /** With more waiters than this, those behind a cancelled one move up at the next grant and not at once. */
    private static final int MANY = 256;
    /** A sleeper may come this late, or half an interval, without the bound suffering: threads take time to wake. */
    private static final long WAKING = 1_000_000L;

    final Limiter limiter;
    private final String name;
    private final TokenBucket bucket;
    private volatile Policy policy;
    /** Null until the first block. */
    private volatile Circuit circuit;
    /** Grows whenever all turns are handed out anew. */
    private volatile int version;

    // Guarded by the lock.
    private Permit first;
    private Permit last;
    /** Read without the lock as well. */
    private volatile int waiting;
    /** Nanoseconds of the bucket that waiters hold, and that cancelled ones have left behind between them. */
    private long held;
    private long gaps;

    // Statistics; all but the first three are written under the lock.
    private volatile long total;
    private volatile int active;
    private volatile long lastRequest;
    private volatile long delayed;
    private volatile long cancelled;
    private volatile long waited;
    private volatile long rejected;
    private volatile long forbidden;
    private volatile long rateLimited;
    private volatile long cooldowns;
    private volatile long cooldownTime;

    Key(Limiter limiter, String name, Policy policy, long now) {
        this.limiter = limiter;
        this.name = name;
        this.policy = policy;
        this.bucket = new TokenBucket(now);
        this.lastRequest = now;
    }

    /** The canonical host. */
    public String name() {
        return name;
    }

    /** The settings that hold for it now; null if it is not paced. */
    public Policy policy() {
        return policy;
    }

    /** Few locks shared by all keys: none is held for longer than it takes to move a list's turns, and none while another is. */
    ReentrantLock lock() {
        return limiter.lockOf(this);
    }

    // ---- arrival

    /** A request arrives: its permit is granted, or waits. */
    Permit arrive(Target target, Policy p, long now) throws RequestRejectedException {
        int v = version; // before everything that a change of it may be about
        Permit permit = new Permit(this, target, now);
        TOTAL.incrementAndGet(this);
        lastRequest = now;
        if (limiter.dryRun()) {
            return dryRun(permit, p, now);
        }
        Circuit c = circuit;
        int epoch = c == null ? 0 : c.epoch; // before the state
        permit.jitter = p.jitter() > 0 ? p.jitter() * ThreadLocalRandom.current().nextDouble() : 0;
        if (c != null && !c.open() && arriveClosed(permit, c, now)) {
            return permit;
        }
        lateOnesFirst(p, now);
        long extra = permit.extra(p.limit());
        long wait = reserve(p, extra, p.reject() ? 0 : p.maxWait(), now);
        if (wait == 0) {
            grant(permit, epoch, now);
            return permit;
        }
        if (wait == TokenBucket.REFUSED) {
            throw reject(permit, Rejection.RATE_LIMIT_EXCEEDED, bucket.peek(now, p.limit()));
        }
        permit.takeTurn(now + wait, p.limit().interval + extra, p.limit());
        lock().lock();
        try {
            if (policy != p) {
                permit.cost = 0; // what it took was another limit's, and nobody knows what it has become
            }
            append(permit);
            setWake(permit, p);
            if (version != v || policy != p || limiter.passing()) {
                reschedule(now);
            }
        } finally {
            lock().unlock();
        }
        limiter.listener().delayed(this, wait);
        return permit;
    }

    /** Where the bucket has a token although somebody sleeps, all are late, after a pause of the collector, say: nobody overtakes them. */
    private void lateOnesFirst(Policy p, long now) {
        if (waiting > 0 && bucket.peek(now, p.limit()) == 0) {
            lock().lock();
            try {
                reschedule(now);
            } finally {
                lock().unlock();
            }
        }
    }

    /** A request arrives while the key rests, or is being probed; false if it has opened meanwhile. */
    private boolean arriveClosed(Permit permit, Circuit c, long now) throws RequestRejectedException {
        long expected;
        lock().lock();
        try {
            Policy p = policy;
            if (p == null || c.open()) {
                return false;
            }
            if (first == null && probeDue(c, p, now) - now <= 0) {
                takeToken(p, now);
                probe(permit, c, now);
                return true;
            }
            expected = restLeft(c, p, now) + waiting * Math.min(p.limit().interval, Limit.HORIZON / (waiting + 1));
            if (!p.reject() && expected <= p.maxWait()) {
                append(permit);
                rest(permit, c, p, now);
                setWake(permit, p);
            }
        } finally {
            lock().unlock();
        }
        if (!permit.listed()) {
            throw reject(permit, Rejection.HOST_COOLING_DOWN, expected);
        }
        limiter.listener().delayed(this, expected);
        return true;
    }

    /** Takes a token without waiting, for a round on a connection that is leased already; the next request pays. */
    Permit charge(Target target, Policy p, long now) {
        Permit permit = new Permit(this, target, now);
        TOTAL.incrementAndGet(this);
        lastRequest = now;
        if (!limiter.dryRun()) {
            lateOnesFirst(p, now);
            takeToken(p, now);
        }
        grant(permit, epochNow(), now);
        return permit;
    }

    /** Of a request that goes in any case. */
    private void takeToken(Policy p, long now) {
        reserve(p, 0, Policy.UNLIMITED, now);
    }

    private long reserve(Policy p, long extra, long maxWait, long now) {
        long wait = bucket.reserve(now, p.limit(), extra, maxWait);
        if (policy != p) { // it may have put hours into a bucket of seconds
            lock().lock();
            try {
                forgive(now);
                reschedule(now);
            } finally {
                lock().unlock();
            }
        }
        return wait;
    }

    /** The epoch of a request that goes without being a probe: if it goes in spite of a pause, its answer says nothing. */
    private int epochNow() {
        Circuit c = circuit;
        int epoch = c == null ? 0 : c.epoch;
        return c == null || c.open() ? epoch : epoch - 1;
    }

    private void grant(Permit permit, int epoch, long now) {
        permit.epoch = epoch;
        permit.due = now;
        ACTIVE.incrementAndGet(this);
        permit.state = Permit.GRANTED;
    }

    private void probe(Permit permit, Circuit c, long now) {
        permit.probe = c.probe(now);
        grant(permit, c.epoch, now);
    }

    private RequestRejectedException reject(Permit permit, Rejection code, long retryAfter) {
        lock().lock();
        try {
            refuse(permit, code, retryAfter);
        } finally {
            lock().unlock();
        }
        limiter.listener().rejected(this, permit.target, code);
        return permit.rejection();
    }

    private void refuse(Permit permit, Rejection code, long retryAfter) {
        permit.rejection = code;
        permit.retryAfter = Math.max(0, retryAfter);
        permit.state = Permit.REJECTED;
        rejected++;
    }

    /** Notes what the request would have met alone, and lets it go. */
    private Permit dryRun(Permit permit, Policy p, long now) {
        long wait = reserve(p, 0, 0, now);
        if (wait == TokenBucket.REFUSED) {
            wait = bucket.peek(now, p.limit());
        }
        Rejection code = Rejection.RATE_LIMIT_EXCEEDED;
        Circuit c = circuit;
        if (c == null) {
            grant(permit, 0, now);
        } else {
            lock().lock();
            try {
                if (c.probeDue(now)) {
                    probe(permit, c, now);
                } else {
                    grant(permit, epochNow(), now);
                    if (!c.open()) {
                        wait = Math.max(wait, c.pauseLeft(now));
                        code = Rejection.HOST_COOLING_DOWN;
                    }
                }
            } finally {
                lock().unlock();
            }
        }
        if (wait > 0 && (p.reject() || wait > p.maxWait())) {
            lock().lock();
            try {
                rejected++;
            } finally {
                lock().unlock();
            }
            limiter.listener().rejected(this, permit.target, code);
        } else if (wait > 0) {
            limiter.listener().delayed(this, wait);
            countWait(permit, wait);
        }
        return permit;
    }

    private void countWait(Permit permit, long nanos) {
        if (nanos < DELAY) {
            return;
        }
        lock().lock();
        try {
            delayed++;
            waited += nanos;
        } finally {
            lock().unlock();
        }
        limiter.listener().throttled(this, permit.target, nanos);
    }

    // ---- waiting

    /** Grants or rejects a waiting permit if it is time; whether its wait is over. */
    boolean poll(Permit permit, long now) {
        int state;
        lock().lock();
        try {
            if (permit.state == Permit.WAITING) {
                turn(permit, now);
            }
            state = permit.state;
            if (state == Permit.WAITING || permit.told) {
                return state != Permit.WAITING;
            }
            permit.told = true;
        } finally {
            lock().unlock();
        }
        if (state == Permit.REJECTED) {
            limiter.listener().rejected(this, permit.target, permit.rejection);
        } else if (state != Permit.CANCELLED) {
            countWait(permit, now - permit.arrival);
        }
        return true;
    }

    private void turn(Permit permit, long now) {
        Circuit c = circuit;
        Policy p = policy;
        if (p == null || limiter.passing()) {
            grant(permit, epochNow(), now);
            remove(permit);
            return;
        }
        if (c != null && !c.open()) {
            if (permit == first) {
                rest(permit, c, p, now);
                setWake(permit, p);
                if (now - permit.due >= 0) {
                    takeToken(p, now);
                    probe(permit, c, now);
                    remove(permit);
                    moveUp(now);
                }
            }
        } else if (now - permit.due >= 0) {
            long interval = p.limit().interval;
            long fullSince = now - (first.slot - interval); // for how long the bucket would be full if nobody waited, if that is above 0
            if (gaps > 0 || fullSince > Math.max(WAKING, interval / 2)) {
                reschedule(now); // before it goes, into the gaps or with others that are late: they must not all go at once
            }
            if (permit.state == Permit.WAITING && now - permit.due >= 0) {
                grant(permit, epochNow(), now);
                remove(permit);
            }
        }
        if (permit.state == Permit.WAITING && p.maxWait() != Policy.UNLIMITED && now - permit.arrival >= p.maxWait()) {
            turnAway(permit, now);
            moveUp(now);
        }
    }

    private void turnAway(Permit permit, long now) {
        Circuit c = circuit;
        boolean closed = c != null && !c.open();
        remove(permit);
        returnToken(permit, now);
        refuse(permit, closed ? Rejection.HOST_COOLING_DOWN : Rejection.RATE_LIMIT_EXCEEDED, closed ? c.pauseLeft(now) : permit.due - now);
    }

    /** Ends a wait; whether there was one. */
    boolean cancel(Permit permit, long now) {
        lock().lock();
        try {
            if (permit.state != Permit.WAITING) {
                return false;
            }
            remove(permit);
            returnToken(permit, now);
            permit.state = Permit.CANCELLED;
            cancelled++;
            permit.wakeAt = now;
            wake(permit);
            moveUp(now);
            return true;
        } finally {
            lock().unlock();
        }
    }

    private void append(Permit permit) {
        insertAfter(last, permit);
    }

    private void insertAfter(Permit before, Permit permit) {
        Permit after = before == null ? first : before.next;
        permit.previous = before;
        permit.next = after;
        if (before == null) {
            first = permit;
        } else {
            before.next = permit;
        }
        if (after == null) {
            last = permit;
        } else {
            after.previous = permit;
        }
        waiting++;
        held += permit.cost;
        permit.listed = true;
    }

    private void remove(Permit permit) {
        if (permit.previous == null) {
            first = permit.next;
        } else {
            permit.previous.next = permit.next;
        }
        if (permit.next == null) {
            last = permit.previous;
        } else {
            permit.next.previous = permit.previous;
        }
        permit.previous = null;
        permit.next = null;
        waiting--;
        held -= permit.cost;
        if (first == null && gaps > 0) {
            bucket.addAndGet(-gaps);
            gaps = 0;
            version++;
        }
    }

    /** A request that took a token, and was just removed if it was waiting, will not be sent. */
    private void returnToken(Permit permit, long now) {
        if (permit.cost == 0 || bucket.compareAndSet(permit.slot, permit.slot - permit.cost)) {
            return;
        }
        if (permit.slot - permit.cost - now < 0) {
            return; // late: without it the bucket would have been full since, and the token have come to nothing
        }
        if (first == null) {
            bucket.addAndGet(-permit.cost);
            version++; // who has taken a turn behind it, but is not entered yet, moves up
        } else {
            gaps += permit.cost;
        }
    }

    /** After somebody left without a token: who is first now goes as the probe, or all move up. */
    private void moveUp(long now) {
        Policy p = policy;
        Circuit c = circuit;
        if (first == null || p == null || limiter.passing()) {
            return;
        }
        if (c == null || c.open()) {
            if (waiting <= MANY) {
                reschedule(now);
            }
        } else {
            rest(first, c, p, now);
            move(first, p);
        }
    }

    /** In a cooldown only the first has a turn: as the probe. */
    private void rest(Permit w, Circuit c, Policy p, long now) {
        w.cost = 0;
        w.due = w == first ? probeDue(c, p, now) : now + Limit.HORIZON;
    }

    /** When the next probe may go: after the pause, and when the bucket has a token, which it takes like any other request. */
    private long probeDue(Circuit c, Policy p, long now) {
        return now + Math.max(c.until - now, bucket.peek(now, p.limit()));
    }

    /** How long it rests at least. How long a probe will take nobody knows. */
    private long restLeft(Circuit c, Policy p, long now) {
        return Math.max(c.pauseLeft(now), bucket.peek(now, p.limit()));
    }

    /** Hands out all turns anew, in order of arrival. */
    private void reschedule(long now) {
        version++;
        Policy p = policy;
        Circuit c = circuit;
        if (p == null || limiter.passing()) {
            returnAll(); // they go without a token; whoever is paced next shall not pay for them
            for (Permit w = first; w != null; w = w.next) {
                w.cost = 0;
                w.due = now;
                w.wakeAt = now;
                wake(w);
            }
        } else if (c != null && !c.open()) {
            returnAll();
            long expected = now + restLeft(c, p, now);
            for (Permit w = first, after; w != null; w = after) {
                after = w.next;
                rest(w, c, p, now);
                settle(w, p, expected, now);
            }
        } else {
            takeTurns(now, p);
        }
    }

    private void returnAll() {
        bucket.addAndGet(-held - gaps);
        held = 0;
        gaps = 0;
    }

    private void takeTurns(long now, Policy p) {
        Limit limit = p.limit();
        long before = bucket.get();
        long ahead = Math.max(0, before - held - gaps - now);
        held = 0;
        gaps = 0;
        for (Permit w = first, after; w != null; w = after) {
            after = w.next;
            long wait = Math.max(0, ahead - limit.tolerance);
            long extra = wait > 0 ? w.extra(limit) : 0;
            w.cost = 0;
            w.due = now + wait + extra;
            if (settle(w, p, w.due, now)) {
                long then = Math.max(ahead, Math.min(Limit.HORIZON, ahead + limit.interval + extra));
                w.cost = then - ahead;
                w.slot = now + then;
                held += w.cost;
                ahead = then;
            }
        }
        bucket.addAndGet(now + ahead - before); // an addition, so that a token which somebody takes meanwhile stays taken
    }

    /** Tells a waiter of its new turn, or rejects it if its patience will not last that long; whether it waits on. */
    private boolean settle(Permit w, Policy p, long expected, long now) {
        if (p.maxWait() != Policy.UNLIMITED && expected - w.arrival > p.maxWait()) {
            turnAway(w, now);
            w.wakeAt = now;
            wake(w);
            return false;
        }
        move(w, p);
        return true;
    }

    private static void move(Permit w, Policy p) {
        long before = w.wakeAt;
        setWake(w, p);
        if (w.wakeAt - before < 0) {
            wake(w);
        }
    }

    private static void setWake(Permit w, Policy p) {
        w.wakeAt = p.maxWait() == Policy.UNLIMITED || w.due - w.arrival < p.maxWait() ? w.due : w.arrival + p.maxWait();
    }

    private static void wake(Permit w) {
        Permit.Waiter waiter = w.waiter();
        if (waiter != null) {
            waiter.moved();
        }
    }

    // ---- on its way

    /** See {@link Permit#depart}. */
    Permit depart(Permit permit) throws RequestRejectedException {
        Policy p = policy;
        if (permit.state != Permit.GRANTED || p == null || limiter.dryRun() || limiter.passing()) {
            return permit;
        }
        Circuit c = circuit;
        long now = limiter.clock().nanos();
        boolean paused = c != null && permit.epoch != c.epoch;
        if (!paused && now - permit.due <= Math.max(LATE, p.limit().interval / 2) || !permit.finish()) {
            return permit;
        }
        Permit again = new Permit(this, permit.target, now);
        lock().lock();
        try {
            if (permit.probe > 0) {
                c.probeLost(permit.probe, now);
            }
            if (!p.reject() || c == null || c.open()) {
                again.late = true;
                Permit before = null;
                for (Permit w = first; w != null && w.late; w = w.next) {
                    before = w;
                }
                insertAfter(before, again);
                reschedule(now);
            } else {
                moveUp(now);
            }
            ACTIVE.decrementAndGet(this); // only now, so that the key is never idle in between
        } finally {
            lock().unlock();
        }
        if (!again.listed()) {
            throw reject(again, Rejection.HOST_COOLING_DOWN, c.pauseLeft(now));
        }
        return again;
    }

    /** The verdict on a request; a status of 0 means that there was no answer. */
    void judged(Permit permit, Verdict verdict, int status) {
        if (!permit.finish()) {
            return;
        }
        ACTIVE.decrementAndGet(this);
        Circuit c = circuit;
        boolean quiet = c == null || c.open() && (verdict != Verdict.SUCCESS || c.count == 0);
        if (quiet && !verdict.isBlock()) {
            return;
        }
        long now = limiter.clock().nanos();
        boolean counts;
        int consecutive;
        Circuit.Effect effect;
        lock().lock();
        try {
            Policy p = policy;
            if (p == null) {
                return;
            }
            c = circuit;
            if (c == null) {
                c = new Circuit();
                circuit = c;
            }
            counts = permit.epoch == c.epoch;
            long rested = c.open() ? 0 : now - c.since;
            effect = c.judge(verdict, permit.epoch, now, p);
            if (verdict == Verdict.FORBIDDEN) {
                forbidden++;
            } else if (verdict == Verdict.RATE_LIMITED) {
                rateLimited++;
            }
            if (effect != Circuit.Effect.NONE) {
                cooldownTime += rested;
            }
            consecutive = c.count;
            if (effect == Circuit.Effect.OPENED) {
                bucket.empty(now, p.limit());
                gaps = 0;
                takeTurns(now, p); // before it opens: who arrives now must not overtake those who wait
                version++;
                c.opened();
            } else if (effect != Circuit.Effect.NONE) {
                cooldowns += effect == Circuit.Effect.TRIPPED ? 1 : 0;
                reschedule(now);
            }
        } finally {
            lock().unlock();
        }
        Listener listener = limiter.listener();
        if (verdict.isBlock()) {
            listener.blocked(this, permit.target, verdict, status, consecutive, counts);
        }
        if (effect == Circuit.Effect.OPENED) {
            listener.cooldownEnded(this);
        } else if (effect != Circuit.Effect.NONE) {
            listener.cooldownStarted(this, c.pause, verdict.type());
        }
    }

    /** See {@link Permit#unused}. */
    void unused(Permit permit) {
        if (!permit.finish()) {
            return;
        }
        ACTIVE.decrementAndGet(this);
        long now = limiter.clock().nanos();
        lock().lock();
        try {
            returnToken(permit, now);
            moveUp(now);
        } finally {
            lock().unlock();
        }
        probeLost(permit, now);
    }

    /** See {@link Permit#abandoned}. */
    void abandoned(Permit permit) {
        if (permit.finish()) {
            ACTIVE.decrementAndGet(this);
            probeLost(permit, limiter.clock().nanos());
        }
    }

    private void probeLost(Permit permit, long now) {
        if (permit.probe > 0) {
            lock().lock();
            try {
                circuit.probeLost(permit.probe, now);
                moveUp(now);
            } finally {
                lock().unlock();
            }
        }
    }

    // ---- for the limiter

    /** Takes in the limiter's settings, which hold for those who wait as well. */
    void apply(long now) {
        lock().lock();
        try {
            Policy before = policy;
            Policy p = limiter.rules().policy(name); // under the lock, so that of two changes the later one stays
            policy = p;
            if (before != null && p != null) {
                keepTokens(before.limit(), p.limit(), now);
            }
            forgive(now);
            reschedule(now);
        } finally {
            lock().unlock();
        }
    }

    /** A new limit leaves the tokens in the bucket: a debt of hours at the old rate must not hold up the new one, nor the reverse fill it. */
    private void keepTokens(Limit from, Limit to, long now) {
        if (from.interval == to.interval && from.tolerance == to.tolerance) {
            return;
        }
        long ahead = bucket.get() - held - gaps - now;
        double tokens = from.burst() - (double) Math.max(0, ahead) / from.interval;
        double missing = to.burst() - Math.min(tokens, to.burst());
        bucket.addAndGet((long) Math.min(Limit.HORIZON, Math.ceil(missing * to.interval)) - ahead);
    }

    /** A bucket cannot be more than empty: takes out of it what was put in by other limits than the one that holds now. */
    private void forgive(long now) {
        Policy p = policy;
        if (p != null) {
            long debt = bucket.get() - held - gaps - now - p.limit().tolerance - p.limit().interval;
            if (debt > 0) {
                bucket.addAndGet(-debt);
            }
        }
    }

    /** Whether it may be forgotten: nobody waits and nothing is in flight. */
    boolean idle() {
        return active == 0 && first == null;
    }

    /** Whether its bucket is full, so that nothing of it is forgotten with the key. */
    boolean full(long now) {
        return bucket.get() - now <= 0;
    }

    /** Whether forgetting it would forget a cooldown. */
    boolean resting() {
        Circuit c = circuit;
        return c != null && !c.open();
    }

    long lastRequest() {
        return lastRequest;
    }

    /** Its statistics now. */
    public KeyStats stats() {
        long now = limiter.clock().nanos();
        lock().lock();
        try {
            return stats(now);
        } finally {
            lock().unlock();
        }
    }

    private KeyStats stats(long now) {
        KeyStats s = new KeyStats();
        Policy p = policy;
        Circuit c = circuit;
        boolean rests = c != null && !c.open();
        s.domain = name;
        s.totalRequests = total;
        s.delayedRequests = delayed;
        s.cancelledRequests = cancelled;
        s.totalWaitNanos = waited;
        s.lastRequestMillis = System.currentTimeMillis() - (now - lastRequest) / 1_000_000;
        s.rejectedRequests = rejected;
        s.forbidden = forbidden;
        s.rateLimited = rateLimited;
        s.consecutiveBlocks = c == null || p == null ? 0 : c.countAt(now, p);
        s.cooldowns = cooldowns;
        s.cooldownNanos = cooldownTime + (rests ? now - c.since : 0);
        s.cooldownRemainingNanos = rests ? c.pauseLeft(now) : 0;
        s.state = (rests && limiter.dryRun() ? "would_" : "") + (c == null ? Circuit.State.OPEN : c.state).label;
        s.activeRequests = active;
        s.waitingRequests = waiting;
        s.tokensAvailable = p == null || rests ? 0 : bucket.available(now, p.limit());
        return s;
    }
}
