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
    /** Kinds of rests, as they are written: a trip's, and an operator's. */
    private static final int TRIP = 1;
    private static final int HOLD = 2;
    /** In {@link #learned}: nothing was learnt. */
    public static final String NOTHING_LEARNED = "-";
    /** In {@link #learned}: it is an operator who says what the interval and the burst are. */
    public static final String SET = "set";

    /** Nothing has happened. */
    public static final Incident NONE = new Builder(0).build();

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

    private Incident(Builder b) {
        version = b.version;
        epoch = b.epoch;
        state = b.state;
        until = b.until;
        pause = b.pause;
        since = b.since;
        tripped = b.tripped;
        held = b.held;
        trips = b.trips;
        lastTrip = b.lastTrip;
        count = b.count;
        counted = b.counted;
        interval = b.interval;
        burst = b.burst;
        learned = b.learned;
        saved = b.saved;
    }

    /**
     * Writes the fields of a record, or reads them. Each method gets the value that a field has, and gives the value that it
     * shall have: the same while writing, the one that was read while reading. So what is written and what is read cannot
     * differ in order or name. Reading throws {@link IllegalArgumentException} at the first value that is none.
     */
    public interface Fields {
        /** A whole number; at the most {@code most} and at the least 0. */
        int number(String name, int value, int most);

        /** A whole number, any. */
        int any(String name, int value);

        /** A moment, by the monotonic clock. */
        long moment(String name, long nanos);

        /** Nanoseconds from the one to the other; 0 or more. */
        long length(String name, long nanos);

        /** Nanoseconds, with a fraction; 0 or more. */
        double interval(String name, double nanos);

        /** Text without a blank. */
        String text(String name, String value);
    }

    /** Makes a record. Not thread-safe. */
    public static final class Builder {
        private long version;
        private int epoch;
        private int state = OPEN;
        private long until;
        private long pause;
        private long since;
        private boolean tripped;
        private boolean held;
        private int trips;
        private long lastTrip;
        private int count;
        private long counted;
        private double interval;
        private int burst;
        private String learned = NOTHING_LEARNED;
        private long saved;

        /** Nothing has happened until now. */
        public Builder(long now) {
            until = now;
            since = now;
            lastTrip = now;
            counted = now;
            saved = now;
        }

        /** The same as this one. */
        public Builder(Incident i) {
            version(i.version).epoch(i.epoch).rest(i.state, i.until, i.pause, i.since).tripped(i.tripped).held(i.held);
            trips(i.trips, i.lastTrip).count(i.count, i.counted).learned(i.interval, i.burst, i.learned).saved(i.saved);
        }

        /** See {@link Incident#version}. */
        public Builder version(long v) {
            version = v;
            return this;
        }

        /** See {@link Incident#epoch}. */
        public Builder epoch(int e) {
            epoch = e;
            return this;
        }

        /** A rest, or {@link #OPEN}; its end, its length in nanoseconds, and when it began. */
        public Builder rest(int how, long end, long length, long begin) {
            state = how;
            until = end;
            pause = length;
            since = begin;
            return this;
        }

        /** See {@link Incident#tripped}. */
        public Builder tripped(boolean is) {
            tripped = is;
            return this;
        }

        /** See {@link Incident#held}. */
        Builder held(boolean is) {
            held = is;
            return this;
        }

        /** So many trips, the last one then. */
        public Builder trips(int n, long last) {
            trips = n;
            lastTrip = last;
            return this;
        }

        /** So many blocks in a row, the last one then. */
        public Builder count(int n, long last) {
            count = n;
            counted = last;
            return this;
        }

        /** What was learnt: nanoseconds from a token to the next, the bucket's size, and as text. */
        public Builder learned(double nanos, int tokens, String text) {
            interval = nanos;
            burst = tokens;
            learned = text;
            return this;
        }

        /** When it was so. */
        Builder saved(long time) {
            saved = time;
            return this;
        }

        /** No rest is longer than its pause: one that was read cannot end later than that, from now on. */
        public Builder endsInTime(long now) {
            until = now + Math.min(until - now, pause);
            return this;
        }

        /** All fields but the version, in the order in which workers exchange them. */
        public Builder fields(Fields f) {
            epoch = f.any("epoch", epoch);
            state = f.number("state", state, LIFETIME_BLOCKED);
            until = f.moment("until", until);
            pause = f.length("pause", pause);
            since = f.moment("since", since);
            history(f);
            interval = f.interval("interval", interval);
            burst = f.number("burst", burst, Integer.MAX_VALUE);
            saved = f.moment("saved", saved);
            learned = f.text("learned", learned);
            return this;
        }

        /** The fields that workers exchange and a state file has as well. */
        void history(Fields f) {
            int kind = f.number("kind", tripped ? TRIP : held ? HOLD : 0, HOLD);
            tripped = kind == TRIP;
            held = kind == HOLD;
            trips = f.number("trips", trips, Integer.MAX_VALUE);
            lastTrip = f.moment("last trip", lastTrip);
            count = f.number("count", count, Integer.MAX_VALUE);
            counted = f.moment("counted", counted);
        }

        public Incident build() {
            return new Incident(this);
        }
    }

    /** Whether it was made from that version or later ones, and not begun anew, by somebody who knew none. */
    public boolean follows(long known) {
        return known == 0 || known / NUMBERS == version / NUMBERS;
    }

    /** Whether it says the same as the other one. */
    public boolean says(Incident other) {
        return state == other.state && epoch == other.epoch && tripped == other.tripped && held == other.held
                && trips == other.trips && count == other.count
                && (state == OPEN || state == LIFETIME_BLOCKED || Math.abs(until - other.until) < MOMENT)
                && Math.abs(interval - other.interval) <= interval / 1e6 && burst == other.burst
                && learned.equals(SET) == other.learned.equals(SET);
    }

    /** Whether it is as good as none. */
    public boolean saysNothing() {
        return state == OPEN && trips == 0 && count == 0 && learned.equals(NOTHING_LEARNED);
    }

    /**
     * Of two records that were made without knowing of each other, what holds: the longer rest, the later trip, the higher
     * count and rung, the lower rate. Any order of merging gives the same: workers that hear of each other's records in
     * another order agree.
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
        return new Builder(now).version(Math.max(mine.version, theirs.version)).epoch(Math.max(mine.epoch, theirs.epoch))
                .rest(rests.state, rests.until, rests.pause, rests.since).tripped(tripped).held(held)
                .trips(Math.max(mineTrips, theirTrips), latest(mineTrips, mine.lastTrip, theirTrips, theirs.lastTrip))
                .count(Math.max(mineCount, theirCount), latest(mineCount, mine.counted, theirCount, theirs.counted))
                .learned(taught.interval, taught.burst, taught.learned).saved(taught.saved).build();
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
        long[] differences = {knows, Double.compare(a.interval, b.interval), (long) b.burst - a.burst, a.saved - b.saved,
            a.learned.compareTo(b.learned)};
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
