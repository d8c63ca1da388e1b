package io.tempolimit.core.fleet;

import io.tempolimit.core.Listener;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.pace.PacedKey;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.store.Answer;
import java.util.Arrays;

/**
 * Who of a key's waiters has which slot, while the fleet decides. A slot is a time at which a request may go, which the fleet
 * gives ({@link Lease}). It stands in place of a turn of the own bucket. Guarded by the key's lock.
 *
 * <p>Who waits has a slot, or wants one ({@link Reservation#slotState}); those who want one are the last of those who may go at all.
 * When somebody leaves, later ones move up into earlier slots; what is left over goes back. A slot that was missed for too long
 * ({@link Lateness}) is void.
 */
final class FleetSlots {
    private final FleetPacer f;
    private final PacedKey key;
    final Lease lease;
    final Lateness lateness;
    final Margin margin = new Margin();
    /** How many want a slot, and the first of them, where that is known. */
    private int wanting;
    private Reservation firstWanting;
    /** The last slot that was given to this worker, how far before it the one before is, and how many the bucket had given with it. */
    private long last;
    private long lastStep;
    private long lastGiven;
    /** How many slots of that answer nobody has given back; 0 if this worker has taken another token since. */
    private int lastCount;
    /** What those wait for who were given slots by the last answer; null if that is the rate. */
    private WindowLimit held;
    /** The settings by which all who wait were looked at last. */
    private Policy lookedAtBy;

    FleetSlots(FleetPacer f, long now) {
        this.f = f;
        key = f.key;
        lease = new Lease(f.settings.lease());
        lateness = new Lateness(f, now);
        last = now;
    }

    // ---- for calls

    int wanting() {
        return wanting;
    }

    /** The last slot that this worker was given. */
    long last() {
        return last;
    }

    /** How many to ask for now. */
    int missing(Limit l, long now) {
        return lease.wanted(wanting, l.interval, now);
    }

    /** A call for so many has brought none. */
    void notGiven(int asked, long now) {
        lease.answered(asked, 0, 0, 0, 0, now);
    }

    /** Takes in what a call for so many, with that margin, has brought. {@code valid}: whether it holds still, for a key that is open. */
    void take(Answer a, int asked, long paid, boolean valid, long now) {
        boolean given = asked > 0 && a.kind == Answer.Kind.GO && a.count > 0;
        boolean used = given && valid && !a.stale;
        long end = a.slot + (a.count - 1) * a.step;
        long late = used ? lateness.given(a.slot, end, a.step, paid, now) : 0;
        lease.answered(asked, used ? a.count : 0, a.slot, a.step, late, now);
        if (a.count == 0) {
            return;
        }
        f.fallback.slotsGiven();
        lastCount = used ? a.count : 0;
        if (used) {
            lastGiven = a.given;
            lastStep = a.step;
            last = end;
        } else if (given) {
            giveBack(a);
        }
        f.bucket.set(a.slot + f.limit().tolerance + a.count * a.step);
    }

    // ---- who waits

    /** A request that has just been entered: it goes, or waits, or is turned away. */
    void arrive(Reservation w, Policy p, long now) {
        Caps k = f.caps(p, now);
        if (!place(w, k)) {
            boolean another = w.previous() != null && w.previous().withoutPlace();
            w.dueAt = now + (another ? Limit.HORIZON : Caps.LOOK);
            f.settle(w, p, !p.reject() && now - w.arrival < p.maxWait(), now);
            return;
        }
        want(w, p, now);
        handOut(now);
        f.calls.ask(now);
    }

    /** Whether it may have a place among those in flight; then one is kept for it. */
    private static boolean place(Reservation w, Caps k) {
        w.limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
        if (k == null) {
            return true;
        }
        if (!w.reentrant && !k.freeInPlan()) {
            w.limitedBy = Rejection.CONCURRENCY_LIMIT_EXCEEDED;
            return false;
        }
        k.keepPlace(w);
        return true;
    }

