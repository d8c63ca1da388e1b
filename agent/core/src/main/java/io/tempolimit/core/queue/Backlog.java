package io.tempolimit.core.queue;

import io.tempolimit.core.Rejection;
import io.tempolimit.core.policy.Limit;

/**
 * What makes a long queue cheap: what is the same for all its waiters is noted once, and each takes it in when it is looked at.
 *
 * <p>Where sleepers are late, all turns behind them move by the same time ({@link #delay}). Where many are cancelled, turns are
 * handed out anew once in a while and not for each: so seldom that it takes a part of the time only, however many wait
 * ({@link #replanned}).
 *
 * <p>Guarded by the key's lock.
 */
public final class Backlog {
    /** With this many waiters or fewer everything is done at once. */
    public static final int FEW = 256;
    /** A hundred times and more what it takes to hand out a turn: however many wait, that takes a hundredth of the time. */
    private static final long TURN = 10_000;

    /** By how much all turns have been delayed so far, and how much of that was when they were last handed out. */
    private long delay;
    private long delayAtPlan;
    /** Turns are not handed out anew before, but where they have to be. */
    private long replanAt;
    /** Whether somebody in front may have left his turn, so that the others can move up. */
    private boolean outdated;

    Backlog(long now) {
        replanAt = now;
    }

    /** A new waiter has its turn behind the others, as they are now. */
    void enters(Reservation w) {
        w.delayed = delay;
    }

    /** All turns are that much later. */
    public void delay(long nanos) {
        delay += nanos;
    }

    /** Whether turns have been delayed since they were last handed out. */
    boolean delayed() {
        return delay != delayAtPlan;
    }

    /** Whoever reads a waiter's turn brings it up to date first. */
    void update(Reservation w, Limit l) {
        long more = delay - w.delayed;
        if (more != 0) {
            w.delayed = delay;
            w.reservedUntil += more;
            w.dueAt = w.limitedBy == Rejection.WINDOW_EXCEEDED ? w.dueAt + more : w.reservedUntil - l.tolerance - l.interval;
        }
    }

    /** All turns are handed out anew, and up to date. */
    void replanned(int waiting, long now) {
        replanAt = now + waiting * TURN;
        delayAtPlan = delay;
        outdated = false;
    }

    void outdate() {
        outdated = true;
    }

    boolean outdated() {
        return outdated;
    }

    /** When turns may be handed out anew. */
    long replanAt(long now) {
        return replanAt - now > 0 ? replanAt : now;
    }

    public boolean mayReplan(long now) {
        return now - replanAt >= 0;
    }
}
