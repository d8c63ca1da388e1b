package io.tempolimit.core.policy;

/** What each further trip of a key brings: the rungs of a ladder, of which the last repeats. Immutable. */
public final class Escalation {
    /** The rung that is a cooldown: requests wait for its end. */
    public static final long COOLDOWN = 0;
    /** The rung that lasts until an operator resets the key. */
    public static final long LIFETIME = -1;
    /** A cooldown at each trip. */
    static final Escalation COOLDOWNS = new Escalation(COOLDOWN);

    private final long[] rungs;

    /** @param rungs {@link #COOLDOWN}, {@link #LIFETIME}, or nanoseconds for which requests are rejected; at least one */
    public Escalation(long... rungs) {
        if (rungs.length == 0) {
            throw new IllegalArgumentException("no rung");
        }
        this.rungs = rungs.clone();
    }

    /** What the trip of this number brings, from 1. */
    public long rung(int trip) {
        return rungs[Math.min(trip, rungs.length) - 1];
    }
}
