package io.tempolimit.gate;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.runtime.Clock;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for a permit's turn on the calling thread: one sleep of the right length, unless the turn moves. Parks, and holds
 * no monitor, so a virtual thread leaves its carrier.
 */
public final class Parking {
    /** The latest wait of each thread that has had one: when it began, and when it was over. */
    private static final ThreadLocal<long[]> LATEST = new ThreadLocal<>();

    private Parking() {
    }

    /**
     * Notes that this thread has waited from then to then for a turn, by the system's clock: here, or for a client
     * that waited in its place.
     */
    public static void waited(long from, long to) {
        LATEST.set(new long[] {from, to});
    }

    /**
     * How long this thread has waited for its latest turn since then, in nanoseconds; for who sends through a client,
     * by a clock of its own that went on meanwhile.
     */
    public static long waitedSince(long time) {
        long[] latest = LATEST.get();
        return latest == null || latest[1] - time <= 0 ? 0 : latest[1] - (latest[0] - time > 0 ? latest[0] : time);
    }

    /**
     * Returns when the permit is granted, or was cancelled by somebody else.
     *
     * @throws InterruptedException     the thread was interrupted; the flag stays set, the token goes back
     * @throws RequestRejectedException the wait turned out to be longer than the settings allow
     */
    public static void await(Permit permit) throws InterruptedException, RequestRejectedException {
        try {
            park(permit, Thread.currentThread());
        } catch (RuntimeException | Error e) { // out of memory, or of stack: the request goes on at once, and nobody is to wait behind it
            permit.cancel();
            throw e;
        }
    }

    private static void park(Permit permit, Thread thread) throws InterruptedException, RequestRejectedException {
        permit.owner(thread);
        if (!permit.waiting()) {
            return;
        }
        long from = Clock.SYSTEM.nanos();
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
        waited(from, Clock.SYSTEM.nanos());
        permit.owner(thread);
        RequestRejectedException rejection = permit.rejection();
        if (rejection != null) {
            throw rejection;
        }
    }
}
