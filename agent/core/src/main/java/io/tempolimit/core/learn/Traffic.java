package io.tempolimit.core.learn;

import java.util.Arrays;

/**
 * What has passed of one key's requests: how many since the last incident, and how many in each of the spans over
 * which sites count. All that has to be known of a site before it blocks for the first time; {@link Learning} makes something of
 * it. A key has one from its {@link Learning#FEW}th request on, so it is small: 104 bytes, and 40 more once a span has held more than 255.
 *
 * <p>Pure, and not thread-safe, as {@link Learning} is.
 */
public final class Traffic {
    /**
     * Seconds; the spans over which sites count. Tried and lost: 30 s (bans by the minute lose 5 to 37 points). To leave out spans below
     * a tenth of a ban that is known (windows with a ban lose 6 points). Tried and dropped, as it changed nothing: half an hour.
     */
    static final int[] SPANS = {10, 60, 120, 300, 600, 3600};
    /**
     * Share of a measured rate that is kept: a request more or less may fall into a span. Tried and lost: 0.98 is a point more where
     * requests come evenly, and nine less on a ban that doubles where they are a tenth early or late.
     */
    static final float SAFE = 0.97f;
    /** After so many times its length a span is full. */
    private static final float FULL = 1.15f;
    private static final long NANOS = 1_000_000_000L;
    /** So many are usual. */
    private static final int USUAL = 60;
    /** Answers before it is known what is usual, and the weight of each from then on. */
    private static final int FIRST = 30;
    private static final float WEIGHT = 0.02f;
    /** Slow is what takes more than a second, and so many times as long as usual. */
    private static final float SLOWER = 5;
    private static final int MILLI = 1_000_000;
    /** The spans are counted in fifths: their lengths in ticks of two seconds. */
    private static final int PARTS = 5;
    private static final long TICK = 2 * NANOS;
    private static final int[] PART = {1, 6, 12, 30, 60, 360};
    /** After so many ticks all positions in {@link #counts} come round again. */
    private static final int TICKS = 360 * (PARTS + 1);
    /** The most that can be spread over a span's parts. */
    private static final int MOST_HELD = PARTS * Character.MAX_VALUE;
    /** The number of the first of the busiest spans among the counts, and how many counts there are. */
    private static final int PEAKS = SPANS.length * (PARTS + 1);
    private static final int COUNTS = PEAKS + SPANS.length;
    /** Where it stands how many milliseconds the last answer took: an array has room there that a field does not have. */
    private static final int LAST = 0;
    /** Where it stands how many answers told what is usual, how many slow ones came in a row, and the mark below. */
    private static final int ROW = LAST + 2;
    private static final int FIRST_COUNT = ROW + 2;
    /** The most that a byte holds. */
    private static final int BYTE = 255;
    private static final int SLOW = FIRST + 1;
    /** Slow answers have just become usual. */
    private static final int TOOK_USUAL = SLOW * (USUAL + 1);

    /** Requests that passed since the last incident, and since when. */
    public int passed;
    long since;
    /** {@link #tick} zero; moves on by whole rounds of the counts. */
    private long origin;
    private char tick;
    /** Milliseconds that an answer takes as a rule. */
    private char usual;
    /**
     * Two numbers of two bytes; then requests passed in each part of each span, and the most that each span ever held: a byte each,
     * until one of these needs two. What passed in the tick that goes on is in the first span alone, and in the others once it is over:
     * a busy host counts in one place and not in six.
     */
    private byte[] numbers = new byte[FIRST_COUNT + COUNTS];

    public Traffic(long now) {
        origin = now;
        since = now;
    }

    /** An answer took so many nanoseconds; more than a minute counts as a minute. */
    public void took(long nanos) {
        int millis = (int) Math.max(0, Math.min(Character.MAX_VALUE, nanos / MILLI));
        put(LAST, millis);
        int answers = get(ROW) % SLOW;
        int slow = slow();
        if (answers < FIRST) {
            answers++;
            usual += Math.round((millis - usual) / (float) answers);
        } else if (millis <= Math.max(1000, SLOWER * usual)) {
            slow = 0;
            usual += Math.round(WEIGHT * (millis - usual));
        } else if (++slow >= USUAL) {
            usual = (char) millis;
        }
        put(ROW, slow < USUAL ? answers + slow * SLOW : answers + TOOK_USUAL);
    }

    /** Slow answers in a row; 0: the last one was as usual, or such are usual from now on. */
    public int slow() {
        return tookUsual() ? 0 : get(ROW) / SLOW;
    }

    /** Nanoseconds that the last answer took. */
    long took() {
        return get(LAST) * (long) MILLI;
    }

    /** Whether slow answers have just become usual. */
    boolean tookUsual() {
        return get(ROW) >= TOOK_USUAL;
    }

    /** A request passed that ends no incident. */
    public void good(long now) {
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
        return held(PEAKS + span);
    }

    /**
     * What each span holds and held at the most, to be saved or read back.
     *
     * @param ago   nanoseconds since it was saved
     * @param whole whether to take in what is read
     */
    void each(Numbers n, long ago, boolean whole, long now) {
        int[] held = new int[SPANS.length];
        int[] most = new int[SPANS.length];
        for (int i = 0; i < SPANS.length; i++) {
            held[i] = Math.round(n.number("held in " + SPANS[i] + " s", (int) Math.max(0, passedIn(i, now)), 0, MOST_HELD));
            most[i] = n.whole("most in " + SPANS[i] + " s", peak(i), Character.MAX_VALUE);
        }
        n.end();
        if (n.reads() && whole) {
            restore(held, most, ago, now);
        }
    }

