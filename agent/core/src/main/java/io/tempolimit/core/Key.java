package io.tempolimit.core;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.detect.Announced;
import io.tempolimit.detect.Baseline;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Look;
import io.tempolimit.detect.Robots;
import io.tempolimit.detect.Verdict;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * What has a bucket and a cooldown of its own (a host, unless {@link Keying} says otherwise), with its statistics. Thread-safe.
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
public final class Key extends Evictable {
    private static final AtomicLongFieldUpdater<Key> TOTAL = AtomicLongFieldUpdater.newUpdater(Key.class, "total");
    private static final AtomicIntegerFieldUpdater<Key> ACTIVE = AtomicIntegerFieldUpdater.newUpdater(Key.class, "active");
    /** A wait shorter than this is no delay worth counting (the contract's figure). */
    private static final long DELAY = 10_000_000L;
    /** A client's own queue may keep a request this long, or half an interval, beyond its turn: threads take time to wake. */
    private static final long LATE = 20_000_000L;
    /** Of an answer whose body has not been read on for this long, its head decides. */
    private static final long UNREAD = 1_000_000_000L;
    /** What a rest of all in the fleet may be longer than that of a key of it, for its record took longer. */
    private static final long HEARD = 10_000_000L;
    /** Whose turn has come, and who has nobody who waits for it this long after its arrival, is lost. */
    private static final long LOST = 10_000_000_000L;
    /** So many of the lost are looked past. */
    private static final int MANY_LOST = 16;
    /** For the fleet: the key opens, without an answer. */
    static final FleetKey.Change OPEN = (c, now) -> c.open() ? Circuit.Effect.NONE : Circuit.Effect.OPENED;

    final Limiter limiter;
    private final String name;
    final TokenBucket bucket;
    private volatile Policy policy;
    /** What holds now: the policy's, or less by what was learnt; null where nothing is paced. */
    private volatile Limit limit;
    /** Null until the first block. */
    private volatile Circuit circuit;
    /** Grows whenever all turns are handed out anew. */
    volatile int version;
    /** Grows whenever {@link #forgive} takes something out of the bucket. Written under the lock. */
    private volatile int forgiven;

    /** Windows and requests in flight; null as long as neither was ever limited. Its content is guarded by the lock. */
    volatile Caps caps;

    /** Its side of the fleet; null without one. */
    final FleetKey fleet;

    /** What is normal here; null until the first page. */
    private volatile Baseline baseline;

    // Guarded by the lock.
    /** Milliseconds between requests that the host's robots.txt asks for; 0 for none. */
    private int crawlDelay;
    /** What has passed; null until there have been {@link Learning#FEW} requests or a block: before that there is nothing to learn from. */
    private Traffic traffic;
    /** Requests of other workers, as long as {@link #traffic} is null. */
    private int others;
    /** Whether the site has ever taken a request. */
    private boolean took;
    /** What the site says is left; null for nothing that matters. Read without the lock as well. */
    private volatile AnnouncedLimit announced;
    private boolean toldOfLimit;
    /** What the site tolerates; null until it blocks for the first time, or its ceiling is looked for. */
    Learning learning;
    private Permit first;
    private Permit last;
    /** Those that follow a redirect which may only be followed later; in no order. */
    private Permit firstLater;
    /** Read without the lock as well. */
    private volatile int waiting;
    /** Null until the first rejection. */
    volatile Rejections rejections;
    /** Null as long as there are few waiters. */
    private Backlog backlog;
    /** Nanoseconds of the bucket that waiters hold, and that cancelled ones have left behind between them. */
    private long held;
    private long gaps;
    /** Null until there is an answer whose body may say more than its head. */
    private OpenAnswers answers;
    /** What was done by an answer's head and has not been told, since its body may say better why; null if nothing. */
    private Told untold;
    /** Whether it is looked at every now and then, for answers that nobody reads. */
    private boolean attended;

    private volatile long total;
    private volatile int active;
    private volatile long lastRequest;
    /** Null until there is something to count. Guarded by the lock. */
    private KeyCounters counters;

    Key(Limiter limiter, String name, Policy policy, long now) {
        this.limiter = limiter;
        this.name = name;
        this.policy = policy;
        this.limit = policy == null ? null : policy.limit();
        this.bucket = new TokenBucket(now);
        this.lastRequest = now;
        this.fleet = limiter.fleet() == null ? null : new FleetKey(this, limiter.fleet(), limiter.fleetSettings());
        if (fleet != null && policy != null) {
            fleet.begins(policy, now);
        }
    }

    /** The canonical host, or, where {@code key} says so, more or less than that: see {@link Keying}. */
    public String name() {
        return name;
    }

    /** The host whose settings are its own; its hosts' domain, if that is what they share; null if hosts have no part in it. */
    public String host() {
        return limiter.hostOf(name);
    }

    /** The settings that hold for it now; null if it is not paced. */
    public Policy policy() {
        return policy;
    }

    /** Rate and burst that hold now: the policy's, or less by what was learnt; null if it was never paced. */
    public Limit limit() {
        return limit;
    }

