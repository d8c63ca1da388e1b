package io.tempolimit.redis;

import java.util.List;

/** How many workers share the fleet, by the answers to this one's beats. Thread-safe. */
final class Workers {
    /** A worker that was silent for so long is gone. */
    static final long ALIVE = 3 * RedisFleet.BEAT;
    /** More than any fleet has: an answer that says more is none. */
    private static final int MOST = 100_000;

    private volatile int alive;
    private long aliveAt;
    /** When this worker was counted first, in the list that it has been in since; 0: never. */
    private long countedAt;
    private volatile boolean counted;

    /** The most seen of late; 0 before the first answer. */
    int alive() {
        return alive;
    }

    /** Whether all others have had the time for a beat since this worker is in the list. */
    boolean counted() {
        return counted;
    }

    /**
     * A beat was answered. After a restart of Redis the others are back in the list with their next beat only, so the
     * count does not fall at once.
     *
     * @param shared whether Redis decides
     */
    synchronized void answered(Object answer, boolean shared) {
        Object n = answer instanceof List && !((List<?>) answer).isEmpty() ? ((List<?>) answer).get(0) : null;
        if (n instanceof Long && (Long) n > 0 && (Long) n <= MOST) {
            long now = System.nanoTime();
            countedAt = alive == 0 ? now : countedAt;
            counted |= shared && now - countedAt > RedisFleet.BEAT; // whoever else is there has had its beat since
            if ((Long) n >= alive || now - aliveAt > 2 * ALIVE) {
                alive = (int) (long) (Long) n;
                aliveAt = now;
            }
        }
    }

    /** Redis is back: the others are in the list with their next beat only. */
    synchronized void countAnew() {
        countedAt = System.nanoTime();
        counted = false;
    }
}
