package io.tempolimit.gate;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Clock;
import io.tempolimit.core.Permit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for a permit's turn on the calling thread: one sleep of the right length, unless the turn moves. Parks, and holds
 * no monitor, so a virtual thread leaves its carrier.
 */
public final class Parking {
    private Parking() {
    }

    /**
     * Returns when the permit is granted, or was cancelled by somebody else.
     *
     * @throws InterruptedException     the thread was interrupted; the flag stays set, the token goes back
     * @throws RequestRejectedException the wait turned out to be longer than the settings allow
     */
    public static void await(Permit permit) throws InterruptedException, RequestRejectedException {
        Thread thread = Thread.currentThread();
        permit.owner(thread);
        if (!permit.waiting()) {
            return;
        }
        permit.waitWith(() -> LockSupport.unpark(thread));
        while (!permit.poll()) {
            if (thread.isInterrupted() && permit.cancel()) {
                throw new InterruptedException("interrupted while waiting for " + permit.key().name() + " (Tempolimit)");
            }
            long nanos = permit.wakeAt() - Clock.SYSTEM.nanos();
            if (nanos > 0) {
                LockSupport.parkNanos(permit, nanos);
            }
        }
        permit.waitWith(null);
        permit.owner(thread);
        RequestRejectedException rejection = permit.rejection();
        if (rejection != null) {
            throw rejection;
        }
    }
}
