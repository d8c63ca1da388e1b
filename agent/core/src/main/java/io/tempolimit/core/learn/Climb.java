package io.tempolimit.core.learn;

/**
 * How a rate that held goes up again: when, in which steps, and to where it falls if the site blocks. A look above costs a sulk, so
 * the requests since the last incident have to pay for it: one look in {@link #SULKS} sulks, and where blocks cost nothing but
 * themselves, one in {@link #PAGES} requests. Sooner where the rate that failed is far above the one that is trusted, unless a look
 * costs half an hour; later each time a look finds the limit where it was. Where a look costs a sulk, a climb ends below the rate
 * that failed, and only the next one goes past it.
 *
 * <p>A step that held proves itself on a window, but not on a bucket, where it may have lived on tokens. So where looks keep finding
 * the limit where it was, the last step that held is believed, until the site blocks there. After two such faults it is a bucket.
 * If a window refutes the rate that a climb came to, the rate where that climb began has been proven, and is not given up for it.
 *
 * <p>Tried and lost: to end there where a look costs a block only (3 points on a bucket, 17 where its rate rises again); to fall
 * two steps where a far climb fails (10 points on windows with a ban that doubles), or to what the spans tell (22 on a bucket that
 * always says 60 s); to fall one step only on a bucket (two points where its rate rises again, but three blocks per 100 pages and
 * not 0.6 where it wavers); looks from 250 requests on, and three times as many at most (3 points where the rate rises again or wavers);
 * steps of 15 s (3 blocks per 100 pages more where it wavers, 2 points on a bucket). To believe the last step each time (3 points on a
 * bucket, 8 where its rate rises again), or until the first fault (5 on a counter by the second).
 *
 * <p>Pure and not thread-safe, as {@link Learning} is.
 */
final class Climb {
    /** Requests that pay for one block. Looks that find nothing new make the next dearer: some 0.3 blocks per 100 come of them. */
    private static final int PAGES = 125;
    /** Pages before any climb. */
    private static final int LEAST_PAGES = 40;
    /** Sulks of pages that pay for one sulk: looking costs about 3%. */
    private static final float SULKS = 30 * 1.2f;
    /** Where the failed rate is e times the trusted one, a tenth of that is enough, since so much can be gained. */
    private static final float GAP = 0.1f;
    /** Seconds of sulk from which on, and over which, a look that costs so much is never sooner. */
    private static final float DEAR = 900;
    private static final float DEARER = 1800;
    /** First step upwards; each step doubles it, up to 1. */
    private static final float STEP = 0.04f;
    /** Seconds and pages that a step lasts; a sulk at least, for a site that sulks for minutes counts over minutes. */
    private static final int STEP_SECONDS = 30;
    static final int STEP_PAGES = 20;
    /** A climb that fails above this many times base says that the limit is elsewhere; one below, that it is where it was. */
    private static final float FAR = 1.35f;
    private static final float BACKOFF = 1.5f;
    private static final float LONGEST_BACKOFF = 6;
    /** Where looks cost sulks, they cost 1.7% at the least: limits change by the hour, and a look each 60 sulks finds that. */
    private static final float SULKS_BACKOFF = 60 / 36f;
    /** A limit that was found where it was so often stays there: the step below it is believed. */
    private static final float SURE = 2;
    /** After so many of these that were too much the site has a bucket. */
    private static final int BUCKET = 2;
    /** A climb from above this share of the rate that failed goes past it. */
    private static final float NEAR = 0.9f;
    /** Share of a bucket's measured rate that is kept. */
    private static final float MEASURED = 0.98f;

    /** The rate that last failed. */
    private float failed = Learning.NEVER;
    /** How much more pages than usual a look has to be paid by. */
    private float backoff = 1;
    /** Number of the step being climbed, from 1. */
    private int step;
    /** Whether this step has begun anew, as the site blocked in it for another reason. */
    private boolean anew;
    /** The trusted rate before the last step that held was believed, while that is to be proven; else 0. */
    private float doubted;
    /** How often a step that held was too much later: it had lived on the tokens of a bucket. */
    private int lived;
    /** Where the last climb began, while a higher rate that it came to is to be proven, on a site that stays shut; else 0. */
    private float proven;