    private void want(Reservation w, Policy p, long now) {
        w.slotState = Reservation.WANTS_SLOT;
        wanting++;
        waitOn(w, p, now);
    }

    /** It has no slot yet, and need not look before it is given one. */
    private void waitOn(Reservation w, Policy p, long now) {
        w.dueAt = now + Limit.HORIZON;
        f.settle(w, p, p.maxWait() == Policy.UNLIMITED || p.reject() || now - w.arrival < p.maxWait(), now);
    }

    private Reservation firstWanting() {
        Reservation w = firstWanting;
        if (w == null) {
            for (w = f.first(); w.slotState != Reservation.WANTS_SLOT; w = w.next()) { }
        }
        return w;
    }

    /** It is about to leave those who wait. */
    void leaves(Reservation w) {
        if (firstWanting == w) {
            firstWanting = wantingBehind(w);
        }
        if (w.slotState == Reservation.WANTS_SLOT) {
            w.slotState = Reservation.NO_SLOT;
            wanting--;
        }
    }

    private static Reservation wantingBehind(Reservation w) {
        return w.next() != null && w.next().slotState == Reservation.WANTS_SLOT ? w.next() : null;
    }

    /** The first of those who want a slot asks again then. */
    void lookAgain(long then, Policy p, long now) {
        Reservation w = firstWanting();
        w.dueAt = then;
        f.settle(w, p, true, now);
    }

    /** Nobody who wants a slot gets one. {@code then}: when to try again. */
    void rejectThoseWhoWant(long then, Policy p, long now) {
        while (wanting > 0) {
            Reservation w = firstWanting();
            w.dueAt = then;
            f.settle(w, p, false, now);
        }
    }

    /** Its delay is told, once. */
    void delayed(Reservation w, long nanos, Rejection code) {
        if (nanos > Listener.DELAY && !w.delayTold) {
            w.delayTold = true;
            key.tell(() -> key.common.listener.delayed(key, nanos, code));
        }
    }

    // ---- slots are handed out

    /**
     * Hands out anew what slots there are, in the order of those who wait; asks for what is missing. Of many, those who want a slot still
     * do, unless the settings have changed, or places are limited: that is not looked at for each of them.
     */
    void reserveAll(long now, Policy p) {
        boolean some = p == lookedAtBy && f.queue().isLong() && p.concurrency() == Integer.MAX_VALUE;
        lookedAtBy = p;
        Caps k = f.caps(p, now);
        if (k != null) {
            f.reclaim(k, now);
        }
        f.returnAll();
        long[] slots = new long[f.queue().waiting() - (some ? wanting : 0)];
        int n = collect(slots, some, now);
        int next = 0;
        boolean full = false;
        for (Reservation w = f.first(), after; w != null && w.slotState != Reservation.WANTS_SLOT; w = after) {
            after = w.next();
            w.placePromised = false;
            if (!place(w, k)) {
                w.dueAt = now + (full ? Limit.HORIZON : Caps.LOOK); // the first of them looks whether somebody has dropped his answer
                full = true;
                f.settle(w, p, !p.reject() && now - w.arrival < p.maxWait(), now);
            } else if (next < n) {
                next += use(w, now + slots[next], p, now) ? 1 : 0;
            } else {
                want(w, p, now);
            }
        }
        while (n > next) {
            n--;
            lease.putBack(now + slots[n], lateness.ofSlot(now + slots[n]));
        }
        handOut(now);
        f.calls.ask(now);
    }

    /** Takes the slots that are not over from all who wait, or from some; gives how many those are, sorted, as differences to now. */
    private int collect(long[] slots, boolean some, long now) {
        int n = 0;
        Reservation w = f.first();
        for (; w != null && !(some && w.slotState == Reservation.WANTS_SLOT); w = w.next()) {
            if (w.slotState == Reservation.HAS_SLOT) {
                if (w.slotAt - now <= 0) { // whoever is awake goes by it
                    margin.looked(now - w.slotAt, lateness.now());
                }
                if (!lateness.over(w.slotAt, now)) {
                    slots[n++] = w.slotAt - now;
                }
            }
            w.slotState = Reservation.NO_SLOT;
            w.reservedNanos = 0;
        }
        Arrays.sort(slots, 0, n);
        if (w == null) {
            wanting = 0;
        }
        firstWanting = null; // somebody before it may want one again
        return n;
    }

