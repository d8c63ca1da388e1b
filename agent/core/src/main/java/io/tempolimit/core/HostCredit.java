package io.tempolimit.core;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * What one host is still to get of the requests that were announced within one period. A request whose answer is there
 * has been on the wire: if it was not seen there, it went over HTTP/2, and nothing is to come any more. Nor is there
 * anything of a request that failed. Thread-safe; takes a lock once in {@link #GRACE} at the most, for an instant.
 */
public final class HostCredit {
    /** A thread may be stopped between its write and the moment at which that is seen, while another one reads the answer. */
    static final long GRACE = 2_000_000_000L;

    private static final AtomicLongFieldUpdater<HostCredit> COUNTS = AtomicLongFieldUpdater.newUpdater(HostCredit.class, "counts");
    private static final AtomicIntegerFieldUpdater<HostCredit> OVER = AtomicIntegerFieldUpdater.newUpdater(HostCredit.class, "over");
    /** One that is open. */
    private static final long OPEN = 1L << 32;

    /**
     * Two numbers. The upper half: announced, and not seen on the wire, which is called open. The lower half: announced, and not known
     * to be over, which is never less.
     */
    private volatile long counts;
    /** Over since {@link #looked}, and less than {@link #GRACE} after it. */
    private volatile int over;
    /** Over before that, and maybe not for long enough. Guarded by this. */
    private int overBefore;
    /** Written by {@link #look}. */
    private volatile long looked;

    HostCredit(long now) {
        looked = now;
    }

    void give() {
        COUNTS.addAndGet(this, OPEN + 1);
    }

    boolean spend(long now) {
        look(now);
        for (;;) {
            long is = counts;
            if (is < OPEN) {
                return false;
            }
            if (COUNTS.compareAndSet(this, is, is - OPEN)) {
                return true;
            }
        }
    }

    boolean has(long now) {
        look(now);
        return counts >= OPEN;
    }

    /** One of these requests has its answer, or will have none. */
    public void over(long now) {
        look(now);
        OVER.incrementAndGet(this);
    }

    /** One of these requests will not be sent. */
    public void notSent() {
        long is;
        do {
            is = counts;
        } while (!COUNTS.compareAndSet(this, is, is - 1 - (is < OPEN ? 0 : OPEN)));
    }

    private void look(long now) {
        if (now - looked >= GRACE) {
            end(now);
        }
    }

    /** What has been over for long enough ends. */
    private synchronized void end(long now) {
        long age = now - looked;
        if (age < GRACE) {
            return; // another thread was here
        }
        int recent = OVER.getAndSet(this, 0);
        int ended = age < 2 * GRACE ? overBefore : overBefore + recent;
        overBefore = age < 2 * GRACE ? recent : 0;
        looked = now;
        long is;
        long left;
        do {
            is = counts;
            left = (int) is - ended;
        } while (!COUNTS.compareAndSet(this, is, Math.min(is >>> 32, left) << 32 | left));
    }
}
