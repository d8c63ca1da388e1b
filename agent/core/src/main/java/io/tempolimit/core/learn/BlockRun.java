package io.tempolimit.core.learn;

/**
 * The incident that goes on: from its first block to the page that ends it. What it says of the rate is looked up once, when it begins.
 *
 * <p>Pure and not thread-safe, as {@link Learning} is.
 */
final class BlockRun {
    /** A rate that failed is at least lowered to this share of it. */
    static final float LOWER = 0.96f;
    /** Where no span explains the ban. */
    private static final float BLIND_CUT = 0.7f;
    /** So many blocks in a row are a ban, if they last: an early look may meet one by chance. */
    private static final int BAN = 4;
    /** Below this share of the rate allowed, the requests that really went count: nobody exceeds a limit by what he might have sent. */
    private static final float REALLY = 0.7f;

    /** 0: none goes on. */
    private int blocks;
    private long first;
    private long last;
    /** At the first block: the rate in use, and the one that the site's spans tell. */
    private float used;
    private float explained;
    /** Whether it began with trouble, and not with a block. */
    private boolean troubled;
    /** Whether it ended a budget that is believed in still. */
    private boolean budgeted;

    /**
     * The first block.
     *
     * @param rate    requests per second that were allowed
     * @param steady  seconds for which requests have gone at this rate, which is known before the first incident only; else 0
     * @param traffic what has passed since the last incident
     */
    void begin(float rate, float steady, Traffic traffic, long now) {
        blocks = 1;
        first = now;
        last = now;
        look(rate, steady, traffic, now);
    }

    /** What the rate in use, and what has passed, say of the rate that the site tolerates. */
    void look(float rate, float steady, Traffic traffic, long now) {
        traffic.advance(now);
        traffic.peaks(now);
        float went = traffic.went(now);
        used = traffic.passed >= Climb.STEP_PAGES && went < REALLY * rate ? went : rate;
        float told = traffic.explains(LOWER * used, steady, now);
        explained = told > 0 ? Math.min(told, LOWER * used) : BLIND_CUT * used;
    }

    /** The probe was blocked as well; gives the seconds of silence before it. */
    float more(long now) {
        blocks++;
        float silence = silence(now);
        last = now;
        return silence;
    }

    void end() {
        blocks = 0;
        troubled = false;
    }

    boolean goesOn() {
        return blocks > 0;
    }

    int blocks() {
        return blocks;
    }

    /** Whether the site was shut at more than one look. */
    boolean isBan() {
        return blocks >= BAN;
    }

    /** Seconds since its last block. */
    float silence(long now) {
        return Numbers.seconds(now - last);
    }

    /** Whether it is as short as those of a bucket that was empty. Waiting for one's own turn says nothing of the site. */
    boolean quick(long now) {
        return Numbers.seconds(now - first) - blocks / used < Sulk.QUICK;
    }

    /** The rate that failed: of those that went, requests per second. */
    float used() {
        return used;
    }

    /** The rate that the site's spans tell. */
    float explained() {
        return explained;
    }

    void troubled() {
        troubled = true;
    }

    /** Whether it began with trouble, and not with a block. */
    boolean isTrouble() {
        return troubled;
    }

    void budgeted(boolean believed) {
        budgeted = believed;
    }

    /** Whether it ended a budget that is believed in still. */
    boolean isBudgeted() {
        return budgeted;
    }

    void each(Numbers n) {
        blocks = n.whole("blocks", blocks, Integer.MAX_VALUE);
        troubled = n.flag("troubled", troubled);
        budgeted = n.flag("budgeted", budgeted);
        used = n.number("used", used, 0, Learning.NEVER);
        explained = n.number("explained", explained, 0, Learning.NEVER);
    }

    /** When it began and went on; whether that is in order, after {@code since}, the end of the last incident. */
    boolean times(Numbers n, long since, long ago, long now) {
        first = n.age("first block", blocks > 0 ? first : now, ago, now);
        last = n.age("last block", blocks > 0 ? last : now, ago, now);
        return since - first <= 0 && first - last <= 0;
    }
}
