package io.tempolimit.core.runtime;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is held for microseconds. Who finds it taken looks again for about as long before parking: an event loop that
 * ends a call must not sleep, and being woken takes longer than the wait. While somebody has parked nobody does that, or those who look
 * would let those who sleep wait for ever.
 */
public class BriefLock extends ReentrantLock {
    private static final int LOOKS = 1000;

    @Override
    public void lock() {
        for (int i = 0; i < LOOKS && !hasQueuedThreads(); i++) {
            if (tryLock()) {
                return;
            }
        }
        super.lock();
    }
}
