package io.tempolimit.core.queue;

import io.tempolimit.core.Permit;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.runtime.Chain;
import java.util.function.Predicate;

/**
 * Who waits for a turn at one key, in order of arrival, and what they have reserved in its bucket. Beside them, in no order,
 * those that follow a redirect which may only be followed later. Knows nothing of limits: {@code LocalPacer} says when whose
 * turn is. All under the key's lock, but for {@link #waiting}.
 *
 * <p>Tried and lost: a queue whose head alone holds a token (a wait cannot be announced, and sleeping becomes polling); a
 * turn for each waiter but no list (a lowered rate or a cooldown does not reach those who sleep); a second bucket
 * for what leaves a client's own queue (two ideas for one bound).
 */
public final class WaitQueue {
    /** Of a key where nobody has ever waited. Nobody is entered here. */
    public static final WaitQueue NONE = new WaitQueue();
    /** Whose turn has come, and who has nobody who waits for it this long after its arrival, is lost. */
    private static final long LOST = 10_000_000_000L;
    /** Whose turn has come, and who is not there this long after somebody behind it has found that, is set aside. */
    private static final long MISSED = 100_000_000L;
    /** So many of the lost are looked past. */
    private static final int MANY_LOST = 16;

    private final Chain<Reservation> list = new Chain<>();
    /** Those that follow a redirect which may only be followed later; in no order. */
    private final Chain<Reservation> later = new Chain<>();
    /** All of them. Read without the lock as well. */
    private volatile int waiting;
    /** Null as long as there are few waiters. */
    private Backlog backlog;
    /** Nanoseconds of the bucket that waiters have reserved, and that those who left have released between them. */
    private long reserved;
    private long released;

    public Reservation first() {
        return list.first();
    }

    public Reservation last() {
        return list.last();
    }

    /** How many wait, those that come later among them. May be called without the lock. */
    public int waiting() {
        return waiting;
    }

    /** For how long the one has waited that came first, in nanoseconds; 0 if nobody waits. */
    public long longest(long now) {
        long listed = list.first() == null ? 0 : now - list.first().arrival;
        return Math.max(listed, later.last() == null ? 0 : now - later.last().arrival);
    }

    /** Behind all others; one that is overdue, before all but those who are as well and came earlier. */
    public void append(Reservation permit) {
        Reservation before = permit.overdue ? null : list.last();
        for (Reservation w = permit.overdue ? first() : null; w != null && w.overdue && w.arrival - permit.arrival <= 0; w = w.next()) {
            before = w;
        }
        insertAfter(before, permit);
    }

    private void insertAfter(Reservation before, Reservation permit) {
        list.insertAfter(before, permit);
        waiting++;
        reserved += permit.reservedNanos;
        permit.listed(true);
        if (backlog != null) {
            backlog.enters(permit);
        } else if (waiting > Backlog.FEW) {
            backlog = new Backlog(permit.arrival);
        }
    }

    public void remove(Reservation permit) {
        list.remove(permit);
        waiting--;
        reserved -= permit.reservedNanos;
        if (list.first() == null) {
            backlog = null;
        }
    }

    /** One that has just been appended will not wait, as if it had never been entered. */
    public void takeBack(Reservation permit) {
        remove(permit);
        permit.listed(false);
    }

    // ---- who comes later

    /** May come at its turn, and takes its place among the others then. */
    public void addLater(Reservation permit) {
        permit.comesLater = true;
        later.insertAfter(null, permit);
        waiting++;
    }

    /** It need not come later any more. */
    public void removeLater(Reservation permit) {
        later.remove(permit);
        permit.comesLater = false;
        waiting--;
    }

    /** They need not come later any more: each looks now. */
    public void wakeLater(long now) {
        for (Reservation w = later.first(); w != null; w = w.next()) {
            w.wakeAt(now);
        }
    }

    /** All go now, without a token. */
    public void letAllGo(long now) {
        for (Reservation w = first(); w != null; w = w.next()) {
            w.reservedNanos = 0;
            w.placePromised = false;
            w.dueAt = now;
            w.wakeAt(now);
        }
    }

    /** None of those who wait knows yet what holds for it. */
    public void forgetReasons() {
        for (Reservation w = first(); w != null; w = w.next()) {
            w.limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
        }
    }

    /** If this one's turn has come: the first of these in front of it that was set aside, or whose turn has come, too. Else null. */
    public Permit.Waiter ahead(Reservation permit, Limit limit, Predicate<Permit.Waiter> which, long now) {
        update(permit, limit);
        if (now - permit.dueAt < 0) {
            return null;
        }
        Reservation aside = null; // the one of them that came first, though another may have been set aside before it
        for (Reservation w = later.last(); w != null; w = w.previous()) {
            boolean before = w != permit && w.overdue && isBefore(w, permit) && (aside == null || isBefore(w, aside));
            aside = before && which.test(w.waiter()) ? w : aside;
        }
        for (Reservation w = first(); w != null && w != permit; w = w.next()) {
            update(w, limit);
            if (now - w.dueAt < 0 || permit.comesLater && !(w.overdue && isBefore(w, permit))
                    || aside != null && !(w.overdue && isBefore(w, aside))) {
                break;
            }
            if (which.test(w.waiter())) {
                return w.waiter();
            }
        }
        return aside == null ? null : aside.waiter();
    }

