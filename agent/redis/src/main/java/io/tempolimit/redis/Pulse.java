package io.tempolimit.redis;

/**
 * When this worker says that it lives, and looks whether Redis is there: now and then; more often while keys go by tokens that Redis has
 * given, for they make few calls that would tell; and soon after a call that failed. On the loop's thread.
 */
final class Pulse {
    /** A worker that is well says so each five seconds. */
    static final long BEAT = 5_000_000_000L;
    /** While keys make calls, Redis is heard of so often, in nanoseconds. */
    static final long USED = 250_000_000L;
    /** After a call that failed it is looked so soon whether others do. */
    static final long DOUBT = 200_000_000L;
    /** A key that has made no call for so long has nothing left that is due soon. */
    private static final long AHEAD = 5_000_000_000L;

    private final RedisFleet fleet;
    private final Loop loop;
    /** When a key's call was answered last, and when any call was. */
    private long usedAt;
    private long heardAt;
    private boolean used;
    private boolean doubts;

    Pulse(RedisFleet fleet, Loop loop) {
        this.fleet = fleet;
        this.loop = loop;
    }

    /** Soon again at first: workers are often started together, and each shall know of the others before it may have to take its share. */
    void begin() {
        beat(USED);
    }

    private void beat(long pause) {
        if (!fleet.closed()) {
            fleet.look();
            loop.schedule(() -> beat(Math.min(BEAT, 2 * pause)), pause);
        }
    }

    /** A call was answered. {@code ofKey}: it was a key's. */
    void heard(boolean ofKey) {
        heardAt = System.nanoTime();
        usedAt = ofKey ? heardAt : usedAt;
        if (ofKey && !used) {
            used = true;
            loop.schedule(this::lookWhileUsed, USED);
        }
    }

    private void lookWhileUsed() {
        long now = System.nanoTime();
        used = fleet.answering() && now - usedAt < AHEAD;
        if (used) {
            long due = heardAt + USED - now;
            if (due <= 0) {
                fleet.look();
            }
            loop.schedule(this::lookWhileUsed, due > 0 ? due : USED);
        }
    }

    /** A call has failed. */
    void doubt() {
        if (!doubts) {
            doubts = true;
            loop.schedule(() -> {
                doubts = false;
                fleet.look();
            }, DOUBT);
        }
    }
}
