package io.tempolimit.core.fleet;

import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Reservation;
import java.util.Arrays;

/**
 * Slots that those who wait had when the fleet was given up. Nobody uses them while this worker is alone, for it takes its part of the
 * rate. But the fleet's bucket has them reserved still, and gives others none before their end. So once the fleet answers again, and has
 * that bucket, those that are still to come are used. Else nothing would go for as long as was reserved. Guarded by the key's lock.
 */
final class KeptSlots {
    private static final long[] NONE = {};

    private final FleetPacer f;
    /** In order; those before {@link #next} are used, or over. */
    private long[] slots = NONE;
    private int next;
    /** What held when they were given. */
    private Policy policy;
    private Limit limit;

    KeptSlots(FleetPacer f) {
        this.f = f;
    }

    /** The fleet is given up. Where it was before, and has not answered since, what was kept then is all there is. */
    void keep(long now) {
        if (any(now)) {
            return;
        }
        long[] all = new long[f.queue().waiting()];
        int n = 0;
        for (Reservation w = f.first(); w != null; w = w.next()) {
            // up to the last turn of the own bucket, a slot may be one of those turns
            if (w.slotState == Reservation.HAS_SLOT && w.slotAt - f.fallback.lastTurn() > 0) {
                all[n++] = w.slotAt - now;
            }
        }
        Arrays.sort(all, 0, n);
        slots = n == 0 ? NONE : Arrays.copyOf(all, n);
        for (int i = 0; i < n; i++) {
            slots[i] += now;
        }
        next = 0;
        policy = f.key.policy();
        limit = f.limit();
    }

    /** They are void. */
    void drop() {
        slots = NONE;
        next = 0;
    }

    /** So many others went in their place, where the fleet's windows count both. */
    void dropLast(int n) {
        slots = next < slots.length - n ? Arrays.copyOf(slots, slots.length - n) : NONE;
        next = slots == NONE ? 0 : next;
    }

    /** Whether some are still to come. */
    boolean any(long now) {
        if (slots != NONE && slots[slots.length - 1] - now <= limit.interval) {
            drop();
        }
        return slots != NONE;
    }

    /** The fleet has them reserved still: those who want a slot get them, as from a bucket that is empty now. */
    void handOut(long now) {
        if (f.key.policy() != policy || f.limit().interval != limit.interval || f.limit().tolerance != limit.tolerance) {
            drop();
        }
        while (f.slots.wanting() > 0 && any(now)) {
            long slot = slots[next++];
            if (slot - now >= limit.interval) {
                f.slots.giveKept(slot, policy, now);
            }
            if (next == slots.length) {
                drop();
            }
        }
    }
}