    /** Gives it that slot, if it waits so long; whether it does. */
    private boolean use(Reservation w, long slot, Policy p, long now) {
        w.dueAt = slot;
        w.slotAt = slot;
        w.limitedBy = heldBy();
        if (slot - now <= 0) {
            w.slotState = Reservation.HAS_SLOT;
            goNow(w, now);
            return true;
        }
        if (p.reject() || p.maxWait() != Policy.UNLIMITED && slot - w.arrival > p.maxWait()) {
            f.settle(w, p, false, now);
            return false;
        }
        w.slotState = Reservation.HAS_SLOT;
        f.settle(w, p, true, now);
        delayed(w, slot - now, w.limitedBy); // what the store took to answer is no wait for the rate
        return true;
    }

    /** Gives those who want one the slots that there are. */
    void handOut(long now) {
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
            Reservation w = firstWanting();
            firstWanting = wantingBehind(w);
            w.slotState = Reservation.NO_SLOT;
            wanting--;
            if (use(w, slot, p, now)) {
                return;
            }
        }
        lease.putBack(slot, lateness.ofSlot(slot));
    }

    /** One that this worker was given before the fleet was given up, to the first who wants one. */
    void giveKept(long slot, Policy p, long now) {
        last = slot;
        give(slot, p, now);
    }

    /** A turn of this worker's own bucket, to the first who wants one. {@code window}: what delays it; null if that is the rate. */
    void give(long turn, WindowLimit window, Policy p, long now) {
        held = window;
        if (tooLong(turn, p, now)) {
            refused(turn, p, now);
        } else {
            give(turn, p, now);
        }
        held = null;
    }

    /** Those who want a slot and do not wait until then are turned away. */
    void refused(long slot, Policy p, long now) {
        for (Reservation w = f.first(), after; w != null; w = after) {
            after = w.next();
            if (w.slotState == Reservation.WANTS_SLOT
                    && (p.reject() || p.maxWait() != Policy.UNLIMITED && slot - w.arrival > p.maxWait() || tooLong(slot, p, now))) {
                w.dueAt = slot;
                w.limitedBy = heldBy();
                f.settle(w, p, false, now);
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

    /** What makes those wait who get slots of an answer; null if that is the rate. */
    void heldBy(WindowLimit window) {
        held = window;
    }

    /** What makes those wait who are turned away for a window; null if that is one of this worker's part. */
    WindowLimit held() {
        return held;
    }

    // ---- slots that are not used

    /** Somebody who has left will not use his slot: those behind him move up. */
    void notUsed(Reservation left, long now) {
        if (left.slotState != Reservation.HAS_SLOT) {
            return;
        }
        left.slotState = Reservation.NO_SLOT;
        long slot = left.slotAt;
        Policy p = key.policy();
        if (p == null || f.fallback.alone() || lateness.over(slot, now)) {
            return;
        }
        for (Reservation w = f.first(); w != null && w.slotState != Reservation.WANTS_SLOT; w = w.next()) {
            if (w.slotState == Reservation.HAS_SLOT && w.slotAt - slot > 0) {
                long later = w.slotAt;
                w.slotAt = slot;
                w.dueAt = slot;
                f.settle(w, p, true, now);
                slot = later;
            }
        }
        if (wanting == 0 && lastCount > 0 && slot == last && !f.calls.windowed()) { // else it would not be the one that is taken back
            giveBack(1);
        } else {
            give(slot, p, now);
        }
    }

    /** Those who were to use the last slots are not there any more. */
    private void giveBack(int n) {
        FleetCalls.AsOf asked = f.calls.new AsOf();
        long step = lastStep;
        long first = last - (n - 1) * step;
        f.shared.give(lastGiven, n, step, () -> f.fromFleet(now -> keep(n, first, step, asked, now)));
        last = first - step;
        lastGiven -= n;
        lastCount -= n;
        f.others.givenBack(n);
    }

    /** They could not be given back, for others have taken later ones: they are still ours, unless they have become void since. */
    private void keep(int n, long first, long step, FleetCalls.AsOf asked, long now) {
        if (!asked.holds() || f.fallback.alone() || key.policy() == null) {
            return;
        }
        long slot = first;
        int left = n;
        for (; left > 0 && lateness.over(slot, now); left--) {
            slot += step;
        }
        lease.answered(0, left, slot, step, lateness.ofSlot(slot), now);
        handOut(now);
        f.calls.ask(now); // who was to do so may have got one of them
    }

    /** Nobody can use what this answer has brought. */
    void giveBack(Answer a) {
        if (!f.calls.windowed()) { // of a window, what has gone for a token is not known any more
            f.shared.give(a.given, a.count, a.step, () -> { });
            f.others.givenBack(a.count);
        }
    }

    /** What a call has brought for those who have left meanwhile goes back, but for what is fetched ahead. */
    void giveSurplusBack(long now) {
        int n = wanting > 0 || f.calls.windowed() ? 0 : lease.dropSurplus(last, lastCount, now);
        if (n > 0) {
            giveBack(n);
        }
    }

    /** The slots of the last answer cannot be given back. */
    void keepLast() {
        lastCount = 0;
    }

    /** What slots there are is void, whoever has them. */
    void lose(long now) {
        f.kept.drop();
        lateness.clear();
        withdraw(now);
    }

    /** Nobody has one any more. */
    void withdraw(long now) {
        lease.clear(now);
        last = now;
        lastCount = 0;
        for (Reservation w = f.first(); w != null; w = w.next()) {
            w.slotState = Reservation.NO_SLOT;
        }
        wanting = 0;
        firstWanting = null;
    }

    // ---- somebody goes

    /** Takes a slot for a request that goes in any case; whether there is one that nobody wants. */
    boolean charge(long now) {
        return wanting == 0 && !key.closed() && lease.next(now) != Lease.NONE;
    }

    /** A waiter looks: it goes if its slot has come. */
    void tryGrant(Reservation permit, long now) {
        Caps k = f.caps();
        if (now - permit.dueAt >= 0 && (!ready(permit, now) || k != null && !permit.reentrant && !k.free())) {
            Policy p = key.policy();
            if (permit.slotState == Reservation.WANTS_SLOT && p != null) { // it was to look whether more may be asked for
                waitOn(permit, p, now);
            }
            f.replan(now);
        }
        if (permit.state == Reservation.WAITING && now - permit.dueAt >= 0 && ready(permit, now)) {
            margin.looked(now - permit.slotAt, lateness.now());
            goNow(permit, now);
            f.calls.went(now);
        }
    }

    /** Whether a waiter whose turn has come may go by its slot. */
    private boolean ready(Reservation w, long now) {
        return w.slotState == Reservation.HAS_SLOT && !lateness.over(w.slotAt, now);
    }

    private void goNow(Reservation w, long now) {
        key.go(w, key.epochNow(), now);
        leaveWaiters(w, now);
    }

    /** It was granted. */
    void leaveWaiters(Reservation w, long now) {
        f.remove(w);
        w.wakeAt(now);
    }

    /** Whether there are slots that are not used yet, whoever has them. */
    boolean any(long now) {
        return lease.peek(now) != Lease.NONE || anyoneHas();
    }

    /** Whether anyone who waits has a slot. */
    boolean anyoneHas() {
        for (Reservation w = f.first(); w != null; w = w.next()) {
            if (w.slotState == Reservation.HAS_SLOT) {
                return true;
            }
        }
        return false;
    }
}
