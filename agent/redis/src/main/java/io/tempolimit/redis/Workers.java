package io.tempolimit.redis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.util.List;

/** How many workers share the fleet, by the answers to this one's beats. Thread-safe. */
final class Workers {
    /** What a beat says of its worker. */
    static final String LIVES = "0";
    static final String ENDS = "1";
    static final String RETURNS = "2";
    /** A worker that was silent for so long is gone. */
    static final long ALIVE = 3 * Pulse.BEAT;
    /** More than any fleet has: an answer that says more is none. */
    private static final int MOST = 100_000;

    /** Nobody waits longer than that for the others to return. */
    private static final long LONGEST_WAIT = Pulse.BEAT;

    private volatile int alive;
    private long aliveAt;
    /** When this worker was counted first, in the list that it has been in since; 0: never. */
    private long countedAt;
    private volatile boolean counted;
    /** Since when this worker could share again; 0: it could not. */
    private long couldReturnAt;

    /** The most seen of late; 0 before the first answer. */
    int alive() {
        return alive;
    }

    /** Whether all others have had the time for a beat since this worker is in the list. */
    boolean counted() {
        return counted;
    }

    /**
     * A beat was answered. After Redis was away the others are back in the list with their next beat only, so the count
     * does not fall before they have had the time for one.
     *
     * @param shared whether Redis decides
     */
    synchronized void answered(Object answer, boolean shared, long now) {
        Object n = answer instanceof List && !((List<?>) answer).isEmpty() ? ((List<?>) answer).get(0) : null;
        if (n instanceof Long && (Long) n > 0 && (Long) n <= MOST) {
            countedAt = alive == 0 ? now : countedAt;
            counted |= shared && now - countedAt > Pulse.BEAT; // whoever else is there has had its beat since
            if ((Long) n >= alive || shared && counted && now - aliveAt > 2 * ALIVE) {
                alive = (int) (long) (Long) n;
                aliveAt = now;
            }
        }
    }

    /**
     * In how many nanoseconds all share again who were alone.
     *
     * @param answer  to a beat
     * @param returns whether that told that this worker could share again
     */
    synchronized long untilAllReturn(Object answer, boolean returns, long now) {
        couldReturnAt = !returns ? 0 : couldReturnAt == 0 ? now : couldReturnAt;
        Object millis = answer instanceof List && ((List<?>) answer).size() > 1 ? ((List<?>) answer).get(1) : null;
        return !returns || !(millis instanceof Long) ? 0 // the longest holds in all: a slow worker's moment moves on with each beat
                : Math.max(0, Math.min(MILLISECONDS.toNanos((Long) millis), couldReturnAt + LONGEST_WAIT - now));
    }

    /** Redis is back: the others are in the list with their next beat only. */
    synchronized void countAnew(long now) {
        countedAt = now;
        counted = false;
    }
}
