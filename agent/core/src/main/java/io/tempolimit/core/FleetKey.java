package io.tempolimit.core;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.store.Answer;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.core.store.SharedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A key's side of the fleet: where its turns come from while the fleet decides, and what the fleet is told of its incidents.
 *
 * <p><b>Turns.</b> In place of the bucket there are slots: times at which a request may go, which the fleet gives ({@link
 * Lease}). Who waits has one, or wants one ({@link Permit#leased}); those who want are the last of those who may go at all.
 * When somebody leaves, later ones move up into earlier slots; what is left over goes back. A slot that was missed by more
 * than half an interval, and more than the bucket's tolerance, is void. Who waits as long as it takes gets one only when it is
 * near ({@link #NEAR}): so a worker that ends with thousands in its queue leaves seconds reserved and not hours, and the
 * others' requests do not stand behind all of them.
 *
 * <p><b>Incidents.</b> This worker judges with its own {@link Circuit}, at once. Whatever changes in it is written ({@link
 * SharedKey#write}), unless another worker was faster; then that one's record is taken in, and what was done since is done
 * once more on top of it. One write is under way at a time. What could not be written is merged with what the fleet has when
 * it answers again. The same words of other workers come as {@link #heard}, or with an answer.
 *
 * <p><b>Alone.</b> While the fleet does not answer, the key paces by its own bucket, from an empty one, as a key without a
 * fleet does, with its part of the rate. Where one call fails and the fleet is not given up, who waited for that call gets
 * turns out of that bucket, and nobody else does.
 *
 * <p>Guarded by the key's lock, but for what {@code Fleet} calls, which takes it. Who took the lock calls {@link #tell} when
 * it is free again. Nothing is waited for with the lock held.
 */
final class FleetKey {
    /** {@link Permit#leased}: has no part in slots, wants one, or has one. */
    static final byte NOTHING = 0;
    static final byte WANTS = 1;
    static final byte HAS = 2;

    /** Threads take so long to wake. */
    private static final long WAKING = 1_000_000L;
    /** A wait shorter than this is no delay worth telling: it is that for an answer. */
    private static final long DELAY = 10_000_000L;
    /** Where nothing is sent while the fleet does not answer: when to try again. */
    private static final long AGAIN = 1_000_000_000L;
    /** So far ahead all workers together reserve for those who wait as long as it takes, and half of that is the time to reserve more. */
    private static final long NEAR = 5_000_000_000L;
    /** A worker that goes by slots that it has, and asks for none, looks so often whether their bucket is still there. */
    private static final long LOOK = 1_000_000_000L;
    /** Requests of others, between two of ours, that are counted one by one. */
    private static final long MOST_COUNTED = 10_000;

    /** Something that happens to the circuit. It is done once more if another worker's record has come in between. */
    interface Change {
        Circuit.Effect make(Circuit c, long now);
    }

    private final Key key;
    private final LocalPacer pacer;
    private final Fleet fleet;
    private final FleetSettings settings;
    private final SharedKey shared;
    private final Lease lease;

    /** Whether this worker paces by itself. */
    private boolean alone;
    /** Whether the own bucket has been emptied since the fleet last gave slots. */
    private boolean drained;
    /**
     * When the own bucket is full again, for what was last taken from it; calls that fail now and then give no more
     * than this worker's part.
     */
    private long owed;
    /** How many want a slot, and the first of them, where that is known. */
    private int wanting;
    private Permit firstWanting;
    /** How many slots the fleet's bucket has given to anybody, as of the last answer; -1: not known. */
    private long given = -1;
    /** Requests of other workers that had turns up to these times, and are not counted yet; and up to when they are. */
    private int others;
    private long othersBy;
    private int later;
    private long laterBy;
    private long countedBy;
    /**
     * The last slot that was given to this worker, how far before it the one before is, and how many the fleet's bucket had
     * given with it.
     */
    private long lastSlot;
    private long lastStep;
    /** When the last call was made. */
    private long calledAt;
    private long lastGiven;
    /** How many slots of that answer nobody has given back; 0 if this worker has taken another token since. */
    private int lastCount;
    /** What those wait for who were given slots by the last answer; null if that is the rate. */
    private WindowLimit held;
    /** Grows with whatever of ours makes void what was asked for before. */
    private int settled;
    /** Whether it was asked for a probe, and when to ask again. */
    private boolean asking;
    private long askAt;

    /** What has been done to the circuit since the record that is known. */
    private final List<Change> changes = new ArrayList<>(0);
    private boolean dirty;
    private boolean writing;
    /** Not to be tried again before. */
    private long writeAt;
    /** Whether what was reserved is void with the next record. */
    private boolean opens;
    /** Whether there is something that the fleet may never have heard of. */
    private boolean lost;
    /** What came while something was being written. */
    private Incident heard;
    /** What is to be told when the lock is free. */
    private List<Runnable> news = new ArrayList<>(0);
    private WindowLimit[] windows = {};
    private Policy capsOf;
    private WindowLimit[] part;

    FleetKey(Key key, Fleet fleet, FleetSettings settings) {
        this.key = key;
        this.pacer = key.pacer;
        this.fleet = fleet;
        this.settings = settings;
        shared = fleet.key(key.name());
        lease = new Lease(settings.lease());
        alone = !fleet.shared();
        drained = alone;
        askAt = key.limiter.clock().nanos();
        writeAt = askAt;
        lastSlot = askAt;
        calledAt = askAt;
        countedBy = askAt;
        owed = askAt;
    }

    // ---- alone or not

    /**
     * The key is new. Where this worker is alone, that is no other start than that of the keys it has: its part of
     * the rate, from an empty bucket.
     */
    void begins(Policy p, long now) {
        if (alone) {
            pacer.takeOver(p, now);
            pacer.bucket.empty(now, pacer.limit());
        }
    }

    /** Whether turns are slots of the fleet's. */
    boolean together() {
        return !alone;
    }

    /** Looks whether the fleet answers; if that has changed, those who wait get other turns. */
    boolean look(long now) {
        if (alone == fleet.shared()) {
            if (alone) {
                join(now);
            } else {
                part(now);
            }
        }
        return !alone;
    }

    /** The fleet has come or gone. Takes the lock. */
    void lookNow() {
        List<Runnable> all;
        key.lock().lock();
        try {
            look(key.limiter.clock().nanos());
            all = news();
        } finally {
            key.lock().unlock();
        }
        tell(all);
    }

    /** Whether nothing is sent. */
    boolean mute() {
        return alone && settings.fallback() == FleetSettings.Fallback.REJECT;
    }

    private void part(long now) {
        alone = true;
        settled++;
        held = null;
        loseSlots(now);
        changes.clear();
        asking = false;
        Policy p = key.policy();
        if (p == null) {
            return;
        }
        pacer.takeOver(p, now);
        pacer.bucket.empty(now, pacer.limit());
        drained = true;
        if (mute() && !key.limiter.passing()) {
            for (Permit w = pacer.first(), after; w != null; w = after) {
                after = w.next;
                w.due = now + AGAIN;
                pacer.settle(w, p, false, now);
            }
        } else {
            pacer.reschedule(now);
        }
    }

    private void join(long now) {
        alone = false;
        settled++;
        forgetOthers();
        askAt = now;
        pacer.returnAll();
        Policy p = key.policy();
        if (p != null) {
            pacer.takeOver(p, now);
            pacer.reschedule(now);
        }
    }

    /** Of a limit, what this worker may take now. */
    Limit limit(Limit all) {
        return alone ? part(all) : all;
    }

    /** Who has not counted the others has no burst, for each of them may do the same. */
    private Limit part(Limit all) {
        int n = settings.parts(fleet);
        int burst = fleet.counted() ? Math.max(1, all.burst() / n) : 1;
        return n == 1 && burst == all.burst() ? all : new Limit(all.rate() / n, burst);
    }

    /** Of the windows, what this worker may take now. */
    WindowLimit[] windows(WindowLimit[] all) {
        int n = settings.parts(fleet);
        if (!alone || n == 1 || all.length == 0) {
            return all;
        }
        WindowLimit[] divided = new WindowLimit[all.length];
        for (int i = 0; i < all.length; i++) {
            divided[i] = new WindowLimit(Math.max(1, all[i].count / n), all[i].duration);
        }
        if (part == null || !same(part, divided)) {
            part = divided; // the caps notice another array
        }
        return part;
    }

    private static boolean same(WindowLimit[] a, WindowLimit[] b) {
        boolean same = a.length == b.length;
        for (int i = 0; same && i < a.length; i++) {
            same = a[i].count == b[i].count && a[i].duration == b[i].duration;
        }
        return same;
    }

    // ---- turns

    /** A request arrives. False if the fleet does not decide. Takes the lock. */
    boolean arrives(Permit permit, long now) throws RequestRejectedException {
        Told told = null;
        List<Runnable> all;
        key.lock().lock();
        try {
            Policy p = key.policy();
            if (p == null || key.limiter.passing()) {
                key.grant(permit, key.epochNow(), now);
                return true;
            }
            if (!look(now) && !mute()) {
                return false;
            }
            told = key.cooldown() == null ? null : key.cooldown().endPause(p, now);
            if (mute()) {
                permit.due = now + Caps.LOOK;
                key.rejections().refuse(permit, Rejection.RATE_LIMIT_EXCEEDED, Caps.LOOK);
            } else {
                arrive(permit, p, now);
            }
            all = news();
        } finally {
            key.lock().unlock();
            Told.tell(told, key);
        }
        tell(all);
        if (permit.state == Permit.REJECTED) {
            permit.told = true;
            throw key.rejections().rejected(permit);
        }
        if (permit.state == Permit.WAITING) {
            Arrival.begins(permit);
        }
        return true;
    }

    /** While the fleet decides: the request goes, or waits, or is turned away. */
    private void arrive(Permit w, Policy p, long now) {
        pacer.madeQueue().append(w);
        Circuit c = key.circuit();
        if (c != null && !c.open()) {
            ask(now);
            rest(w, c, p, now);
            if (pacer.settle(w, p, restEndured(w, c, p, now), now)) {
                delayed(w, restLeft(c, now), Rejection.HOST_COOLING_DOWN);
            }
            return;
        }
        Caps k = pacer.caps(p, now);
        if (!place(w, k)) {
            boolean another = w.previous != null && w.previous.withoutPlace();
            w.due = now + (another ? Limit.HORIZON : Caps.LOOK);
            pacer.settle(w, p, !p.reject() && now - w.arrival < p.maxWait(), now);
            return;
        }
        want(w, p, now);
        handOut(now);
        ask(now);
    }

    /** A request goes in any case, and the next one pays. False if the fleet does not decide. Takes the lock. */
    boolean charges(long now) {
        key.lock().lock();
        try {
            if (!look(now)) {
                return false;
            }
            charge(now);
            return true;
        } finally {
            key.lock().unlock();
        }
    }

    private void charge(long now) {
        Circuit c = key.circuit();
        if (wanting > 0 || c != null && !c.open() || lease.next(now) == Lease.NONE) {
            Limit l = pacer.limit();
            shared.take(l.interval, l.burst(), 1, Long.MAX_VALUE, a -> answered(0, settled, shared.version(), false, now, a));
        }
    }

    /** Whether it may have a place among those in flight; then one is kept for it. */
    private static boolean place(Permit w, Caps k) {
        if (k == null) {
            w.limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
            return true;
        }
        if (!w.passesOver && !k.freeInPlan()) {
            w.limitedBy = Rejection.CONCURRENCY_LIMIT_EXCEEDED;
            return false;
        }
        w.limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
        k.keepPlace(w);
        return true;
    }

    private void want(Permit w, Policy p, long now) {
        w.leased = WANTS;
        wanting++;
        w.due = now + Limit.HORIZON;
        pacer.settle(w, p, p.maxWait() == Policy.UNLIMITED || p.reject() || now - w.arrival < p.maxWait(), now);
    }

    /** Hands out anew what slots there are, in the order of those who wait; asks for what is missing. */
    void takeTurns(long now, Policy p) {
        Caps k = pacer.caps(p, now);
        if (k != null) {
            pacer.reclaim(k, now);
        }
        pacer.returnAll();
        long[] slots = new long[pacer.queue().waiting()];
        int n = 0;
        for (Permit w = pacer.first(); w != null; w = w.next) {
            if (w.leased == HAS && !over(w.slot, now)) {
                slots[n++] = w.slot - now;
            }
            w.leased = NOTHING;
            w.cost = 0;
        }
        Arrays.sort(slots, 0, n);
        wanting = 0;
        firstWanting = null;
        int next = 0;
        boolean full = false;
        for (Permit w = pacer.first(), after; w != null; w = after) {
            after = w.next;
            w.promised = false;
            if (!place(w, k)) {
                w.due = now + (full ? Limit.HORIZON : Caps.LOOK); // the first of them looks whether somebody has dropped his answer
                full = true;
                pacer.settle(w, p, !p.reject() && now - w.arrival < p.maxWait(), now);
            } else if (next < n) {
                next += use(w, now + slots[next], p, now) ? 1 : 0;
            } else {
                want(w, p, now);
            }
        }
        while (n > next) {
            lease.putBack(now + slots[--n], late());
        }
        handOut(now);
        ask(now);
    }

    /** Gives it that slot, if it waits so long; whether it does. */
    private boolean use(Permit w, long slot, Policy p, long now) {
        w.due = slot;
        w.slot = slot;
        w.limitedBy = heldBy();
        if (slot - now <= 0) {
            w.leased = HAS;
            goNow(w, now);
            return true;
        }
        if (p.reject() || p.maxWait() != Policy.UNLIMITED && slot - w.arrival > p.maxWait()) {
            pacer.settle(w, p, false, now);
            return false;
        }
        w.leased = HAS;
        pacer.settle(w, p, true, now);
        delayed(w, slot - w.arrival, w.limitedBy);
        return true;
    }

    private void delayed(Permit w, long nanos, Rejection code) {
        if (nanos > DELAY && !w.said) {
            w.said = true;
            news.add(() -> key.limiter.listener().delayed(key, nanos, code));
        }
    }

    /** Gives those who want one the slots that there are. */
    private void handOut(long now) {
        Policy p = key.policy();
        while (wanting > 0) {
            long slot = lease.next(now);
            if (slot == Lease.NONE) {
                return;
            }
            give(slot, p, now);
        }
    }

    /** To the first who wants it. */
    private void give(long slot, Policy p, long now) {
        while (wanting > 0) {
            Permit w = firstWanting();
            Permit after = w.next;
            w.leased = NOTHING;
            wanting--;
            firstWanting = after != null && after.leased == WANTS ? after : null;
            if (use(w, slot, p, now)) {
                return;
            }
        }
        lease.putBack(slot, late());
    }

    private Permit firstWanting() {
        Permit w = firstWanting;
        if (w == null) {
            for (w = pacer.first(); w.leased != WANTS; w = w.next) { }
        }
        return w;
    }

    /** It is not among those who wait any more. */
    void leaves(Permit w) {
        if (w.leased == WANTS) {
            w.leased = NOTHING;
            wanting--;
        }
        if (firstWanting == w) {
            firstWanting = null;
        }
    }

    /** Somebody who has left will not use his slot: those behind him move up. */
    void notUsed(Permit left, long now) {
        if (left.leased != HAS) {
            return;
        }
        left.leased = NOTHING;
        long slot = left.slot;
        Policy p = key.policy();
        if (p == null || alone || over(slot, now)) {
            return;
        }
        for (Permit w = pacer.first(); w != null; w = w.next) {
            if (w.leased == HAS && w.slot - slot > 0) {
                long later = w.slot;
                w.slot = slot;
                w.due = slot;
                pacer.settle(w, p, true, now);
                slot = later;
            }
        }
        if (wanting == 0 && lastCount > 0 && slot == lastSlot && windows.length == 0) { // else it would not be the one that is taken back
            giveBack(1);
        } else {
            give(slot, p, now);
        }
    }

    /** Those who were to use the last slots are not there any more. */
    private void giveBack(int n) {
        int as = settled;
        long version = shared.version();
        long step = lastStep;
        long first = lastSlot - (n - 1) * step;
        shared.give(lastGiven, n, step, () -> fromFleet(now -> taken(n, first, step, as, version, now)));
        lastSlot = first - step;
        lastGiven -= n;
        lastCount -= n;
        given -= n;
    }

    /** They could not be given back, for others have taken later ones: they are still ours, unless they have become void since. */
    private void taken(int n, long first, long step, int as, long version, long now) {
        if (as != settled || version != shared.version() || alone || key.policy() == null) {
            return;
        }
        long slot = first;
        int left = n;
        for (; left > 0 && over(slot, now); left--) {
            slot += step;
        }
        lease.answered(0, left, slot, step, late(), now);
        handOut(now);
        ask(now); // who was to do so may have got one of them
    }

    /** Nobody can use what this answer has brought. */
    private void giveBack(Answer a) {
        if (windows.length == 0) { // of a window, what has gone for a token is not known any more
            shared.give(a.given, a.count, a.step, () -> { });
            given -= a.count;
        }
    }

    /** What a call has brought for those who have left meanwhile goes back, but for what is fetched ahead. */
    private void giveSurplusBack(long now) {
        int n = wanting > 0 || windows.length > 0 ? 0 : lease.dropSurplus(lastSlot, lastCount, now);
        if (n > 0) {
            giveBack(n);
        }
    }

    /** A waiter looks: it goes if its slot has come. */
    void turn(Permit permit, long now) {
        Caps k = pacer.caps();
        if (now - permit.due >= 0 && (!ready(permit, now) || k != null && !permit.passesOver && !k.free())) {
            pacer.reschedule(now);
        }
        if (permit.state == Permit.WAITING && now - permit.due >= 0 && ready(permit, now)) {
            goNow(permit, now);
            went(now);
        }
    }

    private void goNow(Permit w, long now) {
        key.go(w, key.epochNow(), now);
        leaveWaiters(w, now);
    }

    private void goProbe(Permit w, long now) {
        key.cooldown().probe(w, now);
        leaveWaiters(w, now);
    }

    private void leaveWaiters(Permit w, long now) {
        pacer.remove(w);
        w.wakeAt = now;
        w.wake();
    }

    /** Whether a waiter whose turn has come may go by its slot. */
    private boolean ready(Permit w, long now) {
        return w.leased == HAS && !over(w.slot, now);
    }

    /** What slots there are is void, whoever has them. */
    void loseSlots(long now) {
        lease.clear(now);
        lastSlot = now;
        lastCount = 0;
        for (Permit w = pacer.first(); w != null; w = w.next) {
            w.leased = NOTHING;
        }
        wanting = 0;
        firstWanting = null;
    }

    /** How late a slot may be used. Where windows delay it, it may lie behind what the bucket would have allowed. */
    private long late() {
        Limit l = pacer.limit();
        return Math.max(windows.length > 0 ? 0 : l.tolerance, Math.max(WAKING, l.interval / 2));
    }

    private boolean over(long slot, long now) {
        return now - slot > late();
    }

    // ---- a bucket that is gone

    /** One of those who wait has gone by its slot. Who has many of them asks for none, and would not hear that their bucket is gone. */
    private void went(long now) {
        Limit l = pacer.limit();
        if (!alone && now - calledAt > Math.max(LOOK, 2 * l.interval)) {
            call(0, l.interval, l.burst(), Long.MAX_VALUE, false, now);
        }
    }

    /** Another worker has begun a new bucket. */
    void bucketLost() {
        fromFleet(now -> {
            if (!alone && key.policy() != null && !key.limiter.passing() && holdsSlots(now)) {
                int as = settled;
                long version = shared.version();
                Limit l = pacer.limit();
                shared.look(l.interval, l.burst(), a -> answered(0, as, version, false, now, a));
            }
        });
    }

    private boolean holdsSlots(long now) {
        boolean holds = lease.peek(now) != Lease.NONE;
        for (Permit w = pacer.first(); w != null && !holds; w = w.next) {
            holds = w.leased == HAS;
        }
        return holds;
    }

    // ---- rest

    /** In a cooldown only the first has a turn: as the fleet's probe, if nobody else is. */
    void rest(Permit w, Circuit c, Policy p, long now) {
        w.leased = NOTHING;
        w.cost = 0;
        w.promised = false;
        w.due = pacer.queue().hasTurnInRest(w) ? pacer.queue().turnInRest(w, probeDue(c, now), now) : now + Limit.HORIZON;
    }

    /** When to look again. */
    long probeDue(Circuit c, long now) {
        return asking || outdated() ? now + Limit.HORIZON : now + Math.max(c.until - now, askAt - now);
    }

    /**
     * Whether what was asked for now would be void: with what is written next, or with what others have written. Once the write
     * has its answer that is known.
     */
    private boolean outdated() {
        return writing && (dirty || heard != null);
    }

    long restLeft(Circuit c, long now) {
        return Math.max(c.pauseLeft(now), Math.max(0, askAt - now));
    }

    private boolean restEndured(Permit w, Circuit c, Policy p, long now) {
        boolean mayBeProbe = w == pacer.first() && restLeft(c, now) == 0;
        int waiting = pacer.queue().waiting();
        long expected = restLeft(c, now) + waiting * Math.min(pacer.limit().interval, Limit.HORIZON / (waiting + 1));
        return mayBeProbe || !p.reject() && !c.refuses(now)
                && (p.maxWait() == Policy.UNLIMITED || now + expected - w.arrival <= p.maxWait());
    }

    /** The first of those who wait asks whether it may go as the probe. */
    void askForProbe(Permit w, Circuit c, Policy p, long now) {
        ask(now);
        rest(w, c, p, now);
        pacer.settle(w, p, asking || restEndured(w, c, p, now), now);
    }

    /** The probe that this worker was allowed will have no verdict. */
    void probeLost() {
        askAt = key.limiter.clock().nanos();
        if (!alone) {
            shared.release();
        }
    }

    // ---- calls

    /** Asks for what is missing. */
    void ask(long now) {
        Policy p = key.policy();
        if (alone || p == null || key.limiter.passing()) {
            return;
        }
        flush(now);
        if (outdated()) {
            return;
        }
        Circuit c = key.circuit();
        Limit l = pacer.limit();
        windows(p);
        if (c != null && !c.open()) {
            askForProbe(c, p, l, now);
            return;
        }
        for (int n; (n = Math.min(most(p, l, now), lease.wanted(wanting, l.interval, now))) > 0; ) {
            double interval = l.interval;
            double burst = l.burst();
            if (p.jitter() > 0) { // a longer interval for this one, and the same tolerance
                n = 1;
                interval += p.jitter() * key.limiter.random().next() * l.interval;
                burst = 1 + (double) l.tolerance / interval;
            }
            call(n, interval, burst, patience(p, now), false, now);
        }
    }

    /** How many may be asked for now. Where that is none, the first of those who want one asks again when it is time. */
    private int most(Policy p, Limit l, long now) {
        if (p.reject() || p.maxWait() != Policy.UNLIMITED || wanting == 0) {
            return Integer.MAX_VALUE;
        }
        long ahead = Math.max(0, lastSlot - now);
        if (ahead <= NEAR / 2) {
            long mine = (NEAR - ahead + l.tolerance) / l.interval / Math.max(1, fleet.workers());
            return (int) Math.min(Integer.MAX_VALUE, 1 + mine) - lease.underWay();
        }
        lookAgain(lastSlot - NEAR / 2, p, now);
        return 0;
    }

    private void askForProbe(Circuit c, Policy p, Limit l, long now) {
        if (asking || pacer.first() == null || c.state == Circuit.State.LIFETIME_BLOCKED || c.until - now > 0 || askAt - now > 0) {
            return;
        }
        Caps k = pacer.caps(p, now);
        if (k != null) {
            pacer.reclaim(k, now);
            if (!k.free()) {
                askAt = now + Caps.LOOK;
                return;
            }
        }
        asking = true;
        call(1, l.interval, l.burst(), Long.MAX_VALUE, true, now);
    }

    private void call(int n, double interval, double burst, long patience, boolean probe, long now) {
        lease.asked(n);
        calledAt = now;
        int as = settled;
        long version = shared.version();
        shared.take(interval, burst, n, patience, a -> answered(n, as, version, probe, now, a));
    }

    /** The longest that any of those who want a slot waits for it. */
    private long patience(Policy p, long now) {
        if (p.reject()) {
            return 0;
        }
        Permit last = pacer.queue().last();
        if (p.maxWait() == Policy.UNLIMITED) {
            return Long.MAX_VALUE;
        }
        return last == null ? p.maxWait() : Math.max(0, p.maxWait() - (now - last.arrival));
    }

    private void windows(Policy p) {
        if (p == capsOf) {
            return;
        }
        capsOf = p;
        WindowLimit[] w = p.windows();
        windows = w;
        long[] numbers = new long[2 * w.length];
        for (int i = 0; i < w.length; i++) {
            numbers[2 * i] = w[i].count;
            numbers[2 * i + 1] = w[i].duration;
        }
        shared.windows(p.retryAfterMax() == 0 ? Long.MAX_VALUE : p.retryAfterMax(), numbers);
    }

    // ---- answers

    private void answered(int n, int as, long version, boolean probe, long asked, Answer a) {
        fromFleet(now -> {
            asking &= !probe;
            lease.took(now - asked);
            answered(n, as, version, a, now);
        });
    }

    private void answered(int n, int as, long version, Answer a, long now) {
        if (a == null || alone) {
            lease.answered(n, 0, 0, 0, 0, now);
            if (look(now) && a == null && n > 0) { // nobody waits for a look
                fallBack(now);
            }
            return;
        }
        if (n > 0 || a.count > 0) { // else it was to look: the others' turns that it tells of are to come
            count(a, now);
        }
        boolean late = version != shared.version() && a.incident != null && a.incident.version < shared.version();
        if (a.incident != null && !late) { // else the newer one was heard while this answer was on its way
            takeIn(a.incident, now);
        }
        Policy p = key.policy();
        Circuit c = key.circuit();
        boolean closed = c != null && !c.open();
        boolean holds = as == settled && (a.incident == null ? version : a.incident.version) == shared.version();
        boolean slots = n > 0 && a.kind == Answer.Kind.GO && a.count > 0 && holds && !closed && !a.stale;
        boolean gone = a.lost && p != null && !closed && holdsSlots(now);
        if (gone) {
            loseSlots(now);
        }
        lease.answered(n, slots ? a.count : 0, a.slot, a.step, late(), now);
        if (a.count > 0) {
            drained = false;
            lastCount = slots ? a.count : 0;
            if (slots) {
                lastGiven = a.given;
                lastStep = a.step;
                lastSlot = a.slot + (a.count - 1) * a.step;
            } else if (n > 0 && a.kind == Answer.Kind.GO) {
                giveBack(a);
            }
            pacer.bucket.set(a.slot + pacer.limit().tolerance + a.count * a.step);
        }
        if (p == null || key.limiter.passing()) {
            return;
        }
        if (gone) {
            given = -1;
            pacer.reschedule(now); // all want a slot again, the first of them what this answer has brought
        }
        held = a.window > 0 && a.window <= windows.length ? windows[a.window - 1] : null;
        if (holds && !dirty && !writing && closed == (a.kind == Answer.Kind.GO || a.kind == Answer.Kind.REFUSED)) {
            // another record of the same number, as of a server that has forgotten a little: it is told in whole with the next answer
            shared.known(0);
        }
        switch (a.kind) {
            case PROBE:
                Caps k = pacer.caps(p, now);
                boolean free = k == null || k.free();
                if (a.count > 0 && closed && c.state == Circuit.State.PROBING && c.until - now > 0) {
                    giveBack(a); // several were asked for before it was known that the key rests, and one of them is the probe
                } else if (a.count > 0 && holds && closed && !a.stale && pacer.first() != null && free) {
                    goProbe(pacer.first(), now);
                } else if (a.count > 0) {
                    askAt = free ? now : now + Caps.LOOK;
                    giveBack(a);
                    shared.release();
                    if (!closed && dirty && !writing) {
                        fallBack(now);
                    }
                }
                break;
            case REFUSED:
                refused(a.slot, p, now);
                if (wanting == 0) {
                    return; // it was to be fetched ahead
                }
                break;
            case CLOSED:
                askAt = a.slot;
                if (closed) {
                    pacer.reschedule(now);
                    return;
                }
                if (dirty && !writing) {
                    fallBack(now); // it could not be told that the key has opened
                }
                break;
            default:
                handOut(now);
                giveSurplusBack(now);
        }
        if (closed) {
            pacer.reschedule(now);
        } else {
            ask(now);
        }
    }

    /** Those who want a slot and do not wait until then are turned away. */
    private void refused(long slot, Policy p, long now) {
        for (Permit w = pacer.first(), after; w != null; w = after) {
            after = w.next;
            if (w.leased == WANTS
                    && (p.reject() || p.maxWait() != Policy.UNLIMITED && slot - w.arrival > p.maxWait() || tooLong(slot, p, now))) {
                w.due = slot;
                w.limitedBy = heldBy();
                pacer.settle(w, p, false, now);
            }
        }
    }

    /** Whether a window makes it wait for longer than anybody waits for one. */
    private boolean tooLong(long slot, Policy p, long now) {
        return held != null && p.retryAfterMax() > 0 && slot - now > p.retryAfterMax();
    }

    private Rejection heldBy() {
        return held == null ? Rejection.RATE_LIMIT_EXCEEDED : Rejection.WINDOW_EXCEEDED;
    }

    /** What makes those wait who are turned away for a window; null if that is one of this worker's part. */
    WindowLimit held() {
        return held;
    }

    /** A call has failed, or took too long: who waits for it gets a turn out of this worker's part. */
    private void fallBack(long now) {
        Policy p = key.policy();
        Circuit c = key.circuit();
        if (p == null || key.limiter.passing()) {
            return;
        }
        if (c != null && !c.open()) {
            askAt = now + settings.timeout();
            pacer.reschedule(now);
            return;
        }
        if (wanting == 0) {
            return;
        }
        Limit l = part(pacer.limit());
        if (!drained) {
            long empty = now + l.tolerance + l.interval;
            pacer.bucket.set(owed - empty > 0 ? owed : empty);
            drained = true;
        }
        if (settings.fallback() == FleetSettings.Fallback.REJECT) {
            while (wanting > 0) {
                Permit w = firstWanting();
                w.due = now + AGAIN;
                pacer.settle(w, p, false, now);
            }
            return;
        }
        long[] slots = new long[wanting];
        int n = 0;
        do {
            slots[n] = now + takeToken(l, now);
        } while (++n < wanting && (p.maxWait() != Policy.UNLIMITED || slots[n - 1] - now < NEAR / 2));
        owed = pacer.bucket.get();
        long[] free = slots.clone();
        Caps k = pacer.caps(p, now);
        if (k != null) {
            k.delay(slots, n, now);
        }
        for (int i = 0; i < n && wanting > 0; i++) {
            held = slots[i] == free[i] ? null : p.windows()[0];
            if (tooLong(slots[i], p, now)) {
                refused(slots[i], p, now);
            } else {
                give(slots[i], p, now);
            }
        }
        held = null;
        if (wanting > 0) { // the fleet may answer again until it is their turn
            lookAgain(now + settings.timeout(), p, now);
        }
    }

    /** Takes a token of the own bucket by that limit; gives how long it is to be waited for. */
    private long takeToken(Limit l, long now) {
        return Math.max(0, pacer.bucket.reserve(now, l, 0, Policy.UNLIMITED));
    }

    /** The first of those who want a slot asks again then. */
    private void lookAgain(long then, Policy p, long now) {
        Permit w = firstWanting();
        w.due = then;
        pacer.settle(w, p, true, now);
    }

    /**
     * The others' requests are the site's load as ours are: what is learnt is what the fleet may do. Those that were given
     * turns before ours have gone when it is our turn; what they will have reserved when the site blocks is never sent.
     */
    private void count(Answer a, long now) {
        countOthers(now);
        if (given >= 0) {
            later += (int) Math.max(0, Math.min(MOST_COUNTED, a.given - given - a.count));
        }
        given = a.given;
        long last = a.slot + (a.count - 1) * a.step;
        laterBy = a.count > 0 && last - now > 0 ? last : now;
        if (others == 0) {
            next();
        }
    }

    /** Counts those whose turn is over. */
    void countOthers(long now) {
        if (others > 0 && now - othersBy >= 0) {
            int n = others;
            long from = countedBy;
            long to = othersBy;
            countedBy = to;
            next();
            key.verdicts.othersWent(n, from, to, now);
        }
    }

    private void next() {
        others = later;
        othersBy = laterBy;
        later = 0;
    }

    /** Whoever has a turn will not go. */
    private void forgetOthers() {
        others = 0;
        later = 0;
        given = -1;
        lastCount = 0;
    }

    // ---- incidents

    /** Something has happened to the circuit, which all shall know. To be called before turns are handed out anew. */
    void changed(Circuit.Effect effect, Change change) {
        if (key.limiter.passing()) {
            return; // in a dry run nothing of it is the fleet's business
        }
        dirty = true;
        opens |= effect == Circuit.Effect.OPENED;
        if (alone) {
            lost = true;
        } else {
            changes.add(change);
        }
        if (effect != Circuit.Effect.NONE) {
            settled++;
            forgetOthers();
        }
        if (effect == Circuit.Effect.OPENED) {
            loseSlots(key.limiter.clock().nanos());
            askAt = key.limiter.clock().nanos();
        }
    }

    /** Another rate was learnt. */
    void learned() {
        dirty |= !key.limiter.passing();
        lost |= alone && dirty;
    }

    /** Whether there is something to be written. */
    boolean dirty() {
        return dirty;
    }

    /** Other settings hold from now on. Where somebody has a slot by the old ones, all workers' are void. */
    void settings(Policy before, Policy p, Limit limit, long now) {
        Limit l = pacer.limit();
        boolean same = limit.interval == l.interval && limit.tolerance == l.tolerance && same(before.windows(), p.windows());
        if (alone || key.limiter.passing() || same) {
            return;
        }
        settled++;
        // in debt, as the new limit sees it
        boolean reserved = lastSlot - now + limit.tolerance + limit.interval > l.tolerance + l.interval;
        for (Permit w = pacer.first(); w != null; w = w.next) {
            reserved |= w.leased == HAS;
        }
        Circuit c = key.circuit(p);
        if (reserved && c.open()) {
            Change renewed = (x, t) -> {
                x.renew();
                return x.open() ? Circuit.Effect.OPENED : Circuit.Effect.NONE;
            };
            renewed.make(c, now);
            changed(Circuit.Effect.OPENED, renewed);
        } else {
            loseSlots(now);
        }
    }

    private void flush(long now) {
        Policy p = key.policy();
        if (!dirty || writing || writeAt - now > 0) {
            return;
        }
        dirty = false;
        writing = true;
        int sent = changes.size();
        boolean opening = opens;
        opens = false;
        shared.write(key.verdicts.incident(shared.version(), now), opening ? pacer.limit() : null,
            Math.max(p.cooldownMemory(), p.escalationMemory()), (written, stored) -> written(sent, opening, written, stored));
    }

    private void written(int sent, boolean opening, boolean written, Incident stored) {
        fromFleet(now -> {
            writing = false;
            askAt = now;
            if (written) {
                changes.subList(0, Math.min(sent, changes.size())).clear();
                lost &= alone;
            } else {
                if (stored == null) {
                    changes.clear();
                    dirty = true;
                    lost = true;
                    opens |= opening;
                    writeAt = now + settings.timeout();
                } else {
                    takeIn(stored, now);
                }
            }
            Incident other = heard;
            heard = null;
            if (other != null && other.version > shared.version()) {
                takeIn(other, now);
            }
            Circuit c = key.circuit();
            if (stored == null) {
                if (look(now)) {
                    fallBack(now);
                }
            } else if (c != null && !c.open() && key.policy() != null) {
                pacer.reschedule(now);
            } else {
                ask(now);
            }
        });
    }

    /** A record was published. */
    void heard(Incident i) {
        fromFleet(now -> {
            if (alone || key.policy() == null) {
                return;
            }
            if (i.version > shared.version()) {
                takeIn(i, now);
            } // else it is ours, or comes late
        });
    }

    /** Makes another worker's record ours. */
    private void takeIn(Incident i, long now) {
        Policy p = key.policy();
        long known = shared.version();
        if (p == null || i.version == known || key.limiter.passing()) {
            return;
        }
        if (writing) { // it may be our own, before we hear of its fate
            heard = heard == null || i.version > heard.version ? i : heard;
            return;
        }
        Incident mine = key.verdicts.incident(known, now);
        boolean forgotten = i.version < known || !i.follows(known);
        if (i.version > 0 || mine.saysNothing()) {
            shared.known(i.version);
        }
        if ((lost || forgotten) && !mine.saysNothing()) {
            changes.clear();
            lost = true;
            dirty = true;
            load(Incident.merge(mine, i, p, now), p, now);
        } else {
            lost = false;
            dirty = false;
            load(i, p, now);
        }
    }

    private void load(Incident i, Policy p, long now) {
        Circuit c = key.circuit(p);
        boolean rested = !c.open();
        boolean forLife = c.state == Circuit.State.LIFETIME_BLOCKED;
        int epoch = c.epoch;
        long until = c.until;
        long since = c.since;
        c.load(i, !p.global(), now);
        key.verdicts.learned(i, p, now);
        FleetCount all = key.limiter.fleetCount();
        all.replays(true);
        try {
            for (Change change : changes) {
                Circuit.Effect effect = change.make(c, now);
                settled += effect == Circuit.Effect.NONE ? 0 : 1; // answers under way are of before it
                if (effect == Circuit.Effect.OPENED) {
                    c.opened();
                    opens = true;
                }
            }
        } finally {
            all.replays(false);
        }
        dirty |= !changes.isEmpty() && (opens || !i.says(key.verdicts.incident(0, now)));
        if (!dirty) {
            changes.clear();
        }
        boolean rests = !c.open();
        if (c.epoch != epoch || rests != rested) {
            loseSlots(now);
            forgetOthers();
            askAt = now;
            key.cooldown().changedByOthers(rested, since, c.epoch != epoch, now);
        }
        pacer.takeOver(key.policy(), now); // an operator may have changed it
        pacer.queue().forgetReasons();
        pacer.reschedule(now);
        Listener listener = key.limiter.listener();
        if (c.state == Circuit.State.LIFETIME_BLOCKED && !forLife) {
            c.reason = Listener.FLEET;
            news.add(() -> listener.lifetimeBlocked(key, Listener.FLEET));
        } else if (rests && (!rested || c.epoch != epoch && c.until - until > DELAY)) {
            c.reason = Listener.FLEET;
            long left = Math.max(0, c.until - now);
            int rung = c.rung();
            boolean refusing = c.refuses(now);
            news.add(() -> listener.cooldownStarted(key, left, Listener.FLEET, rung, refusing));
        } else if (rested && !rests) {
            news.add(() -> listener.cooldownEnded(key));
        }
    }

    // ---- for who holds the lock

    /** What is to be told when the lock is free; null for nothing. */
    List<Runnable> news() {
        if (news.isEmpty()) {
            return null;
        }
        List<Runnable> all = news;
        news = new ArrayList<>(0);
        return all;
    }

    static void tell(List<Runnable> news) {
        if (news != null) {
            for (Runnable n : news) {
                n.run();
            }
        }
    }

    /** What {@code Fleet} calls takes the lock, and tells when it is free again. */
    private void fromFleet(LongConsumer what) {
        List<Runnable> told;
        key.lock().lock();
        try {
            what.accept(key.limiter.clock().nanos());
            told = news();
        } catch (RuntimeException | Error e) {
            told = trouble(e);
        } finally {
            key.lock().unlock();
        }
        tell(told);
    }

    /** An error of ours: nobody waits for the fleet because of it. */
    private List<Runnable> trouble(Throwable e) {
        news.add(() -> key.limiter.listener().fleetWarning("an error of the agent's own: " + e));
        try {
            fallBack(key.limiter.clock().nanos());
        } catch (RuntimeException | Error again) {
            // it was told
        }
        return news();
    }
}