    private void restore(int[] held, int[] most, long ago, long now) {
        origin = now - ago - (long) (TICKS - 1) * TICK;
        tick = TICKS - 1;
        for (int i = 0; i < SPANS.length; i++) {
            for (int part = 1; part <= PARTS; part++) { // spread evenly, nothing in the part that now begins to leave
                hold(part(i, tick + (part + 1) * PART[i]), (held[i] + part - 1) / PARTS);
            }
            add(i, -fresh(i));
            hold(part(i, tick + PART[i]), 0);
            hold(PEAKS + i, most[i]);
        }
    }

    /** One more passed. */
    void count(long now) {
        advance(now);
        add(0, 1);
    }

    private void add(int span, int n) {
        int at = part(span, tick);
        hold(at, Math.max(0, Math.min(Character.MAX_VALUE, held(at) + n)));
    }

    /** What this span does not hold yet of the tick that goes on. */
    private int fresh(int span) {
        return span == 0 ? 0 : held(part(0, tick));
    }

    /** Makes room for the parts that begin. */
    void advance(long now) {
        long ticks = (now - origin) / TICK;
        if (ticks <= tick) {
            return;
        }
        peaks(origin + (tick + 1) * TICK);
        for (int i = 0; i < SPANS.length; i++) {
            add(i, fresh(i));
        }
        for (int i = 0; i < SPANS.length; i++) {
            long turns = Math.min(PARTS + 1, ticks / PART[i] - tick / PART[i]);
            for (long n = ticks / PART[i]; turns > 0; turns--, n--) {
                hold(i * (PARTS + 1) + (int) (n % (PARTS + 1)), 0);
            }
        }
        long rounds = ticks / TICKS;
        origin += rounds * TICKS * TICK;
        tick = (char) (ticks - rounds * TICKS);
    }

    /** Notes how many each span holds, if it is the most. */
    void peaks(long now) {
        for (int i = 0; i < SPANS.length; i++) {
            hold(PEAKS + i, (int) Math.max(held(PEAKS + i), Math.min(Character.MAX_VALUE, passedIn(i, now))));
        }
    }

    // ---- the numbers

    private boolean wide() {
        return numbers.length > FIRST_COUNT + COUNTS;
    }

    /** The count of that number. */
    private int held(int count) {
        return wide() ? get(FIRST_COUNT + 2 * count) : numbers[FIRST_COUNT + count] & BYTE;
    }

    private void hold(int count, int n) {
        if (n > BYTE && !wide()) {
            byte[] narrow = numbers;
            numbers = Arrays.copyOf(narrow, FIRST_COUNT + 2 * COUNTS);
            for (int i = 0; i < COUNTS; i++) {
                put(FIRST_COUNT + 2 * i, narrow[FIRST_COUNT + i] & BYTE);
            }
        }
        if (wide()) {
            put(FIRST_COUNT + 2 * count, n);
        } else {
            numbers[FIRST_COUNT + count] = (byte) n;
        }
    }

    /** The number of two bytes that stands there. */
    private int get(int at) {
        return (numbers[at] & BYTE) << 8 | numbers[at + 1] & BYTE;
    }

    private void put(int at, int n) {
        numbers[at] = (byte) (n >> 8);
        numbers[at + 1] = (byte) n;
    }

    private static int part(int span, int tick) {
        return span * (PARTS + 1) + tick / PART[span] % (PARTS + 1);
    }

    /** How many passed in the last seconds of this span. */
    float passedIn(int span, long now) {
        int sum = fresh(span);
        for (int i = 0; i <= PARTS; i++) {
            sum += held(span * (PARTS + 1) + i);
        }
        float into = (float) (now - origin - tick / PART[span] * PART[span] * TICK) / (PART[span] * TICK);
        float n = sum - Math.max(0, Math.min(1, into)) * held(part(span, tick + PART[span]));
        return stretch(now) <= SPANS[span] ? Math.max(n, passed) : n; // what began in the oldest part is not spread over it
    }

    /** Requests a second since the last incident, or over a span that has enough of them, whichever is more. */
    float went(long now) {
        float went = passed / Math.max(SPANS[0], stretch(now));
        for (int i = 0; i < SPANS.length; i++) {
            float n = passedIn(i, now);
            went = n < Learning.FEW ? went : Math.max(went, n / SPANS[i]);
        }
        return went;
    }

    /**
     * Requests a second that the site tolerates, if it counts over the smallest span that never before held as many as now.
     *
     * @param below a rate that is no lower explains nothing, unless the span is longer than all that has passed
     * @param steady seconds for which requests have gone at one rate: a span that has been full of them would have blocked before
     * @return 0 if no span explains the block
     */
    float explains(float below, float steady, long now) {
        for (int i = 0; i < SPANS.length; i++) {
            float n = passedIn(i, now);
            float rate = SAFE * (n - 0.5f) / SPANS[i];
            if (steady <= FULL * SPANS[i] && n >= SAFE * peak(i) && (rate < below || SPANS[i] >= 0.9f * stretch(now))) {
                return Math.max(Float.MIN_VALUE, rate);
            }
        }
        return 0;
    }

    /** Seconds since the last incident, rounded as they are saved ({@link Numbers#age}), so that they read back as the same. */
    private float stretch(long now) {
        return (float) ((now - since) / 1e9);
    }
}