    /** Whether one that is overdue goes before this one: of two that are, the one that came first does. */
    private static boolean isBefore(Reservation overdue, Reservation permit) {
        return !permit.overdue || overdue.arrival - permit.arrival < 0;
    }

    // ---- who does not come

    /** This one looks, so nobody misses it. */
    public void came(Reservation permit) {
        permit.missedAt = 0;
    }

    /**
     * One whose turn has come looks. The first may be in front of it, due as well, and not there: where it was to look, an event loop,
     * say, is stuck, perhaps because it waits for this very one. Gives the first if it has been missed for a while; else null.
     */
    public Reservation missing(Reservation before, Limit limit, long now) {
        Reservation first = first();
        if (first == null || first == before || first.waiter() == null) {
            return null;
        }
        update(first, limit);
        if (now - first.dueAt < 0) {
            return null;
        }
        first.missedAt = first.missedAt == 0 ? now : first.missedAt;
        return now - first.missedAt >= MISSED ? first : null;
    }

    // ---- what is reserved

    /** Nanoseconds of the bucket that are not taken by those who went. */
    public long unused() {
        return reserved + released;
    }

    /** A waiter has reserved this as well. */
    public void reserve(long nanos) {
        reserved += nanos;
    }

    /** Somebody who left will not use this. */
    public void release(long nanos) {
        released += nanos;
    }

    /**
     * Somebody goes before its turn in the queue, as windows and lateness have it, and the bucket was full for longer than its own share
     * says: so much of what was released, or is reserved for the first beside its token, has come to nothing.
     */
    public void useUp(long nanos, Reservation goes, long interval) {
        long left = Math.max(0, nanos);
        long of = Math.min(left, released);
        released -= of;
        Reservation first = first();
        if (first != goes) {
            long more = Math.max(0, Math.min(left - of, first.reservedNanos - interval));
            first.reservedNanos -= more;
            reserved -= more;
        }
    }

    /** What was released, and may be reserved by others. */
    public long released() {
        return released;
    }

    public void forgetReleased() {
        if (this != NONE) {
            released = 0;
        }
    }

    /** Nothing is reserved. */
    public void forgetReserved() {
        if (this != NONE) {
            reserved = 0;
            released = 0;
        }
    }

    // ---- a long queue

    /** Null as long as there are few waiters. */
    public Backlog backlog() {
        return backlog;
    }

    /** Whether so many wait that nothing is done for each of them at once. */
    public boolean isLong() {
        return backlog != null && waiting > Backlog.FEW;
    }

    /** Whether somebody in front may have left a turn, so that those behind can move up. */
    public boolean outdated() {
        return backlog != null && backlog.outdated();
    }

    /** Brings a waiter's turn up to date. */
    public void update(Reservation w, Limit limit) {
        if (backlog != null) {
            backlog.update(w, limit);
        }
    }

    /** Brings all turns up to date: they are about to be handed out anew. */
    public void updateAll(Limit limit, long now) {
        if (backlog == null) {
            return;
        }
        for (Reservation w = backlog.delayed() ? first() : null; w != null; w = w.next()) {
            backlog.update(w, limit);
        }
        backlog.replanned(waiting, now);
    }

    /** Somebody in front has left a turn in a window, which those behind may have once there is time to look. */
    public void replanSoon(long now) {
        backlog.outdate();
        lookSoon(now);
    }

    /** The first looks as soon as turns may be handed out anew. */
    public void lookSoon(long now) {
        long at = backlog.replanAt(now);
        Reservation first = first();
        if (first.wakeAt - at > 0) {
            first.wakeAt(at);
        }
    }

    // ---- in a cooldown

    /**
     * Whether it has a turn in a cooldown. The first has, as the probe. So has the next one that somebody waits for, in case the first is
     * lost.
     */
    public boolean standsByForProbe(Reservation w) {
        Reservation before = w.previous();
        for (int i = 0; i < MANY_LOST && before != null && before.waiter() == null; i++) {
            before = before.previous();
        }
        return before == null || before == first();
    }

    /** When such a one looks, if the probe is due then. */
    public long looksForProbeAt(Reservation w, long probe, long now) {
        return w == first() ? probe : (probe - now > 0 ? probe : now) + 2 * LOST;
    }

    /** The first, if it is in front of this one and nobody waits for it any more; else null. */
    public Reservation lost(Reservation before, long now) {
        Reservation first = first();
        boolean lost = first != null && first != before && first.waiter() == null && now - first.arrival > LOST && now - first.wakeAt >= 0;
        return lost ? first : null;
    }
}