    /** Few locks shared by all keys: none is held for longer than it takes to move a list's turns, and none while another is. */
    BriefLock lock() {
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
            return new DryRun(this, permit, p, now).run();
        }
        Circuit c = circuit;
        int epoch = c == null ? 0 : c.epoch; // before the state
        permit.jitter = p.jitter() > 0 ? p.jitter() * limiter.random().next() : 0;
        try {
            return arrive(permit, p, v, c, epoch, now);
        } catch (RuntimeException | Error e) {
            drop(permit);
            throw e;
        }
    }

    private Permit arrive(Permit permit, Policy p, int v, Circuit seen, int seenEpoch, long now) throws RequestRejectedException {
        Circuit c = seen;
        int epoch = seenEpoch;
        if (fleet != null && p.global()) {
            limiter.fleetCount().look(now);
        }
        if (c == null && p.global()) {
            limiter.joinRest(this, now);
            c = circuit;
            epoch = c == null ? 0 : c.epoch;
        }
        if (fleet != null && arriveInFleet(permit, now)) {
            return permit;
        }
        if (c != null && !c.open() && arriveClosed(permit, c, now)) {
            return permit;
        }
        lateOnesFirst(p, now);
        long wait = p.capped() ? enterCapped(permit, epoch, now) : waiting > 0 ? enterBehind(permit, p, now) : enter(permit, p, v, now);
        if (wait == 0) {
            if (!permit.granted()) {
                grant(permit, epoch, now);
            }
            return permit;
        }
        if (wait == TokenBucket.REFUSED) {
            throw rejections().reject(permit, permit.limitedBy, limitLeft(permit, now));
        }
        waits(permit, permit.withoutPlace() ? Listener.UNKNOWN : wait, permit.limitedBy);
        return permit;
    }

    /** Tells of a wait that begins. It is among the sleepers already, and nobody knows it yet: an error now would let it stay there for ever, with others behind it. */
    private void waits(Permit permit, long expected, Rejection why) {
        try {
            limiter.listener().delayed(this, expected, why);
        } catch (RuntimeException | Error e) {
            // out of stack, say: the wait is not told of
        }
        begins(permit);
    }

    private void begins(Permit permit) {
        try {
            permit.begun = limiter.listener().waits(this);
        } catch (RuntimeException | Error e) {
            // as above
        }
    }

    /** An error of ours, or of the listener, lets the request through: then nobody waits for its turn. */
    private void drop(Permit permit) {
        if (permit.granted()) {
            abandoned(permit);
        } else if (permit.listed() || permit.later) {
            cancel(permit, limiter.clock().nanos());
        }
    }

    /**
     * Takes a token, and enters the permit among the waiters if it has to wait for it.
     *
     * @param v the version before anything was looked at
     * @return nanoseconds to wait, or {@link TokenBucket#REFUSED}
     */
    private long enter(Permit permit, Policy p, int v, long now) {
        Limit l = limit;
        int before = forgiven;
        long extra = permit.extra(l);
        long wait = reserve(l, extra, p.reject() ? 0 : p.maxWait(), now);
        if (wait <= 0) {
            return wait;
        }
        permit.takeTurn(now + wait, l.interval + extra, l);
        lock().lock();
        try {
            if (limit != l || forgiven != before) {
                permit.cost = 0; // what it took was another limit's, or was forgiven with that: nobody knows what it has become
                forgive(now);
            }
            append(permit);
            setWake(permit, p);
            Circuit c = circuit;
            if (version != v || policy != p || limiter.passing() || c != null && !c.open()) {
                reschedule(now);
            }
        } finally {
            lock().unlock();
        }
        return wait;
    }

    /**
     * While others wait: with nobody handing out turns between the token and the entry. Of thousands that arrive while
     * those are handed out over and over, because a busy machine wakes everybody late, each would have to do so once more.
     */
    private long enterBehind(Permit permit, Policy p, long now) {
        lock().lock();
        try {
            return enter(permit, p, version, now);
        } finally {
            lock().unlock();
        }
    }

    /**
     * The same where there are windows, or a limit of requests in flight: all under the lock.
     *
     * @return 0 if it goes, and was granted
     */
    private long enterCapped(Permit permit, int epoch, long now) {
        lock().lock();
        try {
            Policy p = policy;
            if (p == null || limiter.passing()) {
                grant(permit, epochNow(), now);
                return 0;
            }
            Caps k = caps(p, now);
            Circuit c = circuit;
            if (c != null && !c.open()) { // it has come to rest just now
                append(permit);
                reschedule(now);
                return permit.state == Permit.REJECTED ? TokenBucket.REFUSED : Math.max(1, permit.due - now);
            }
            if (first == null) {
                reclaim(k, now);
                k.promiseNothing();
            } else if (first.due - now <= 0 && bucket.peek(now, limit) == 0
                    || backlog != null && backlog.outdated() && (p.reject() || p.maxWait() != Policy.UNLIMITED)) {
                reschedule(now); // all are late: nobody overtakes them; or who will not wait long must know
            }
            Limit l = limit;
            bucket.fill(now);
            long before = bucket.get();
            long ahead = Math.max(0, before - now);
            plan(permit, k, ahead, l, now);
            long wait = permit.due - now;
            if (wait > 0 && (p.reject() || !endures(permit, p, now))) {
                return TokenBucket.REFUSED;
            }
            if (wait > 0 && first == null) {
                k.plan(now);
            }
            if (!permit.withoutPlace()) {
                bucket.addAndGet(promise(permit, k, ahead, l, now) - ahead);
            }
            if (wait <= 0) {
                k.release(permit);
                go(permit, epoch, now);
                return 0;
            }
            if (permit.withoutPlace() && (last == null || !last.withoutPlace())) {
                permit.due = now + Caps.LOOK;
            }
            append(permit);
            setWake(permit, p);
            return wait;
        } finally {
            lock().unlock();
        }
    }

    /** When this one would go as the next in the plan, and what it would wait for; {@code ahead}: how far ahead of now the bucket is. */
    private static void plan(Permit w, Caps k, long ahead, Limit l, long now) {
        long wait = Math.max(0, ahead - l.tolerance);
        w.cost = 0;
        w.due = now + wait + (wait > 0 ? w.extra(l) : 0);
        w.limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
        if (k == null) {
            return;
        }
        long room = k.roomInPlan(w.due);
        if (room - w.due > 0) {
            w.due = room;
            w.limitedBy = Rejection.WINDOW_EXCEEDED;
        }
        if (!w.passesOver && !k.freeInPlan()) {
            w.due = now + Limit.HORIZON;
            w.limitedBy = Rejection.CONCURRENCY_LIMIT_EXCEEDED;
        }
    }

    /** Gives it that turn; how far ahead the bucket is then. */
    private static long promise(Permit w, Caps k, long ahead, Limit l, long now) {
        long extra = w.due - now > 0 ? w.extra(l) : 0;
        long then = Math.max(ahead, Math.min(Limit.HORIZON, Math.max(ahead + extra, w.due - now) + l.interval));
        w.cost = then - ahead;
        w.slot = now + then;
        if (k != null) {
            k.promise(w, w.due);
        }
        return then;
    }

    /** Whether it waits for its turn, as far as that is known. */
    private static boolean endures(Permit w, Policy p, long now) {
        if (w.withoutPlace()) {
            return now - w.arrival < p.maxWait();
        }
        return (p.maxWait() == Policy.UNLIMITED || w.due - w.arrival <= p.maxWait())
                && (w.limitedBy != Rejection.WINDOW_EXCEEDED || p.retryAfterMax() == 0 || w.due - now <= p.retryAfterMax());
    }

    /** The caps as the settings want them; null if they want none. */
    Caps caps(Policy p, long now) {
        Caps k = caps;
        if (k == null && p.capped()) {
            k = new Caps();
            caps = k;
        }
        if (k != null) {
            k.limits(fleet == null ? p.windows() : fleet.windows(p.windows()), p.concurrency(), now);
        }
        return p.capped() ? k : null;
    }

    /** Whether requests in flight are limited. */
    public boolean limitsFlight() {
        Policy p = policy;
        return p != null && p.concurrency() < Integer.MAX_VALUE;
    }

    /** See {@link Caps#reclaim}; whether places were taken back. */
    boolean reclaim(Caps k, long now) {
        int before = k.inFlight();
        int lost = k.reclaim(now);
        if (lost > 0) {
            ACTIVE.addAndGet(this, -lost);
        }
        return k.inFlight() < before;
    }

    /** Whether windows or requests in flight are limited. */
    boolean capped() {
        Policy p = policy;
        return p != null && p.capped();
    }

    /** A request that a redirect asks to come at this time: then it takes its place behind those who wait. Its host is not held up by it. */
    Permit arriveLater(Target target, Policy p, long then, long now) throws RequestRejectedException {
        Permit permit = new Permit(this, target, now);
        TOTAL.incrementAndGet(this);
        lastRequest = now;
        lock().lock();
        try {
            Circuit c = circuit;
            if (!p.reject() && then - now <= p.maxWait() && !Circuit.beyond(then - now, p) && (c == null || !c.refuses(then))) {
                permit.later = true;
                permit.due = then;
                permit.wakeAt = then;
                permit.next = firstLater;
                if (firstLater != null) {
                    firstLater.previous = permit;
                }
                firstLater = permit;
                waiting++;
            }
        } finally {
            lock().unlock();
        }
        if (!permit.later) {
            throw rejections().reject(permit, Rejection.HOST_COOLING_DOWN, then - now);
        }
        waits(permit, then - now, Rejection.HOST_COOLING_DOWN);
        return permit;
    }

    /** It need not come later any more. */
    private void comes(Permit permit) {
        if (permit.previous == null) {
            firstLater = permit.next;
        } else {
            permit.previous.next = permit.next;
        }
        if (permit.next != null) {
            permit.next.previous = permit.previous;
        }
        permit.later = false;
        waiting--;
    }

    /** Whether what a redirect asks for holds here. */
    private boolean obeysRedirects() {
        Policy p = policy;
        return p != null && p.retryAfterMax() > 0 && !limiter.passing();
    }

    /** Of a request that goes now; under the lock. */
    private void go(Permit permit, int epoch, long now) {
        Caps k = caps;
        if (k != null) {
            k.takeRoom(now);
            k.takePlace(permit, now);
        }
        grant(permit, epoch, now);
    }

    /** See {@link Permit#owner}. */
    void owner(Permit permit, Thread thread) {
        lock().lock();
        try {
            Caps k = caps;
            Caps.Place place = permit.place;
            if (place != null) {
                place.owner = thread;
            } else if (k != null && permit.later) {
                permit.passesOver = k.holds(thread);
            } else if (k != null && permit.state == Permit.WAITING && k.holds(thread)) {
                k.passOver(permit);
                reschedule(limiter.clock().nanos());
            }
        } finally {
            lock().unlock();
        }
    }

    /** The answer is over: its place is free for the next one. */
    void left(Permit permit) {
        if (permit.place == null) {
            return;
        }
        lock().lock();
        try {
            if (caps.left(permit)) {
                moveUp(limiter.clock().nanos());
            }
        } finally {
            lock().unlock();
        }
    }

    /** Where the bucket has a token although somebody sleeps, all are late, after a pause of the collector, say: nobody overtakes them. */
    private void lateOnesFirst(Policy p, long now) {
        if (waiting > 0 && !p.capped() && bucket.peek(now, limit) == 0) {
            lock().lock();
            try {
                if (first != null) {
                    delayTurns(p, now);
                }
            } finally {
                lock().unlock();
            }
        }
    }

    /** When a request that was rejected for a limit may try again. */
    private long limitLeft(Permit permit, long now) {
        switch (permit.limitedBy) {
            case WINDOW_EXCEEDED:
                return permit.due - now;
            case CONCURRENCY_LIMIT_EXCEEDED:
                return Caps.LOOK; // nobody knows
            default:
                return bucket.peek(now, limit);
        }
    }

    /** A request arrives while the key rests, or is being probed; false if it has opened meanwhile. */
    private boolean arriveClosed(Permit permit, Circuit c, long now) throws RequestRejectedException {
        long expected;
        Told told = null;
        lock().lock();
        try {
            Policy p = policy;
            if (p == null || c.open()) {
                return false;
            }
            told = endHold(c, p, now);
            if (told != null) {
                return false;
            }
            dropLost(null, now);
            if (first == null && probeDue(c, p, now) - now <= 0) {
                told = settleProbe(c, now);
                if (c.open()) {
                    return false;
                }
                if (probeDue(c, p, now) - now <= 0) {
                    takeToken(now);
                    probe(permit, c, now);
                    return true;
                }
            }
            expected = restLeft(c, p, now) + waiting * Math.min(limit.interval, Limit.HORIZON / (waiting + 1));
            if (!p.reject() && !c.refuses(now) && expected <= p.maxWait()) {
                append(permit);
                rest(permit, c, p, now);
                setWake(permit, p);
            }
        } finally {
            lock().unlock();
            tell(told);
        }
        if (!permit.listed()) {
            throw rejections().reject(permit, Rejection.HOST_COOLING_DOWN, expected);
        }
        waits(permit, expected, Rejection.HOST_COOLING_DOWN);
        return true;
    }

    /** A request that is rejected whatever the time. */
    RequestRejectedException refused(Target target, Rejection code) {
        TOTAL.incrementAndGet(this);
        long now = limiter.clock().nanos();
        lastRequest = now;
        return rejections().reject(new Permit(this, target, now), code, Rejections.NEVER);
    }

    /** Takes a token without waiting, for a round on a connection that is leased already; the next request pays. */
    Permit charge(Target target, Policy p, long now) {
        Permit permit = new Permit(this, target, now);
        TOTAL.incrementAndGet(this);
        lastRequest = now;
        if (!limiter.dryRun() && !chargeFleet(now)) {
            lateOnesFirst(p, now);
            takeToken(now);
        }
        if (p.capped()) {
            lock().lock();
            try {
                caps(p, now).takeRoom(now); // its connection is leased, so it has a place
            } finally {
                lock().unlock();
            }
        }
        grant(permit, epochNow(), now);
        return permit;
    }

    private boolean chargeFleet(long now) {
        if (fleet == null) {
            return false;
        }
        lock().lock();
        try {
            if (!fleet.look(now)) {
                return false;
            }
            fleet.charge(now);
            return true;
        } finally {
            lock().unlock();
        }
    }

    /** Of a request that goes in any case. */
    void takeToken(long now) {
        reserve(limit, 0, Policy.UNLIMITED, now);
    }

    long reserve(Limit l, long extra, long maxWait, long now) {
        long wait = bucket.reserve(now, l, extra, maxWait);
        if (limit != l) { // it may have put hours into a bucket of seconds
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
    int epochNow() {
        Circuit c = circuit;
        int epoch = c == null ? 0 : c.epoch;
        return c == null || c.open() ? epoch : epoch - 1;
    }

    void grant(Permit permit, int epoch, long now) {
        permit.epoch = epoch;
        permit.due = now;
        ACTIVE.incrementAndGet(this);
        permit.state = Permit.GRANTED;
        Rejections r = rejections;
        if (r != null) {
            r.letThrough();
        }
    }

    void probe(Permit permit, Circuit c, long now) {
        permit.probe = c.probe(now);
        go(permit, c.epoch, now);
    }

    /** How its requests are rejected. Takes the lock if there was no rejection yet. */
    Rejections rejections() {
        if (rejections == null) {
            lock().lock();
            try {
                rejections = rejections == null ? new Rejections(this) : rejections;
            } finally {
                lock().unlock();
            }
        }
        return rejections;
    }

    /** What is kept of it. */
    Retention retention() {
        return new Retention(this);
    }

    /** Under the lock. */
    KeyCounters counters() {
        if (counters == null) {
            counters = new KeyCounters();
        }
        return counters;
    }

    void waited(Permit permit, long nanos) {
        if (nanos < DELAY) {
            return;
        }
        lock().lock();
        try {
            counters().waited(nanos);
        } finally {
            lock().unlock();
        }
        limiter.listener().throttled(this, permit.target, nanos, permit.begun);
    }

    // ---- in a fleet

    /** A request arrives where the fleet decides; false: it does not. */
    private boolean arriveInFleet(Permit permit, long now) throws RequestRejectedException {
        Told told = null;
        List<Runnable> news;
        lock().lock();
        try {
            Policy p = policy;
            if (p == null || limiter.passing()) {
                grant(permit, epochNow(), now);
                return true;
            }
            if (!fleet.look(now) && !fleet.mute()) {
                return false;
            }
            Circuit c = circuit;
            told = c == null ? null : endHold(c, p, now);
            if (fleet.mute()) {
                permit.due = now + Caps.LOOK;
                rejections().refuse(permit, Rejection.RATE_LIMIT_EXCEEDED, Caps.LOOK);
            } else {
                fleet.arrive(permit, p, now);
            }
            news = fleet.news();
        } finally {
            lock().unlock();
            tell(told);
        }
        FleetKey.tell(news);
        if (permit.state == Permit.REJECTED) {
            permit.told = true;
            throw rejections().rejected(permit);
        }
        if (permit.state == Permit.WAITING) {
            begins(permit);
        }
        return true;
    }

    /** Whether turns are the fleet's slots. */
    boolean together() {
        return fleet != null && fleet.together();
    }

    /** See {@link FleetKey#look}. */
    void lookAtFleet() {
        List<Runnable> news;
        lock().lock();
        try {
            fleet.look(limiter.clock().nanos());
            news = fleet.news();
        } finally {
            lock().unlock();
        }
        FleetKey.tell(news);
    }

    Permit first() {
        return first;
    }

    Permit last() {
        return last;
    }

    int waiting() {
        return waiting;
    }

    /** Null until something has happened. */
    Circuit circuit() {
        return circuit;
    }

    /** The bucket has no token. */
    void empty(long now) {
        bucket.empty(now, limit);
    }

    /** The bucket is full again then. */
    void bucketIs(long full) {
        bucket.set(full);
    }

    /** Takes a token by that limit; gives how long it is to be waited for. */
    long takeToken(Limit l, long now) {
        return Math.max(0, bucket.reserve(now, l, 0, Policy.UNLIMITED));
    }

    /** A waiting one goes now. */
    void goNow(Permit w, long now) {
        go(w, epochNow(), now);
        leave(w, now);
    }

    /** A waiting one goes now, as the probe. */
    void goProbe(Permit w, Circuit c, long now) {
        probe(w, c, now);
        leave(w, now);
    }

    private void leave(Permit w, long now) {
        remove(w);
        w.wakeAt = now;
        wake(w);
    }

    /** What all workers shall know of it, made from that version. */
    Incident incident(long v, long now) {
        Policy p = policy;
        Learning l = learning;
        boolean learnt = l != null && (l.learnt() || p.auto());
        Limit set = limiter.overruled(name);
        double interval = set != null ? set.interval : learnt ? 1e9 / Math.min(l.rate(), p.ceiling()) : 0;
        int burst = set != null ? set.burst() : learnt ? l.burst() : 0;
        String learned = set != null ? Incident.SET : l != null ? l.save(now) : Incident.NOTHING_LEARNED;
        return circuit(p).record(v, interval, burst, learned, now);
    }

    /** Takes over what another worker has learnt, or an operator has set there. */
    void learned(Incident i, Policy p, long now) {
        boolean set = i.learned.equals(Incident.SET) && i.interval > 0;
        if (set || limiter.overruled(name) != null) {
            overrule(set ? new Limit(1e9 / i.interval, Math.max(1, i.burst)) : null);
        }
        if (!p.learns() || set) {
            return;
        }
        if (i.learned.equals(Incident.NOTHING_LEARNED)) {
            learning = null;
            return;
        }
        boolean first = traffic == null;
        Learning l = new Learning(p.auto(), p.ceiling(), p.limit().burst(), first ? new Traffic(now) : traffic);
        try {
            l.restore(i.learned, Math.max(0, now - i.saved), first, now);
            learning = l;
            traffic = l.traffic();
        } catch (IllegalArgumentException e) {
            // not one of ours: what is known here stays
        }
    }

    void overrule(Limit l) {
        limiter.overrule(name, l);
        policy = limiter.policyOf(name);
        learning = l == null ? learning : null;
    }

    /** So many requests of other workers have gone between these times, as far as is known to pages. */
    void othersWent(int n, long from, long to, long now) {
        Policy p = policy;
        Circuit c = circuit;
        if (p == null || !p.learns() || c != null && !c.open()) {
            return;
        }
        others += traffic == null ? n : 0;
        Learning l = learning(p, Verdict.SUCCESS, now);
        long step = (to - from) / n; // a burst that there was not would say that the site bears it
        for (long time = from + step, i = 0; i < n; i++, time += step) {
            if (l != null) {
                l.good(time);
            } else if (traffic != null) {
                traffic.good(time);
            }
        }
        if (l != null && takeOver(p, now)) {
            fleet.learned();
        }
    }

    /** Another worker has begun a rest, or ended one. */
    void cooledDown(boolean rested, long since, Circuit c, boolean another, long now) {
        if (rested) {
            counters().cooldownTime += (c.open() ? now : c.since) - since;
        }
        if (!c.open() && another && c.rung() > 0) {
            counters().cooldowns++;
        }
    }

    // ---- waiting

    /** Grants or rejects a waiting permit if it is time; whether its wait is over. */
    boolean poll(Permit permit, long now) {
        int state;
        Told told = null;
        Told climbed = null;
        List<Runnable> news = null;
        lock().lock();
        try {
            if (permit.later && (now - permit.due >= 0 || !obeysRedirects())) {
                comes(permit);
                append(permit);
                if (permit.passesOver) {
                    caps.passOver(permit);
                }
                reschedule(now);
            }
            if (permit.state == Permit.WAITING && !permit.later) {
                told = turn(permit, now);
                news = fleet == null ? null : fleet.news();
            }
            state = permit.state;
            if (state == Permit.WAITING || permit.told) {
                return state != Permit.WAITING;
            }
            permit.told = true;
            climbed = state == Permit.REJECTED ? rejections().count(permit, permit.rejection) : null;
        } finally {
            lock().unlock();
            tell(told);
            FleetKey.tell(news);
        }
        if (state == Permit.REJECTED) {
            limiter.listener().rejected(this, permit.target, permit.rejection);
            tell(climbed);
        } else if (state != Permit.CANCELLED) {
            waited(permit, now - permit.arrival);
        }
        return true;
    }

    private Told turn(Permit permit, long now) {
        Circuit c = circuit;
        Policy p = policy;
        if (p == null || limiter.passing()) {
            grant(permit, epochNow(), now);
            remove(permit);
            return null;
        }
        dropLost(permit, now);
        updateTurn(permit);
        if (backlog != null && backlog.outdated() && backlog.mayReplan(now)) {
            reschedule(now);
        }
        boolean together = fleet != null && fleet.look(now);
        if (permit.state != Permit.WAITING) {
            return null; // which has changed, and nothing is sent any more
        }
        Told told = c == null ? null : endHold(c, p, now);
        if (c != null && !c.open() && permit == first && probeDue(c, p, now) - now <= 0) {
            told = settleProbe(c, now);
            if (permit.state != Permit.WAITING) {
                return told;
            }
        }
        if (c != null && !c.open()) {
            if (permit == first && together) {
                fleet.askForProbe(permit, c, p, now);
                if (permit.state == Permit.REJECTED) {
                    moveUp(now);
                }
            } else if (permit == first) {
                rest(permit, c, p, now);
                setWake(permit, p);
                if (now - permit.due >= 0) {
                    takeToken(now);
                    probe(permit, c, now);
                    remove(permit);
                    moveUp(now);
                }
            } else {
                rest(permit, c, p, now);
                setWake(permit, p);
            }
        } else if (together) {
            if (now - permit.due >= 0 && (!fleet.ready(permit, now) || caps != null && !permit.passesOver && !caps.free())) {
                reschedule(now);
            }
            if (permit.state == Permit.WAITING && now - permit.due >= 0 && fleet.ready(permit, now)) {
                goNow(permit, now);
                fleet.went(now);
            }
        } else if (now - permit.due >= 0) {
            updateTurn(first);
            if (gaps > 0 && (!longQueue() || backlog.mayReplan(now))) {
                reschedule(now); // before it goes, into the gaps
            } else if (fullSince(now) > 0) {
                delayTurns(p, now); // a full bucket takes in no more, so what was late is lost
                updateTurn(permit);
            }
            Caps k = caps(p, now);
            if (k != null && permit.state == Permit.WAITING && now - permit.due >= 0
                    && (permit.withoutPlace() || k.room(now) - now > 0 || !permit.passesOver && !k.free())) {
                reschedule(now); // somebody may have dropped an answer; or another has gone into its room, or its place is not free yet
            }
            if (permit.state == Permit.WAITING && now - permit.due >= 0 && !permit.withoutPlace()) {
                go(permit, epochNow(), now);
                remove(permit);
            }
        }
        if (permit.state == Permit.WAITING && p.maxWait() != Policy.UNLIMITED && now - permit.arrival >= p.maxWait()) {
            turnAway(permit, now);
            moveUp(now);
        }
        if (permit.state == Permit.WAITING && backlog != null) {
            updateTurn(permit);
            setWake(permit, p);
            if (permit == first && backlog.outdated()) {
                lookSoon(now);
            }
        }
        return told;
    }

    /** Those in front of this one that nobody waits for any more: nothing must hang on them. */
    private void dropLost(Permit before, long now) {
        boolean lost = false;
        while (first != null && first != before && first.waiter() == null && now - first.arrival > LOST && now - first.wakeAt >= 0) {
            Permit w = first;
            updateTurn(w);
            remove(w);
            returnToken(w, now);
            w.state = Permit.CANCELLED;
            counters().cancelled++;
            lost = true;
        }
        if (lost) {
            moveUp(now);
        }
    }

    private void turnAway(Permit permit, long now) {
        Circuit c = circuit;
        boolean closed = c != null && !c.open();
        remove(permit);
        returnToken(permit, now);
        boolean forLife = closed && c.state == Circuit.State.LIFETIME_BLOCKED;
        rejections().refuse(permit, forLife ? Rejection.HOST_BLOCKED : closed ? Rejection.HOST_COOLING_DOWN : permit.limitedBy,
                forLife ? Rejections.NEVER : closed ? c.pauseLeft(now) : permit.withoutPlace() ? Caps.LOOK : permit.due - now);
    }

    /** Ends a wait; whether there was one. */
    boolean cancel(Permit permit, long now) {
        lock().lock();
        try {
            if (permit.state != Permit.WAITING) {
                return false;
            }
            if (permit.later) {
                comes(permit);
            } else {
                updateTurn(permit);
                remove(permit);
                returnToken(permit, now);
            }
            permit.state = Permit.CANCELLED;
            counters().cancelled++;
            permit.wakeAt = now;
            wake(permit);
            moveUp(now, longQueue());
            return true;
        } finally {
            lock().unlock();
        }
    }

    void append(Permit permit) {
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
        if (backlog != null) {
            backlog.enters(permit);
        } else if (waiting > Backlog.FEW) {
            backlog = new Backlog(permit.arrival);
        }
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
        if (fleet != null) {
            fleet.leaves(permit);
        }
        Caps k = caps;
        if (k != null) {
            k.leaves(permit);
            if (first == null) {
                k.promiseNothing();
            }
        }
        if (first == null) {
            backlog = null;
        } else if (backlog != null && backlog.outdated()) {
            lookSoon(limiter.clock().nanos());
        }
        if (first == null && gaps > 0) {
            bucket.addAndGet(-gaps);
            gaps = 0;
            version++;
        }
    }

    /** A request that took a token, and was just removed if it was waiting, will not be sent. */
    private void returnToken(Permit permit, long now) {
        if (permit.leased == FleetKey.HAS) {
            fleet.notUsed(permit, now);
            return;
        }
        if (permit.cost == 0 || bucket.compareAndSet(permit.slot, permit.slot - permit.cost)) {
            return;
        }
        boolean went = permit.state != Permit.WAITING; // then what has passed since is lost; else it has only waited, for a window perhaps
        long left = went ? permit.cost : Math.min(permit.cost, permit.slot - now);
        if (left <= 0 || permit.slot - left - now < 0) {
            return; // late: without it the bucket would have been full since, and the token have come to nothing
        }
        if (first == null) {
            bucket.addAndGet(-left);
            version++; // who has taken a turn behind it, but is not entered yet, moves up
        } else {
            gaps += left;
        }
    }

    private void moveUp(long now) {
        moveUp(now, false);
    }

    /**
     * After somebody left without a token: who is first now goes as the probe, or all move up.
     *
     * @param more whether more may leave at once, so that those who wait for a place look a little later
     */
    private void moveUp(long now, boolean more) {
        Policy p = policy;
        Circuit c = circuit;
        if (first == null || p == null || limiter.passing()) {
            return;
        }
        if (c == null || c.open()) {
            if (!longQueue() || p.capped() && (together() || !more && p.concurrency() < Integer.MAX_VALUE)) {
                reschedule(now);
            } else if (together()) {
                fleet.ask(now); // he may have been the one who was to
            } else if (p.capped()) {
                replanSoon(now);
            }
        } else {
            rest(first, c, p, now);
            move(first, p);
            if (first.next != null) {
                rest(first.next, c, p, now);
                move(first.next, p);
            }
            if (fleet != null) {
                fleet.ask(now);
            }
        }
    }

    /**
     * Whether it has a turn in a cooldown. The first has, as the probe. So has the next one that somebody waits for, in case the first is
     * lost.
     */
    boolean hasTurnInRest(Permit w) {
        Permit before = w.previous;
        for (int i = 0; i < MANY_LOST && before != null && before.waiter() == null; i++) {
            before = before.previous;
        }
        return before == null || before == first;
    }

    /** When such a one looks, if the probe is due then. */
    long turnInRest(Permit w, long probe, long now) {
        return w == first ? probe : (probe - now > 0 ? probe : now) + 2 * LOST;
    }

    /** Its turn in a cooldown. */
    private void rest(Permit w, Circuit c, Policy p, long now) {
        if (together()) {
            fleet.rest(w, c, p, now);
            return;
        }
        w.cost = 0;
        w.promised = false;
        w.due = hasTurnInRest(w) ? turnInRest(w, probeDue(c, p, now), now) : now + Limit.HORIZON;
    }

    /** When the next probe may go: after the pause, and when the bucket has a token, which it takes like any other request. */
    private long probeDue(Circuit c, Policy p, long now) {
        if (together()) {
            return fleet.probeDue(c, now);
        }
        long due = now + Math.max(c.until - now, bucket.peek(now, limit));
        Caps k = caps(p, now);
        if (k == null) {
            return due;
        }
        reclaim(k, now);
        long room = k.room(due);
        return k.free() ? room : Math.max(room - now, Caps.LOOK) + now;
    }

    /** How long it rests at least. How long a probe will take nobody knows. */
    private long restLeft(Circuit c, Policy p, long now) {
        return together() ? fleet.restLeft(c, now) : Math.max(c.pauseLeft(now), bucket.peek(now, limit));
    }

    /** Whether so many wait that nothing is done for each of them at once. */
    private boolean longQueue() {
        return backlog != null && waiting > Backlog.FEW;
    }

    /** Somebody in front has left a turn in a window, which those behind may have once there is time to look. */
    private void replanSoon(long now) {
        backlog.outdate();
        lookSoon(now);
    }

    private void lookSoon(long now) {
        long at = backlog.replanAt(now);
        if (first.wakeAt - at > 0) {
            first.wakeAt = at;
            wake(first);
        }
    }

    /** Sleepers are late: nobody overtakes them, and nobody goes with them as a herd. */
    private void delayTurns(Policy p, long now) {
        if (!longQueue() || p.capped() || p.maxWait() != Policy.UNLIMITED || p.jitter() > 0 || together()) {
            reschedule(now);
            return;
        }
        backlog.update(first, limit);
        long late = fullSince(now);
        if (late > 0) {
            bucket.addAndGet(late);
            backlog.delay(late);
            version++;
        }
    }

    /** For how long the bucket would be full if nobody waited, if that is above 0. */
    private long fullSince(long now) {
        return now - (first.slot - limit.interval);
    }

    private void updateTurn(Permit w) {
        if (backlog != null) {
            backlog.update(w, limit);
        }
    }

    private void updateTurns(long now) {
        if (backlog == null) {
            return;
        }
        for (Permit w = backlog.delayed() ? first : null; w != null; w = w.next) {
            backlog.update(w, limit);
        }
        backlog.replanned(waiting, now);
    }

    /** Hands out all turns anew, in order of arrival. */
    void reschedule(long now) {
        version++;
        updateTurns(now);
        Policy p = policy;
        Circuit c = circuit;
        if (p == null || limiter.passing()) {
            if (fleet != null) {
                fleet.loseSlots(now);
            }
            returnAll(); // they go without a token; whoever is paced next shall not pay for them
            for (Permit w = first; w != null; w = w.next) {
                w.cost = 0;
                w.promised = false;
                w.due = now;
                w.wakeAt = now;
                wake(w);
            }
        } else if (c != null && !c.open()) {
            returnAll();
            if (fleet != null) {
                fleet.loseSlots(now);
            }
            long expected = now + restLeft(c, p, now);
            for (Permit w = first, after; w != null; w = after) {
                after = w.next;
                rest(w, c, p, now);
                settle(w, p, !c.refuses(now) && (p.maxWait() == Policy.UNLIMITED || expected - w.arrival <= p.maxWait()), now);
            }
            if (fleet != null) {
                fleet.ask(now);
            }
        } else {
            takeTurns(now, p);
        }
    }

    void returnAll() {
        bucket.addAndGet(-held - gaps);
        held = 0;
        gaps = 0;
        if (caps != null) {
            caps.promiseNothing();
        }
    }

    /** None of those who wait knows yet what holds for it. */
    void knowNothing() {
        for (Permit w = first; w != null; w = w.next) {
            w.limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
        }
    }

    private void takeTurns(long now, Policy p) {
        if (together()) {
            fleet.takeTurns(now, p);
            return;
        }
        Limit l = limit;
        if (first == null && held == 0 && gaps == 0) {
            return; // nobody's turn, and the bucket is not touched while others take from it
        }
        Caps k = caps(p, now);
        if (k != null) {
            reclaim(k, now);
            k.plan(now);
        }
        bucket.fill(now);
        long before = bucket.get();
        long ahead = Math.max(0, before - held - gaps - now);
        boolean full = false;
        held = 0;
        gaps = 0;
        for (Permit w = first, after; w != null; w = after) {
            after = w.next;
            boolean wasWithout = w.withoutPlace();
            w.promised = false;
            plan(w, k, ahead, l, now);
            if (w.withoutPlace() && !full) {
                full = true;
                w.due = now + Caps.LOOK; // the first of those without a place looks whether somebody has dropped his answer
            } else if (w.withoutPlace() && wasWithout && k.nobodyPassesOver()) {
                break; // neither have those behind it one, and they know
            }
            if (settle(w, p, endures(w, p, now), now) && !w.withoutPlace()) {
                ahead = promise(w, k, ahead, l, now);
                held += w.cost;
            }
        }
        bucket.addAndGet(now + ahead - before); // an addition, so that a token which somebody takes meanwhile stays taken
    }

    /** Tells a waiter of its new turn, or rejects it if its patience will not last that long; whether it waits on. */
    boolean settle(Permit w, Policy p, boolean waitsOn, long now) {
        if (!waitsOn) {
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
        if (!paused && now - permit.due <= Math.max(LATE, limit.interval / 2) || !permit.finish()) {
            return permit;
        }
        Permit again = new Permit(this, permit.target, now);
        lock().lock();
        try {
            if (permit.probe > 0) {
                if (c.isProbe(permit.probe) && fleet != null) {
                    fleet.probeLost();
                }
                c.probeLost(permit.probe, now);
            }
            if (caps != null) {
                caps.notSent(permit.due);
                caps.left(permit);
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
            throw (RequestRejectedException) rejections().reject(again, Rejection.HOST_COOLING_DOWN, c.pauseLeft(now)).fillInStackTrace();
        }
        begins(again);
        return again;
    }

    /** The site's answer has begun; gives who is to see its body, or null if that changes nothing. */
    Body answered(Permit permit, Head head) {
        Policy p = limiter.own(this, permit.target);
        if (permit.state != Permit.GRANTED) {
            return null;
        }
        if (p == null) {
            judged(permit, Finding.of(Verdict.NEUTRAL, head.status()));
            return null;
        }
        Look look = limiter.rules().detector().look(permit.target.method(), permit.host(), permit.target.path(), head, p.detection(), baseline());
        long now = limiter.clock().nanos();
        permit.seen = now;
        if (look.announced() != null || announced != null) {
            announced(look.announced(), now);
        }
        if (look.redirectWait() > 0 && p.retryAfterMax() > 0) {
            limiter.redirected(permit.target, look.location(), Circuit.withMargin(look.redirectWait()), now);
        }
        if (asksAgain(look, head.status())) {
            left(permit);
        }
        boolean empty = empty(permit, head.status());
        Policy keys = policy;
        StreamLimits streams = keys != null && !empty && look.eventStream() && limiter.enabled() ? keys.streams() : null;
        boolean settled = streams != null || look.settled(); // nobody looks for a block in a stream
        Caps.Place place = permit.place;
        Robots robots = p.robots() ? robots(permit.target, head) : null;
        Body body = empty || place == null && streams == null ? null : new Body(permit, settled ? null : look, robots);
        if (body != null && place != null) {
            place.body = new WeakReference<>(body);
        }
        if (settled) {
            judged(permit, look.head(), body == null);
            if (body != null && place != null) {
                attendPlaces();
            }
            if (streams != null) {
                limiter.opened(body, permit, streams);
            }
            return body == null && robots != null ? new Body(permit, null, robots) : body;
        }
        if (!permit.finish()) {
            return null;
        }
        ACTIVE.decrementAndGet(this);
        Told told;
        lock().lock();
        try {
            told = begun(permit, look, now);
        } finally {
            lock().unlock();
        }
        tell(told);
        limiter.unread().lookLater();
        return body == null ? new Body(permit, look, robots) : body;
    }

    /** A good answer says what is left of the site's limit, or, with null, says nothing of it. */
    private void announced(Announced says, long now) {
        Policy p = policy;
        AnnouncedLimit was = announced;
        if (p == null || was == null && (!p.learns() || AnnouncedLimit.of(null, says, p, now) == null)) {
            return;
        }
        boolean first;
        lock().lock();
        try {
            was = announced;
            AnnouncedLimit is = p.learns() ? AnnouncedLimit.of(was, says, p, now) : null;
            if (is == was) {
                return;
            }
            announced = is;
            first = is != null && !toldOfLimit;
            toldOfLimit |= first;
            if (takeOver(p, now)) {
                if (is != null && is.over && !together()) {
                    bucket.addAndGet(Math.max(0, limit.tolerance + limit.interval - ahead(now)));
                }
                reschedule(now);
            }
        } finally {
            lock().unlock();
        }
        if (first) {
            limiter.listener().announced(this, says);
        }
    }

    /** An answer's head is there, and its body may say more: what the body cannot take back is done at once. */
    private Told begun(Permit permit, Look look, long now) {
        if (answers == null) {
            answers = new OpenAnswers();
        }
        permit.finding = look.head();
        Told told = actOnHead(permit, look.atOnce(), now);
        Circuit c = circuit;
        if (c != null && permit.probe > 0 && c.answered(permit.probe, now + UNREAD)) {
            moveUp(now);
        }
        answers.add(permit);
        if (answers.tooMany()) {
            told = settle(answers.oldest(), now, told);
        }
        attend();
        return told;
    }

    /** {@code head}: what of it the body cannot take back; null if that is nothing. The listener hears of it with what the body says. */
    private Told actOnHead(Permit permit, Finding head, long now) {
        Policy p = policy;
        if (head == null || p == null || !head.counts() && p.retryAfterMax() == 0) {
            return null;
        }
        boolean current = permit.epoch == (circuit == null ? 0 : circuit.epoch);
        Told told = judge(permit, head, now, null);
        permit.acted = true;
        permit.judgedBlock = head.counts();
        if (current && !head.counts()) {
            permit.epoch = circuit.epoch; // a block that the body shows belongs to the pause that its head has begun
        }
        Told before = told.takeGlobal(told.before);
        told.before = null;
        permit.untold = told;
        untold = told.effect == Circuit.Effect.NONE ? untold : told;
        return before;
    }

    /** Something is done that is to be told: what was done before is told before, with what is known of it. */
    Told tellFirst(Told before) {
        Told first = untold;
        if (first == null) {
            return before;
        }
        untold = null;
        first.permit.untold = null;
        first.before = before;
        return first;
    }

    /** Answers that nobody reads are to be looked for. */
    private void attend() {
        if (!attended) {
            attended = true;
            limiter.unread().add(this);
        }
    }

    /** What reads this answer if it is the host's robots.txt, which the application has fetched; else null. */
    private Robots robots(Target target, Head head) {
        if (!"/robots.txt".equals(target.path()) || !target.method().equals("GET")) {
            return null;
        }
        if (head.status() == 404 || head.status() == 410) {
            crawlDelay(0); // the host has none any more
        }
        String userAgent = target.header("User-Agent");
        return Robots.of(head, userAgent == Target.UNKNOWN ? null : userAgent);
    }

    /** The host's robots.txt asks for this time between requests, in nanoseconds; 0 for none. */
    void crawlDelay(long nanos) {
        if (nanos == Robots.UNKNOWN) {
            return;
        }
        int millis = (int) ((nanos + 999_999) / 1_000_000);
        lock().lock();
        try {
            Policy p = policy;
            if (p == null || millis == crawlDelay) {
                return;
            }
            crawlDelay = millis;
            long now = limiter.clock().nanos();
            if (takeOver(p, now)) {
                reschedule(now);
            }
        } finally {
            lock().unlock();
        }
        limiter.listener().crawlDelay(this, millis);
    }

    /** Whether such an answer is one that somebody goes on from, with another request of this host perhaps, before its body is over. */
    private static boolean asksAgain(Look look, int status) {
        return status == 401 || status == 407 || look.location() != null;
    }

    /** Whether such an answer has no body that could end. */
    private static boolean empty(Permit permit, int status) {
        return status == 101 || status == 204 || status == 304 || permit.target.method().equals("HEAD");
    }

    private Baseline baseline() {
        Baseline b = baseline;
        if (b == null) {
            b = new Baseline(); // two threads may both come here: one page is not counted
            baseline = b;
        }
        return b;
    }

    /** Places are held by answers that may be left unread. */
    private void attendPlaces() {
        lock().lock();
        try {
            attend();
        } finally {
            lock().unlock();
        }
        limiter.unread().lookLater();
    }

    /** An answer's body has been looked at, as far as the application has read it. */
    void read(Permit permit, Finding finding) {
        Told told = null;
        lock().lock();
        try {
            long now = limiter.clock().nanos();
            if (permit.finding != null) {
                told = settle(permit, finding, now, null);
            } else if (finding.verdict().isBlock() && !permit.judgedBlock) {
                told = judge(permit, finding, now, null); // by its head it was a page; now we know better
            }
        } finally {
            lock().unlock();
        }
        tell(told);
    }

    /** See {@link Permit#landed}. */
    boolean landed(Permit permit, String url) {
        Policy p = limiter.own(this, permit.target);
        Finding finding = p == null ? null : limiter.rules().detector().landed(url, p.detection());
        if (finding == null || !finding.verdict().isBlock()) {
            return false;
        }
        if (permit.finish()) {
            ACTIVE.decrementAndGet(this);
            left(permit);
        }
        Told told = null;
        lock().lock();
        try {
            if (!permit.judgedBlock) {
                permit.judgedBlock = true;
                told = judge(permit, finding, limiter.clock().nanos(), null);
            }
        } finally {
            lock().unlock();
        }
        tell(told);
        return true;
    }

    /** Nobody reads this answer, or has gone on reading it: its head decides. */
    private Told settle(Permit permit, long now, Told before) {
        return settle(permit, permit.finding, now, before);
    }

    /** The verdict on an answer whose body may have said more than its head. */
    private Told settle(Permit permit, Finding finding, long now, Told before) {
        Finding head = permit.finding;
        answers.remove(permit);
        permit.finding = null;
        countTrouble(finding.verdict());
        if (!permit.acted) {
            permit.judgedBlock = finding.verdict().isBlock();
            return judge(permit, finding, now, before);
        }
        Told told = permit.untold;
        permit.untold = null;
        if (!permit.judgedBlock && finding.counts()) {
            return shownBlock(permit, finding, now, told, before);
        }
        if (told == null) {
            return before;
        }
        boolean last = untold == told;
        untold = last ? null : untold;
        told.before = before;
        told.named(finding);
        if (permit.judgedBlock && finding.verdict() != head.verdict() && policy != null) {
            circuit.reason = last ? told.reason : circuit.reason;
            counters().renamed(head.verdict(), finding.verdict());
            if (finding.verdict().hard() && !head.verdict().hard()) {
                actOnHard(told, now);
            }
        }
        return told;
    }

    /**
     * The body of an answer whose head has only begun a pause shows a block.
     *
     * @param paused what is to be told of the pause; null if it was told
     */
    private Told shownBlock(Permit permit, Finding finding, long now, Told paused, Told before) {
        permit.judgedBlock = true;
        if (paused == null || policy == null) {
            return judge(permit, finding, now, before);
        }
        untold = untold == paused ? null : untold;
        paused.named(null);
        paused.before = before;
        Told told = judge(permit, finding, now, paused);
        if (told.effect != Circuit.Effect.NONE) {
            paused.effect = Circuit.Effect.NONE; // one rest is told of once
        }
        return told;
    }

    /** A block that has counted by its head is, by its body, of a type that acts at once. */
    private void actOnHard(Told told, long now) {
        Policy p = policy;
        Circuit c = circuit;
        int epoch = told.permit.epoch;
        Circuit.Effect effect = c.hard(epoch, now, learning(p, Verdict.RATE_LIMITED, now));
        if (effect == Circuit.Effect.NONE) {
            return;
        }
        changed(effect, (x, t) -> x.hard(epoch, t, learning(p, Verdict.RATE_LIMITED, t)));
        takeOver(p, now);
        told.before = tellFirst(told.before);
        told.of(c, effect, now, p);
        reschedule(now);
        if (fleet != null && fleet.dirty()) {
            fleet.ask(now);
        }
    }

    /** Whether nobody has read on in this answer for a while. */
    private static boolean unread(Permit answer, long now) {
        return now - answer.seen >= UNREAD;
    }

    /**
     * Answers that nobody reads have to do with their heads, and places that nobody can give back are free.
     *
     * @return whether there is more to look for later
     */
    boolean settleUnread(long now) {
        Told told = null;
        lock().lock();
        try {
            for (Permit u = answers == null ? null : answers.oldest(), after; u != null; u = after) {
                after = u.next;
                if (unread(u, now)) {
                    told = settleByHead(u, circuit, now, told);
                    after = answers.oldest(); // judging settles others
                }
            }
            if (caps != null && reclaim(caps, now)) {
                moveUp(now);
            }
            answers = answers == null || answers.oldest() == null ? null : answers;
            attended = answers != null || caps != null && caps.answered();
            return attended;
        } finally {
            lock().unlock();
            tell(told);
        }
    }

    private Told settleByHead(Permit u, Circuit c, long now, Told told) {
        boolean page = !u.acted && !u.finding.verdict().isBlock();
        if (page && c != null && c.blockedSince(u.seen)) {
            answers.remove(u);
            countTrouble(u.finding.verdict());
            u.finding = null;
            return told;
        }
        return settle(u, now, told);
    }

    /** Pages that nobody reads, or has gone on reading, were pages. They come before the block that is judged now, but not before earlier ones. */
    private Told settlePages(Circuit c, long now, Told before) {
        Told told = before;
        for (Permit u = answers == null ? null : answers.oldest(), after; u != null; u = after) {
            after = u.next;
            if (!u.acted && !u.finding.verdict().isBlock() && (!u.read || unread(u, now))) {
                told = settleByHead(u, c, now, told);
            }
        }
        return told;
    }

    /** The probe's lease is over: if its answer's head is known, that decides, unless its body is being read. */
    private Told settleProbe(Circuit c, long now) {
        for (Permit u = answers == null ? null : answers.oldest(); u != null; u = u.next) {
            if (u.probe > 0 && !u.acted && c.isProbe(u.probe)) {
                return unread(u, now) || !c.extend(u.seen + UNREAD) ? settle(u, now, null) : null;
            }
        }
        return null;
    }

    /** The verdict on a request that has no body to look at. */
    void judged(Permit permit, Finding finding) {
        judged(permit, finding, true);
    }

    private void judged(Permit permit, Finding finding, boolean over) {
        if (!permit.finish()) {
            return;
        }
        ACTIVE.decrementAndGet(this);
        if (over) {
            left(permit);
        }
        Circuit c = circuit;
        Policy p = policy;
        if (p == null) {
            probeLost(permit, limiter.clock().nanos());
            return;
        }
        boolean quiet = c == null ? !p.global() : c.open() && (finding.verdict() != Verdict.SUCCESS || c.clean());
        boolean nothing = quiet && !finding.verdict().isBlock() && finding.retryAfter() <= 0 && !p.learns();
        if (nothing && !finding.verdict().trouble()) {
            return;
        }
        Told told;
        lock().lock();
        try {
            countTrouble(finding.verdict());
            told = nothing ? null : judge(permit, finding, limiter.clock().nanos(), null);
        } finally {
            lock().unlock();
        }
        tell(told);
    }

    private void countTrouble(Verdict verdict) {
        if (verdict.trouble()) {
            counters().troubled(verdict);
        }
    }

    private Told judge(Permit permit, Finding finding, long now, Told before) {
        Policy p = policy;
        if (p == null) {
            probeLost(permit, now);
            return before;
        }
        boolean block = finding.verdict().isBlock();
        took |= finding.verdict().took();
        boolean teaches = teaches(finding.verdict());
        if (teaches && fleet != null) {
            fleet.countOthers(now);
        }
        Learning l = learning(p, finding.verdict(), now);
        if (circuit == null && !teaches && finding.retryAfter() <= 0 && !p.global() && (l == null || !l.rests())) {
            if (finding.verdict().took() && l != null) {
                l.good(permit.answeredAt(now));
                if (takeOver(p, now)) {
                    if (fleet != null) {
                        fleet.learned();
                    }
                    reschedule(now);
                }
            } else if (finding.verdict().took() && traffic != null) {
                traffic.good(permit.answeredAt(now));
            }
            return before;
        }
        Circuit c = circuit(p);
        if (l == null && traffic != null && finding.verdict().took() && permit.epoch == c.epoch) {
            traffic.good(permit.answeredAt(now));
        }
        Told told = new Told(permit, finding, block ? settlePages(c, now, before) : before);
        told.counts = block && finding.counts() && permit.epoch == c.epoch;
        boolean rested = !c.open();
        long since = c.since;
        int count = c.count();
        int epoch = permit.epoch;
        Circuit.Effect effect = c.judge(finding, epoch, permit.answeredAt(now), now, p, l);
        boolean other = takeOver(p, now);
        if (fleet != null && (effect != Circuit.Effect.NONE || other || c.count() != count)) {
            changed(effect, (x, t) -> x.judge(finding, epoch, permit.answeredAt(now), t, p, learning(p, finding.verdict(), t)));
        }
        if (block && finding.counts()) {
            counters().blocked(finding.verdict());
        }
        if (rested) {
            counters().cooldownTime += (effect == Circuit.Effect.OPENED ? now : c.since) - since;
        }
        if (effect != Circuit.Effect.NONE) {
            told.before = tellFirst(told.before);
        }
        if (effect == Circuit.Effect.PAUSED && finding.verdict().took() && finding.retryAfter() <= 0) {
            told.reason = Listener.BUDGET;
        }
        told.of(c, effect, now, p);
        told.gaveBack = l != null && l.gaveBack();
        if (fleet != null && p.global() && told.counts && effect == Circuit.Effect.NONE) {
            limiter.fleetCount().counted(this, told.reason);
        }
        if (effect == Circuit.Effect.OPENED) {
            open(c, now, now, p);
        } else {
            if (effect == Circuit.Effect.TRIPPED || effect == Circuit.Effect.BLOCKED_FOR_LIFE) {
                counters().cooldowns++;
            }
            if (effect != Circuit.Effect.NONE || other) {
                reschedule(now);
            }
        }
        if (fleet != null && fleet.dirty()) {
            fleet.ask(now);
        }
        return told;
    }

    /** Something has happened to the circuit; the fleet shall know, and may have to do it once more. */
    void changed(Circuit.Effect effect, FleetKey.Change change) {
        if (fleet != null) {
            fleet.changed(effect, change);
        }
    }

    /**
     * Ends a rest.
     *
     * @param end when it was over; the bucket was empty then
     */
    void open(Circuit c, long end, long now, Policy p) {
        if (together()) {
            c.opened();
            knowNothing();
            reschedule(now);
            return;
        }
        bucket.empty(end, limit);
        gaps = 0;
        knowNothing();
        updateTurns(now);
        takeTurns(now, p); // before it opens: who arrives now must not overtake those who wait
        version++;
        c.opened();
    }

    /** Opens the key where an operator's pause is over; null if there is none, or it is not. */
    Told endHold(Circuit c, Policy p, long now) {
        if (!c.holdOver(now)) {
            return null;
        }
        counters().cooldownTime += c.until - c.since;
        changed(Circuit.Effect.OPENED, OPEN);
        open(c, c.until, now, p);
        Told told = new Told(null, null, tellFirst(null));
        told.effect = Circuit.Effect.OPENED;
        return told;
    }

    /** Whether learning begins with it. A host that has never answered is not there, which no lower rate mends. */
    private boolean teaches(Verdict verdict) {
        return verdict.isBlock() || verdict.trouble() && took;
    }

    /** What learns from such an answer; null where nothing does, or there is nothing to learn from yet. */
    private Learning learning(Policy p, Verdict verdict, long now) {
        boolean teaches = teaches(verdict);
        if (!p.learns() || verdict.trouble() && !teaches) {
            return null;
        }
        if (traffic == null && (teaches || total + others >= Learning.FEW)) {
            traffic = new Traffic(now);
            for (long before = Math.min(Learning.FEW, total - active - waiting + others) - 1; before > 0; before--) {
                traffic.good(now); // those that went before there was anything to learn from
            }
        }
        if (learning == null && traffic != null && (teaches || p.auto())) {
            learning = new Learning(p.auto(), p.ceiling(), p.limit().burst(), traffic);
        }
        return learning;
    }

    /** The one that holds, if it is that. */
    private Limit limit(double rate, int burst) {
        Limit is = limit;
        return is != null && is.rate() == rate && is.burst() == burst ? is : new Limit(rate, burst);
    }

    /** Makes the key's limit what the policy and what was learnt allow; whether it is another one than before. */
    boolean takeOver(Policy p, long now) {
        Limit to = p.limit();
        Learning l = learning;
        if (l != null && (l.learnt() || p.auto())) {
            to = limit(Math.min(l.rate(), p.ceiling()), l.burst());
        }
        if (crawlDelay > 0 && p.robots()) { // a time between any two requests, so nothing goes at once
            to = limit(Math.min(to.rate(), 1000.0 / crawlDelay), 1);
        }
        AnnouncedLimit a = announced;
        if (a != null && a.holds(now) && p.learns()) {
            to = limit(Math.min(to.rate(), 1e9 / a.interval), Math.min(to.burst(), a.burst));
        }
        if (fleet != null) {
            to = fleet.limit(to);
        }
        Limit from = limit;
        if (from == to) {
            return false;
        }
        limit = to;
        if (from != null) {
            keepTokens(from, to, now);
        }
        return true;
    }

    void tell(Told told) {
        if (told == null) {
            return;
        }
        tell(told.before);
        Listener listener = limiter.listener();
        if (told.finding != null && told.finding.verdict().isBlock()) {
            listener.blocked(this, told.permit.target, told.finding, told.consecutive, told.counts);
        }
        if (told.effect == Circuit.Effect.OPENED) {
            listener.cooldownEnded(this);
        } else if (told.effect == Circuit.Effect.BLOCKED_FOR_LIFE) {
            listener.lifetimeBlocked(this, told.reason);
        } else if (told.effect != Circuit.Effect.NONE) {
            listener.cooldownStarted(this, told.pause, told.reason, told.rung, told.refusing);
        }
        if (told.gaveBack) {
            listener.notFromSpeed(this);
        }
        if (told.global) {
            limiter.restAll(this, told.pause, told.refusing, told.reason);
        }
    }

    Circuit circuit(Policy p) {
        Circuit c = circuit;
        if (c == null) {
            c = new Circuit(p.global() ? limiter.globalCount() : new Count(), limiter.random());
            circuit = c;
        }
        return c;
    }

    /** Another key of the same scope has tripped, here or in another worker. */
    void join(long length, boolean refusing, String reason) {
        int rung;
        Told before;
        lock().lock();
        try {
            Policy p = policy;
            if (p == null || !p.global()) {
                return;
            }
            long now = limiter.clock().nanos();
            Circuit c = circuit(p);
            long rested = c.open() ? 0 : now - c.since;
            if (reason.equals(Listener.FLEET) && !c.open() && now + length - c.until < HEARD) {
                return; // by its own record
            }
            if (c.join(length, refusing, now) == Circuit.Effect.NONE) {
                return;
            }
            changed(Circuit.Effect.PAUSED, (x, t) -> x.join(now + length - t, refusing, t));
            before = tellFirst(null);
            rung = c.rung();
            c.reason = reason;
            counters().cooldownTime += rested;
            reschedule(now);
        } finally {
            lock().unlock();
        }
        tell(before);
        limiter.listener().cooldownStarted(this, length, reason, rung, refusing);
    }

    /** Of blocks that several workers met at one moment, this key's is the last of a row that makes a trip, and nobody has seen it so. */
    void tripLate(String reason) {
        Told told = new Told(null, null, null);
        lock().lock();
        try {
            Policy p = policy;
            Circuit c = circuit;
            long now = limiter.clock().nanos();
            if (p == null || c == null || !c.open() || !p.global() || !p.blocksClimb() || c.countAt(now, p) < p.cooldownThreshold() || limiter.passing()) {
                return;
            }
            Circuit.Effect effect = c.trip(Finding.NO_WAIT, 0, now, p);
            changed(effect, (x, t) -> x.open() ? x.trip(Finding.NO_WAIT, 0, t, p) : Circuit.Effect.NONE);
            counters().cooldowns++;
            reschedule(now);
            told.before = tellFirst(null);
            told.reason = reason;
            told.of(c, effect, now, p);
        } finally {
            lock().unlock();
        }
        tell(told);
    }

    // ---- for an operator

    /**
     * No request goes for this long, but for rounds on connections that are leased already; by {@code on-limit} and {@code max-wait} they wait or are rejected.
     * Then the key is open again, from an empty bucket. A pause that is there already is replaced; a rest that a site has asked for is not shortened, and has its probe.
     *
     * @param nanos above zero, and up to ten years
     * @return false if it rests longer than that already
     * @throws IllegalStateException if it is blocked for good
     */
    public boolean pause(long nanos) {
        return new Operator(this).pause(nanos);
    }

    /**
     * Ends a pause or a cooldown without a probe; who waits goes on at the bucket's pace. Blocks and trips are remembered, so the next block may be the next trip.
     *
     * @throws IllegalStateException if it is blocked for good
     */
    public void resume() {
        new Operator(this).resume();
    }

    /** Another limit than the settings', until {@link #reset}; it stays when the settings change or the key is forgotten. */
    public void limit(Limit limit) {
        new Operator(this).limit(limit);
    }

    /** Forgets what was counted; what is remembered of the site's behaviour stays. */
    public void resetStats() {
        lock().lock();
        try {
            Circuit c = circuit;
            TOTAL.set(this, 0);
            counters = new KeyCounters();
            if (c != null && !c.open()) {
                counters.cooldownTime = c.since - limiter.clock().nanos();
            }
        } finally {
            lock().unlock();
        }
    }

    /** Forgets blocks, trips, pauses, what was learnt, and another limit than the settings'; who waits goes on at the bucket's pace. */
    public void reset() {
        new Operator(this).reset();
    }

    /** See {@link Permit#unused}. */
    void unused(Permit permit) {
        if (!permit.finish()) {
            return;
        }
        ACTIVE.decrementAndGet(this);
        Caps k = caps;
        if (permit.cost == 0 && permit.probe == 0 && k == null && permit.leased == FleetKey.NOTHING) {
            return; // it went at once, so it has no turn that somebody could move up to
        }
        long now = limiter.clock().nanos();
        lock().lock();
        try {
            if (k != null) {
                k.notSent(permit.due);
                k.left(permit);
            }
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
            left(permit);
            probeLost(permit, limiter.clock().nanos());
        }
    }

    private void probeLost(Permit permit, long now) {
        if (permit.probe > 0) {
            lock().lock();
            try {
                if (circuit.isProbe(permit.probe) && fleet != null) {
                    fleet.probeLost();
                }
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
            Policy p = limiter.policyOf(name); // under the lock, so that of two changes the later one stays
            Limit from = limit;
            if (p != null) {
                if (!p.learns()) {
                    forgetLearned();
                } else if (learning != null) {
                    learning.limits(p.auto(), p.ceiling(), p.limit().burst());
                }
                takeOver(p, now); // before the policy: who sees one, sees a limit
            }
            if (fleet != null && p != null && policy != null) {
                fleet.settings(policy, p, from, now);
            } else if (fleet != null && p != null) {
                fleet.begins(p, now);
            }
            policy = p;
            knowNothing();
            forgive(now);
            reschedule(now);
            for (Permit w = obeysRedirects() ? null : firstLater; w != null; w = w.next) {
                w.wakeAt = now;
                wake(w);
            }
        } finally {
            lock().unlock();
        }
    }

    /** A new limit leaves the tokens in the bucket: a debt of hours at the old rate must not hold up the new one, nor the reverse fill it. */
    private void keepTokens(Limit from, Limit to, long now) {
        if (from.interval == to.interval && from.tolerance == to.tolerance) {
            return;
        }
        bucket.fill(now);
        long ahead = ahead(now);
        double tokens = from.burst() - (double) Math.max(0, ahead) / from.interval;
        double missing = to.burst() - Math.min(tokens, to.burst());
        bucket.addAndGet((long) Math.min(Limit.HORIZON, Math.ceil(missing * to.interval)) - ahead);
    }

    /** Nanoseconds by which the bucket is ahead of now, without what waiters hold of it. */
    long ahead(long now) {
        return bucket.get() - held - gaps - now;
    }

    /**
     * A bucket cannot be more than empty: takes out of it what was put in by other limits than the one that holds now. It cannot tell that
     * from the token of one that is about to enter, which is why {@link #enter} looks whether it was meanwhile.
     */
    private void forgive(long now) {
        Policy p = policy;
        if (p != null) {
            long debt = ahead(now) - limit.tolerance - limit.interval;
            if (debt > 0) {
                forgiven++;
                bucket.addAndGet(-debt);
            }
        }
    }

    /** Grows with each request, its end, and whatever moves those who wait. */
    long changes() {
        return 2 * total - active + version;
    }

    /** Forgets what was learnt, and from what. */
    void forgetLearned() {
        learning = null;
        traffic = null;
    }

    /** Takes in what {@link #saveLearned} gave; whether it could be read. */
    boolean restoreLearned(String learned, long ago, Policy p, long now) {
        Learning l = new Learning(p.auto(), p.ceiling(), p.limit().burst(), now);
        try {
            l.restore(learned, ago, true, now);
        } catch (RuntimeException e) { // whatever a damaged file holds
            return false;
        }
        learning = l;
        traffic = l.traffic();
        takeOver(p, now);
        return true;
    }

    /** What was learnt, as text; null for nothing. */
    String saveLearned(long now) {
        Policy p = policy;
        if (learning == null && traffic != null && p != null) {
            return new Learning(p.auto(), p.ceiling(), p.limit().burst(), traffic).save(now);
        }
        return learning == null ? null : learning.save(now);
    }

    @Override
    int standing(long now) {
        return retention().standing(now);
    }

    @Override
    long standingEnds(long now) {
        return retention().standingEnds(now);
    }

    boolean blockedForLife() {
        Circuit c = circuit;
        return c != null && c.state == Circuit.State.LIFETIME_BLOCKED;
    }

    @Override
    long lastRequest() {
        return lastRequest;
    }

    /** Into the statistics: what the settings allow, what was learnt, and what is left. */
    void fillLimits(KeyStats s, Policy p, boolean rests, long now) {
        s.rate = p.limit().rate();
        s.burst = p.limit().burst();
        boolean slowed = p.robots() && crawlDelay > 0;
        boolean learnt = learning != null && (learning.learnt() || p.auto());
        if (limit != p.limit()) {
            boolean all = !slowed && (fleet == null || fleet.together());
            s.learnedRate = all ? limit.rate() : learnt ? Math.min(learning.rate(), p.ceiling()) : 0;
        }
        s.crawlDelayMillis = slowed ? crawlDelay : 0;
        s.tokensAvailable = rests ? 0 : bucket.available(now, limit);
    }

    long total() {
        return total;
    }

    int active() {
        return active;
    }

    /** Its statistics now. */
    public KeyStats stats() {
        long now = limiter.clock().nanos();
        Told told = null;
        KeyStats s;
        lock().lock();
        try {
            Circuit c = circuit;
            Policy p = policy;
            told = c == null || p == null ? null : endHold(c, p, now);
            s = (counters == null ? new KeyCounters() : counters).stats(this, now);
        } finally {
            lock().unlock();
            tell(told);
        }
        s.activeStreams = limiter.streams().open(name); // under a lock of their own
        return s;
    }

}
