package io.tempolimit.core;

/**
 * What one host is still to get of the requests that were announced within one period. A request whose answer is there
 * has been on the wire: if it was not seen there, it went over HTTP/2, and nothing is to come any more. Nor is there
 * anything of a request that failed. Thread-safe; no method waits.
 */
public final class HostCredit {
    /** A thread may be stopped between its write and the moment at which that is seen, while another one reads the answer. */
    static final long GRACE = 2_000_000_000L;

    /** Announced, and not seen on the wire. */
    private int open;
    /** Announced, and not known to be over; never less than {@link #open}. */
    private int underWay;
    /** Over since {@link #looked}. */
    private int over;
    /** Over before that, and maybe not for long enough. */
    private int overBefore;
    private long looked;

    HostCredit(long now) {
        looked = now;
    }

    synchronized void give(long now) {
        look(now);
        open++;
        underWay++;
    }

    synchronized boolean spend(long now) {
        look(now);
        if (open == 0) {
            return false;
        }
        open--;
        return true;
    }

    synchronized boolean has(long now) {
        look(now);
        return open > 0;
    }

    /** One of these requests has its answer, or will have none. */
    public synchronized void over(long now) {
        look(now);
        over++;
    }

    /** One of these requests will not be sent. */
    public synchronized void notSent() {
        open = Math.max(0, open - 1);
        underWay--;
    }

    private void look(long now) {
        long age = now - looked;
        if (age < GRACE) {
            return;
        }
        underWay -= overBefore;
        overBefore = over;
        if (age >= 2 * GRACE) {
            underWay -= over;
            overBefore = 0;
        }
        over = 0;
        looked = now;
        open = Math.min(open, underWay);
    }
}
