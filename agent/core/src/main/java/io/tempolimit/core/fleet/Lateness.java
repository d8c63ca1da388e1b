package io.tempolimit.core.fleet;

import io.tempolimit.core.policy.Limit;

/**
 * How late a slot may be used: by half an interval of the limit that gave it, or by its tolerance, if that is more. Where the limit has
 * become slower meanwhile, as learning makes it, slots of before are nearer to each other: used as late as those of now, two of them would
 * go at once. Guarded by the key's lock.
 */
final class Lateness {
    private final FleetPacer f;
    /** Slots up to this one were given by a faster limit, and may be no later than that. */
    private long until;
    private long before = Long.MAX_VALUE;

    Lateness(FleetPacer f, long now) {
        this.f = f;
        until = now;
    }

    /** How late one may be that is given now. Where windows delay it, it may lie behind what the bucket would have allowed. */
    long now() {
        return of(Long.MAX_VALUE);
    }

    /** The same where the next one is as near as that. */
    long of(long step) {
        Limit l = f.limit();
        return Math.max(f.calls.windowed() ? 0 : l.tolerance, Math.max(Lease.WAKING, Math.min(l.interval, step) / 2));
    }

    /** How late this one may be. */
    long ofSlot(long slot) {
        return slot - until <= 0 ? Math.min(before, now()) : now();
    }

    /** Whether it is void. */
    boolean over(long slot, long now) {
        return now - slot > ofSlot(slot);
    }

    /** Up to this slot they may be no later than that, whatever the limit is. */
    void atMost(long late, long slot, long now) {
        if (late >= now()) {
            return;
        }
        boolean stillThere = now - until <= before;
        before = stillThere ? Math.min(before, late) : late;
        until = stillThere && until - slot > 0 ? until : slot;
    }
}
