package io.tempolimit.core.fleet;

import io.tempolimit.core.policy.Limit;

/**
 * How late a slot may be used: by half an interval of the limit that gave it, or by its tolerance, if that is more; and by its {@link
 * Margin}. Each slot is as late as what held when it was given lets it be: used as late as those of a slower limit, two of a faster one
 * would go at once. Guarded by the key's lock.
 */
final class Lateness {
    /** Most runs of slots that are told apart; of more, the first are as late as the strictest of them. */
    private static final int RUNS = 16;
    private static final Run[] NONE = {};

    /** Slots, up to the last of them. */
    private static final class Run {
        final long until;
        /** How late they may be without their margin. */
        final long late;
        final long margin;

        Run(long until, long late, long margin) {
            this.until = until;
            this.late = late;
            this.margin = margin;
        }

        boolean isLike(Run other) {
            return late == other.late && margin == other.margin;
        }

        /** As late as both may be, up to the end of this one. */
        Run asStrictAs(Run other) {
            return new Run(until, Math.min(late, other.late), Math.min(margin, other.margin));
        }

        boolean over(long now) {
            return now - until > late + margin;
        }
    }

    private final FleetPacer f;
    /** In order. */
    private Run[] all = NONE;
    /** Up to then all are void, whatever later ones may be. */
    private long overUntil;

    Lateness(FleetPacer f, long now) {
        this.f = f;
        overUntil = now - Limit.HORIZON;
    }

    /** How late one may be that is given now without a margin. Where windows delay it, it may lie behind what the bucket allows. */
    long now() {
        return of(Long.MAX_VALUE);
    }

    /** The same where the next one is as near as that. */
    private long of(long step) {
        Limit l = f.limit();
        return Math.max(f.calls.windowed() ? 0 : l.tolerance, Math.max(Lease.WAKING, Math.min(l.interval, step) / 2));
    }

    /** How late this one may be. */
    long ofSlot(long slot) {
        if (slot - overUntil <= 0) {
            return 0;
        }
        for (Run r : all) {
            if (slot - r.until <= 0) {
                return Math.min(r.late, now()) + r.margin;
            }
        }
        return now();
    }

    /** Whether it is void. */
    boolean over(long slot, long now) {
        return now - slot > ofSlot(slot);
    }

    /** Slots were given, each of which has cost that margin; gives how late they may be. */
    long given(long first, long last, long step, long margin, long now) {
        Run is = new Run(last, of(step - margin), margin);
        Run made = is;
        int from = 0;
        int n = all.length;
        while (n > 0 && first - all[n - 1].until <= 0) { // they came in another order
            made = made.asStrictAs(all[--n]);
        }
        if (n > 0 && made.isLike(all[n - 1])) {
            n--; // it goes on
        }
        while (from < n && all[from].over(now)) {
            overUntil = all[from++].until;
        }
        if (n - from == RUNS) {
            all[from + 1] = all[from + 1].asStrictAs(all[from]);
            from++;
        }
        if (from > 0 || n + 1 != all.length) {
            Run[] next = new Run[n - from + 1];
            System.arraycopy(all, from, next, 0, n - from);
            all = next;
        }
        all[all.length - 1] = made;
        return is.late + is.margin;
    }

    /** There are none any more. */
    void clear() {
        all = NONE;
    }
}
