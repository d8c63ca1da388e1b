package io.tempolimit.core.circuit;

import io.tempolimit.core.policy.Policy;

/**
 * What the fleet knows of one key beside its bucket: the state of its circuit, its count, its rungs, and what was learnt. Immutable.
 *
 * <p>Times are nanoseconds of this worker's monotonic clock. On the way to Redis and back they are differences to "now", so neither
 * workers' nor servers' clocks need to agree: a message that took long makes a deadline so much later, and never earlier.
 */
public final class Incident {
    /** Requests go by the bucket. */
    public static final int OPEN = 0;
    /** Requests wait for the pause's end. */
    public static final int COOLING_DOWN = 1;
    /** Requests are rejected until the pause's end. */
    public static final int CIRCUIT_OPEN = 2;
    /** Requests are rejected. */
    public static final int LIFETIME_BLOCKED = 3;

    /** A version is a time at which somebody began who knew none, in seconds, times this, and a number that counts up. */
    public static final long NUMBERS = 1 << 20;
    private static final long MOMENT = 1_000_000L;
    /** In {@link #learned}: nothing was learnt. */
    public static final String NOTHING_LEARNED = "-";
    /** In {@link #learned}: it is an operator who says what the interval and the burst are. */
    public static final String SET = "set";

    /** Nothing has happened. */
    public static final Incident NONE = new Incident();

    /** Grows with each record that is written; see {@link #NUMBERS}. */
    public final long version;
    /** Grows with each pause; answers to what was sent in an earlier one say nothing. */
    public final int epoch;
    public final int state;
    public final long until;
    public final long pause;
    public final long since;
    /** Whether the pause came from a trip. */
    public final boolean tripped;
    /** Whether an operator asked for it: then no probe goes after it. */
    public final boolean held;
    public final int trips;
    public final long lastTrip;
    /** Blocks in a row, and when the last one was. */
    public final int count;
    public final long counted;
    /** Nanoseconds from a token to the next, as far as that was learnt; else 0. */
    public final double interval;
    /** Size of the bucket, as far as that was learnt; else 0. */
    public final int burst;
    /** What was learnt, as text without a blank; {@code -} if nothing was. */
    public final String learned;
    /** When that was so. */
    public final long saved;

    private Incident() {
        this(0, 0, OPEN, 0, 0, 0, false, false, 0, 0, 0, 0, 0, 0, NOTHING_LEARNED, 0);
    }

    public Incident(long version, int epoch, int state, long until, long pause, long since, boolean tripped, boolean held, int trips, long lastTrip,
                    int count, long counted, double interval, int burst, String learned, long saved) {
        this.version = version;
        this.epoch = epoch;
        this.state = state;
        this.until = until;
        this.pause = pause;
        this.since = since;
        this.tripped = tripped;
        this.held = held;
        this.trips = trips;
        this.lastTrip = lastTrip;
        this.count = count;
        this.counted = counted;
        this.interval = interval;
        this.burst = burst;
        this.learned = learned;
        this.saved = saved;
    }

    /** Whether it was made from that version or later ones, and not begun anew, by somebody who knew none. */
    public boolean follows(long known) {
        return known == 0 || known / NUMBERS == version / NUMBERS;
    }

    /** Whether it says the same as the other one. */
    public boolean says(Incident other) {
        return state == other.state && epoch == other.epoch && tripped == other.tripped && held == other.held && trips == other.trips && count == other.count
                && (state == OPEN || state == LIFETIME_BLOCKED || Math.abs(until - other.until) < MOMENT)
                && Math.abs(interval - other.interval) <= interval / 1e6 && burst == other.burst && learned.equals(SET) == other.learned.equals(SET);
    }

    /** Whether it is as good as none. */
    public boolean saysNothing() {
        return state == OPEN && trips == 0 && count == 0 && learned.equals(NOTHING_LEARNED);
    }

    /**
     * Of two records that were made without knowing of each other, what holds: the longer rest, the later trip, the higher count and rung, the lower rate.
     * Any order of merging gives the same: workers that hear of each other's records in another order agree.
     *
     * @param policy says after how long blocks and trips are forgotten: a stale rung is not climbed from
     */
    public static Incident merge(Incident mine, Incident theirs, Policy policy, long now) {
        Incident rests = byRest(mine, theirs, now) >= 0 ? mine : theirs;
        boolean bothRest = mine.state != OPEN && theirs.state != OPEN;
        boolean tripped = bothRest || rests.state == OPEN ? mine.tripped || theirs.tripped : rests.tripped;
        boolean held = bothRest ? mine.held && theirs.held : rests.held; // where the site asked for a rest, a probe follows
        int mineTrips = mine.trips(policy, now);
        int theirTrips = theirs.trips(policy, now);
        int mineCount = mine.count(policy, now);
        int theirCount = theirs.count(policy, now);
        Incident taught = byLearned(mine, theirs) >= 0 ? mine : theirs;
        return new Incident(Math.max(mine.version, theirs.version), Math.max(mine.epoch, theirs.epoch), rests.state, rests.until, rests.pause, rests.since,
                tripped, held, Math.max(mineTrips, theirTrips), latest(mineTrips, mine.lastTrip, theirTrips, theirs.lastTrip),
                Math.max(mineCount, theirCount), latest(mineCount, mine.counted, theirCount, theirs.counted),
                taught.interval, taught.burst, taught.learned, taught.saved);
    }

    /** Trips that are still remembered. */
    private int trips(Policy policy, long now) {
        return now - lastTrip > policy.escalationMemory() ? 0 : trips;
    }

    /** Blocks in a row that are still remembered. */
    private int count(Policy policy, long now) {
        return now - counted > policy.cooldownMemory() ? 0 : count;
    }

    /** When the last one was; the time of none means nothing. */
    private static long latest(int n, long time, int others, long other) {
        return n > 0 == others > 0 ? later(time, other) : n > 0 ? time : other;
    }

    private static long later(long a, long b) {
        return a - b > 0 ? a : b;
    }

    /** Which of two rests more. Above 0: the first, below 0: the second, 0: they rest alike. */
    private static int byRest(Incident a, Incident b, long now) {
        long[] differences = {rank(a, now) - rank(b, now), a.until - b.until, a.state - b.state, a.pause - b.pause, a.since - b.since};
        return first(differences);
    }

    /** Which of two says more of the site: what was learnt at all, the lower rate, the smaller bucket, the newer one. */
    private static int byLearned(Incident a, Incident b) {
        int knows = Boolean.compare(!a.learned.equals(NOTHING_LEARNED), !b.learned.equals(NOTHING_LEARNED));
        long[] differences = {knows, Double.compare(a.interval, b.interval), (long) b.burst - a.burst, a.saved - b.saved, a.learned.compareTo(b.learned)};
        return first(differences);
    }

    private static int first(long[] differences) {
        for (long d : differences) {
            if (d != 0) {
                return Long.signum(d);
            }
        }
        return 0;
    }

    /** How much it rests; a pause that is over still wants a probe. */
    private static int rank(Incident i, long now) {
        return i.state == LIFETIME_BLOCKED ? 3 : i.state == OPEN ? 0 : i.until - now > 0 ? 2 : 1;
    }
}
