package io.tempolimit.core;

/**
 * What has passed of one key's requests: how many since the last incident, and how many in each of the spans over which sites count. All that has to be known
 * of a site before it blocks for the first time; {@link Learning} makes something of it. A key has one from its {@link Learning#FEW}th request on, so it is small: 130 bytes.
 *
 * <p>Pure, and not thread-safe, as {@link Learning} is.
 */
final class Traffic {
    /** Seconds; the spans over which sites count. More of them gained nothing on average and lost on those that count by the minute. */
    static final int[] SPANS = {10, 60, 300, 600, 3600};
    private static final long NANOS = 1_000_000_000L;
    /** The spans are counted in fifths: their lengths in ticks of two seconds. */
    private static final int PARTS = 5;
    private static final long TICK = 2 * NANOS;
    private static final int[] PART = {1, 6, 30, 60, 360};
    /** After so many ticks all positions in {@link #counts} come round again. */
    private static final int TICKS = 360 * (PARTS + 1);
    /** The most that {@link #restore} can spread over a span's parts. */
    static final int MOST_HELD = PARTS * Character.MAX_VALUE;
    /** Where the busiest spans stand in {@link #counts}. */
    private static final int PEAKS = SPANS.length * (PARTS + 1);

    /** Requests that passed since the last incident, and since when. */
    int passed;
    long since;
    /** {@link #tick} zero; moves on by whole rounds of the counts. */
    private long origin;
    private int tick;
    /** Requests passed in each part of each span, then the most that each span ever held. */
    private final char[] counts = new char[PEAKS + SPANS.length];

    Traffic(long now) {
        origin = now;
        since = now;
    }

    /** A request passed that ends no incident. */
    void good(long now) {
        if (passed == 0) {
            since = now;
        }
        passed++;
        count(now);
    }

    /** An incident is over: the request that ended it is the first. */
    void begin(long now) {
        since = now;
        passed = 1;
        count(now);
    }

    /** The most that this span ever held. */
    int peak(int span) {
        return counts[PEAKS + span];
    }

    /**
     * Takes in what each span held and held at the most.
     *
     * @param ago  nanoseconds since then
     * @param held up to {@link #MOST_HELD} each
     * @param most up to {@link Character#MAX_VALUE} each
     */
    void restore(int[] held, int[] most, long ago, long now) {
        origin = now - ago - (long) (TICKS - 1) * TICK;
        tick = TICKS - 1;
        for (int i = 0; i < SPANS.length; i++) {
            for (int part = 1; part <= PARTS; part++) { // spread evenly, nothing in the part that now begins to leave
                counts[part(i, tick + (part + 1) * PART[i])] = (char) ((held[i] + part - 1) / PARTS);
            }
            counts[part(i, tick + PART[i])] = 0;
            counts[PEAKS + i] = (char) most[i];
        }
    }

    /** One more passed. */
    void count(long now) {
        turn(now);
        for (int i = 0; i < SPANS.length; i++) {
            int at = part(i, tick);
            counts[at] = (char) Math.min(Character.MAX_VALUE, counts[at] + 1);
        }
    }

    /** Makes room for the parts that begin. */
    void turn(long now) {
        long ticks = (now - origin) / TICK;
        if (ticks <= tick) {
            return;
        }
        peaks(origin + (tick + 1) * TICK);
        for (int i = 0; i < SPANS.length; i++) {
            long turns = Math.min(PARTS + 1, ticks / PART[i] - tick / PART[i]);
            for (long n = ticks / PART[i]; turns > 0; turns--, n--) {
                counts[i * (PARTS + 1) + (int) (n % (PARTS + 1))] = 0;
            }
        }
        long rounds = ticks / TICKS;
        origin += rounds * TICKS * TICK;
        tick = (int) (ticks - rounds * TICKS);
    }

    /** Notes how many each span holds, if it is the most. */
    void peaks(long now) {
        for (int i = 0; i < SPANS.length; i++) {
            counts[PEAKS + i] = (char) Math.max(counts[PEAKS + i], Math.min(Character.MAX_VALUE, passedIn(i, now)));
        }
    }

    private static int part(int span, int tick) {
        return span * (PARTS + 1) + tick / PART[span] % (PARTS + 1);
    }

    /** How many passed in the last seconds of this span. */
    float passedIn(int span, long now) {
        int sum = 0;
        for (int i = 0; i <= PARTS; i++) {
            sum += counts[span * (PARTS + 1) + i];
        }
        float into = (float) (now - origin - tick / PART[span] * PART[span] * TICK) / (PART[span] * TICK);
        return sum - Math.min(1, into) * counts[part(span, tick + PART[span])];
    }
}
