package io.tempolimit.core.learn;

/**
 * How long a site stays shut after a block, and so how long the next pause is. Seconds.
 *
 * <p>Nothing is known of a site at first, so the first two pauses are short: a bucket has recovered by then, and a ban that each
 * request renews has lost seconds only. From the third on, pauses are a little longer than what people configure
 * ({@link #RUNGS}). A site that opened is asked a little earlier the next time, by bisection below half a minute, and at the next
 * lower rung above it.
 *
 * <p>Tried and lost: pauses that grow by a factor (1.8) met a ban of five minutes after eleven, and one of an hour never; a rung
 * of three minutes (three points on bans of five); no rung of 15 minutes (18 points on 200 an hour, for 4 on a silence of an hour), or
 * five rungs in all (16 on a challenge of an hour, 4 on bans of five minutes); forgetting the site's length at each early look;
 * an early look at each incident (two points on a suspicion that fades, with half as many blocks again).
 *
 * <p>Pure and not thread-safe, as {@link Learning} is.
 */
final class Sulk {
    /** Separates a bucket, which recovers at once, from a ban. */
    static final float KNOCK = 1.5f;
    /** The second pause is so much longer than the first: still seconds. */
    private static final float SECOND = 4;
    /** A pause below this is followed by one that is {@link #SECOND} times as long. */
    private static final float FIRST = 3;
    /** Bans of 30 s, 1, 2, 5, 10, 15, 30 min and 1 h, and a little more: both clocks run from another moment. */
    private static final float[] RUNGS = {31, 62, 124, 309, 618, 927, 1854, 3700};
    /** Longest pause that learning asks for: a site may have become friendly. */
    static final float LONGEST = RUNGS[RUNGS.length - 1];
    /** The next rung is at least so many times what was too short. */
    private static final float LONGER = 1.25f;
    /** From here on what a site does is looked for among the rungs. */
    private static final float SEARCHED = 32;
    /** How far from what was too short, and from what was enough, a rung has to be to be tried. */
    private static final float ABOVE = 1.15f;
    private static final float BELOW = 0.8f;
    /** What was too short counts a little less after each time that the site opened at the first look. */
    private static final float FADE = 0.93f;
    /** Who opens again within this had a bucket. */
    static final float QUICK = 12;
    /** A recovery as quick as this leaves nothing worth remembering. */
    private static final float NO_SULK = 4;

    private float length;
    /** The longest pause that was too short. */
    private float tooShort;
    /** The silence that ended the last incident. */
    private float last;
    /** Whether the look that is due is an early one, which says nothing of the site's length. */
    private boolean early;
    /** Whether a look of this incident came too early, but for an early one. */
    private boolean failed;
    /** Whether an early look found the site shut, and none has found it open since. */
    private boolean vain;

    /** How long the site stays shut; 0 while that is not known, or no time worth the name. */
    float length() {
        return length;
    }

    /**
     * An incident begins.
     *
     * @param knock the pause where the site may well be open already, or 0 to wait for as long as it stays shut
     * @return the first pause
     */
    float first(float knock) {
        early = knock > 0 && length > knock;
        failed = false;
        return knock > 0 ? knock : Math.max(KNOCK, length);
    }

    /** A look after so long a silence was blocked; gives the next pause. */
    float next(float silence) {
        if (!early || length < SEARCHED) {
            tooShort = silence;
            failed = true;
        }
        vain |= early && length >= SEARCHED;
        early = false;
        if (length > 2 * silence) {
            return length;
        }
        return silence < FIRST ? SECOND * silence : rungFrom(LONGER * silence);
    }

    /**
     * Whether an early look is worth its block: only that tells a block by chance from a ban, as both are over after the site's length.
     * It is while none was in vain since the last one that was not.
     */
    boolean mayBeOpen() {
        return length >= SEARCHED && !vain;
    }

    /** Whether a look after more than seconds has found it shut, so that a ban cannot be over within seconds. */
    boolean bans() {
        return length >= SEARCHED && tooShort >= QUICK;
    }

    /** It is open; {@code quick}: after seconds. Then the next early look is worth its block. */
    void looked(boolean quick) {
        vain &= !(early && quick);
    }

    /** Whether the last incident was more than an empty bucket. */
    boolean wasLong() {
        return last >= QUICK;
    }

    /** The pause that is longer than the last silence that was long enough. */
    float longer() {
        return rungFrom(LONGER * last);
    }

    private static float rungFrom(float least) {
        for (float rung : RUNGS) {
            if (rung >= least) {
                return rung;
            }
        }
        return LONGEST;
    }

    /**
     * The site opened after so long a silence.
     *
     * @param quick whether all of the incident was short; that does not prove that long ones are over
     */
    void opened(float silence, boolean quick) {
        last = silence;
        if (quick && length > QUICK) {
            return;
        }
        tooShort = Math.min(tooShort, silence);
        if (silence >= SEARCHED) {
            length = silence;
            if (!failed) {
                tooShort *= FADE;
                for (float rung : RUNGS) {
                    length = rung > ABOVE * tooShort && rung < BELOW * silence ? rung : length;
                }
            }
        } else if (silence < NO_SULK) {
            length = 0;
        } else if (silence > 1.3f * tooShort) {
            length = Math.max(silence / 2, (float) Math.sqrt(tooShort * silence));
        } else {
            length = silence;
        }
    }

    /** It stays shut for as long as this at the least. */
    void atLeast(float silence) {
        length = Math.max(length, silence);
    }

    void each(Numbers n) {
        length = n.number("length", length, 0, Learning.NEVER);
        tooShort = n.number("too short", tooShort, 0, Learning.NEVER);
        last = n.number("last silence", last, 0, Learning.NEVER);
        early = n.flag("early", early);
        failed = n.flag("failed", failed);
        vain = n.flag("in vain", vain);
    }
}