    /** Pages that pay for a look above this rate, where the site sulks for so long. */
    float price(float base, float sulk) {
        float sooner = Math.min(1, GAP / (float) Math.log(Math.max(1.02f, failed / base)));
        sooner = Math.max(sooner, Math.min(1, (sulk - DEAR) / DEARER));
        float pages = Math.max(backoff * PAGES, Math.min(backoff, SULKS_BACKOFF) * SULKS * sulk * base);
        return Math.max(LEAST_PAGES, sooner * pages);
    }

    /** Begins; gives the factor of the first step. */
    float begin() {
        step = 1;
        doubted = 0;
        proven = 0;
        anew = false;
        return factor(step);
    }

    /** Whether this step may begin anew: once. */
    boolean again() {
        boolean may = !anew;
        anew = true;
        return may;
    }

    /** Whether a step at this rate has lasted long enough. */
    boolean held(int pages, float rate, float sulk) {
        return pages >= Math.max(STEP_PAGES, rate * Math.max(STEP_SECONDS, sulk));
    }

    /**
     * Gives the next step's rate; the one that was held where the climb ends, as a step more would reach what failed, and a look costs
     * a sulk. The next look begins there. One that begins close to what failed goes past it, for the limit may have risen.
     */
    float next(float base, float held, float sulk) {
        step++;
        anew = false;
        float next = held * factor(step);
        boolean ends = sulk > 0 && base < NEAR * failed && held < failed && next > MEASURED * failed;
        proven = ends ? base : 0;
        return ends ? held : next;
    }

    private static float factor(int number) {
        return number > 5 ? 2 : 1 + STEP * (1 << number - 1);
    }

    /**
     * The trusted rate failed. After few pages, and all the more after a rest, a higher one may be tolerated once the site has calmed down.
     *
     * @param passed requests since the last incident
     * @param rested whether that was more than an empty bucket
     * @param quick  whether this incident was no more either
     * @return a rate that is known to hold, or 0
     */
    float lowered(float used, int passed, boolean rested, boolean quick) {
        boolean early = passed < (rested ? STEP_PAGES : failed < Learning.NEVER ? Learning.FEW : 0);
        failed = early ? Math.max(failed, used) : used;
        float held = quick ? doubted : proven;
        lived += doubted > 0 ? 1 : 0;
        backoff = 1;
        doubted = 0;
        proven = 0;
        return held;
    }

    /**
     * A step failed: gives the rate that is known to hold.
     *
     * @param used  the rate that failed, of those that went; {@code rate} the one of the step
     * @param base  where the climb began
     * @param cycle requests since the last incident over their time, which for a {@code quick} recovery is a bucket's own rate
     * @param sure  whether blocks come from the rate here, and a fault costs no more than one
     * @param floor share of {@code base} that is left at the least
     */
    float fell(float used, float rate, float base, float cycle, boolean quick, boolean sure, float floor) {
        failed = used;
        boolean far = used > FAR * base;
        later();
        backoff = far ? 1 : backoff;
        float last = step == 1 ? base : rate / factor(step);
        float r = far && !quick ? last : step >= 3 ? last / factor(step - 1) : base; // a bucket's last step may have lived on its tokens
        if (quick) {
            r = Math.max(Math.max(MEASURED * cycle, floor * base), far ? r : Math.min(base, 0.99f * cycle));
            if (!far && sure && lived < BUCKET && backoff > SURE && last > r) {
                doubted = r;
                r = last;
            }
        }
        proven = !quick && r > base ? base : 0;
        return r;
    }

    /** Whether the trusted rate is a step that held, and nothing more. */
    boolean doubts() {
        return doubted > 0;
    }

    /** A look would find nothing new. */
    void later() {
        backoff = Math.min(LONGEST_BACKOFF, backoff * BACKOFF);
    }

    /** What failed did not fail for its speed. */
    void forget() {
        failed = Learning.NEVER;
        backoff = 1;
        doubted = 0;
        proven = 0;
    }

    void each(Numbers n) {
        failed = n.number("failed", failed, 0, Learning.NEVER);
        backoff = n.number("backoff", backoff, 1, LONGEST_BACKOFF);
        step = n.whole("step", step, Integer.MAX_VALUE);
        anew = n.flag("step anew", anew);
        doubted = n.number("doubted", doubted, 0, Learning.NEVER);
        lived = n.whole("steps on tokens", lived, Integer.MAX_VALUE);
        proven = n.number("proven", proven, 0, Learning.NEVER);
    }

    /** Whether a step is being climbed. */
    boolean begun() {
        return step >= 1;
    }
}
