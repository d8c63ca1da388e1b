package io.tempolimit.core;

import io.tempolimit.core.policy.Limit;

/**
 * Who waits for a turn at one key, in order of arrival, and what they have reserved in its bucket. Beside them, in no order,
 * those that follow a redirect which may only be followed later. Knows nothing of limits: {@link LocalPacer} says when whose
 * turn is. All under the key's lock, but for {@link #waiting}.
 *
 * <p>Tried and lost: a queue whose head alone holds a token (a wait cannot be announced, and sleeping becomes polling); a
 * turn for each waiter but no list (a lowered rate or a cooldown does not reach those who sleep); a second bucket
 * for what leaves a client's own queue (two ideas for one bound).
 */
final class WaitQueue {
    /** Of a key where nobody has ever waited. Nobody is entered here. */
    static final WaitQueue NONE = new WaitQueue();
    /** Whose turn has come, and who has nobody who waits for it this long after its arrival, is lost. */
    private static final long LOST = 10_000_000_000L;
    /** So many of the lost are looked past. */
    private static final int MANY_LOST = 16;

    private final PermitList list = new PermitList();
    /** Those that follow a redirect which may only be followed later; in no order. */
    private final PermitList later = new PermitList();
    /** All of them. Read without the lock as well. */
    private volatile int waiting;
    /** Null as long as there are few waiters. */
    private Backlog backlog;
    /** Nanoseconds of the bucket that waiters have reserved, and that those who left have released between them. */
    private long reserved;
    private long released;

    Permit first() {
        return list.first();
    }

    Permit last() {
        return list.last();
    }

    /** How many wait, those that come later among them. May be called without the lock. */
    int waiting() {
        return waiting;
    }

    void append(Permit permit) {
        insertAfter(list.last(), permit);
    }

    /** Before all but those who were late as well. */
    void insertLate(Permit permit) {
        Permit before = null;
        for (Permit w = first(); w != null && w.late; w = w.next) {
            before = w;
        }
        insertAfter(before, permit);
    }

    private void insertAfter(Permit before, Permit permit) {
        list.insertAfter(before, permit);
        waiting++;
        reserved += permit.cost;
        permit.listed = true;
        if (backlog != null) {
            backlog.enters(permit);
        } else if (waiting > Backlog.FEW) {
            backlog = new Backlog(permit.arrival);
        }
    }

    void remove(Permit permit) {
        list.remove(permit);
        waiting--;
        reserved -= permit.cost;
        if (list.first() == null) {
            backlog = null;
        }
    }

    // ---- who follows a redirect

    /** May come at its turn, and takes its place among the others then. */
    void addLater(Permit permit) {
        permit.later = true;
        later.insertAfter(null, permit);
        waiting++;
    }

    /** It need not come later any more. */
    void removeLater(Permit permit) {
        later.remove(permit);
        permit.later = false;
        waiting--;
    }

    /** They need not come later any more: each looks now. */
    void wakeLater(long now) {
        for (Permit w = later.first(); w != null; w = w.next) {
            w.wakeAt = now;
            w.wake();
        }
    }

    /** All go now, without a token. */
    void letAllGo(long now) {
        for (Permit w = first(); w != null; w = w.next) {
            w.cost = 0;
            w.promised = false;
            w.due = now;
            w.wakeAt = now;
            w.wake();
        }
    }

    /** None of those who wait knows yet what holds for it. */
    void forgetReasons() {
        for (Permit w = first(); w != null; w = w.next) {
            w.limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
        }
    }

    // ---- what is reserved

    /** Nanoseconds of the bucket that are not taken by those who went. */
    long unused() {
        return reserved + released;
    }

    /** A waiter has reserved this as well. */
    void reserve(long nanos) {
        reserved += nanos;
    }

    /** Somebody who left will not use this. */
    void release(long nanos) {
        released += nanos;
    }

    /**
     * Somebody goes before its turn in the queue, as windows and lateness have it, and the bucket was full for longer than its own share
     * says: so much of what was released, or is reserved for the first beside its token, has come to nothing.
     */
    void useUp(long nanos, Permit goes, long interval) {
        long left = Math.max(0, nanos);
        long of = Math.min(left, released);
        released -= of;
        Permit first = first();
        if (first != goes) {
            long more = Math.max(0, Math.min(left - of, first.cost - interval));
            first.cost -= more;
            reserved -= more;
        }
    }

    /** What was released, and may be reserved by others. */
    long released() {
        return released;
    }

    void forgetReleased() {
        if (this != NONE) {
            released = 0;
        }
    }

    /** Nothing is reserved. */
    void forgetReserved() {
        if (this != NONE) {
            reserved = 0;
            released = 0;
        }
    }

    // ---- a long queue

    /** Null as long as there are few waiters. */
    Backlog backlog() {
        return backlog;
    }

    /** Whether so many wait that nothing is done for each of them at once. */
    boolean isLong() {
        return backlog != null && waiting > Backlog.FEW;
    }

    /** Whether somebody in front may have left a turn, so that those behind can move up. */
    boolean outdated() {
        return backlog != null && backlog.outdated();
    }

    /** Brings a waiter's turn up to date. */
    void updateTurn(Permit w, Limit limit) {
        if (backlog != null) {
            backlog.update(w, limit);
        }
    }

    /** Brings all turns up to date: they are about to be handed out anew. */
    void updateTurns(Limit limit, long now) {
        if (backlog == null) {
            return;
        }
        for (Permit w = backlog.delayed() ? first() : null; w != null; w = w.next) {
            backlog.update(w, limit);
        }
        backlog.replanned(waiting, now);
    }

    /** Somebody in front has left a turn in a window, which those behind may have once there is time to look. */
    void replanSoon(long now) {
        backlog.outdate();
        lookSoon(now);
    }

    /** The first looks as soon as turns may be handed out anew. */
    void lookSoon(long now) {
        long at = backlog.replanAt(now);
        Permit first = first();
        if (first.wakeAt - at > 0) {
            first.wakeAt = at;
            first.wake();
        }
    }

    // ---- in a cooldown

    /**
     * Whether it has a turn in a cooldown. The first has, as the probe. So has the next one that somebody waits for, in case the first is
     * lost.
     */
    boolean hasTurnInRest(Permit w) {
        Permit before = w.previous;
        for (int i = 0; i < MANY_LOST && before != null && before.waiter() == null; i++) {
            before = before.previous;
        }
        return before == null || before == first();
    }

    /** When such a one looks, if the probe is due then. */
    long turnInRest(Permit w, long probe, long now) {
        return w == first() ? probe : (probe - now > 0 ? probe : now) + 2 * LOST;
    }

    /** The first, if it is in front of this one and nobody waits for it any more; else null. */
    Permit lost(Permit before, long now) {
        Permit first = first();
        boolean lost = first != null && first != before && first.waiter() == null && now - first.arrival > LOST && now - first.wakeAt >= 0;
        return lost ? first : null;
    }
}
