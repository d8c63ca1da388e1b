package io.tempolimit.core.learn;

/**
 * Answers that take far longer than usual: so some sites treat who asks too often. Three in a row lower the rate as a ban does, but
 * nothing pauses. Where they do not get faster by that, they are usual.
 *
 * <p>Tried and lost: to lower the rate again after twenty more of them (half of the pages of a site that is slow for a minute).
 *
 * <p>Pure and not thread-safe, as {@link Learning} is.
 */
final class Slow {
    /** So many in a row are no chance. */
    private static final int ROW = 3;

    /** What an answer means: nothing new, perhaps a beginning, the beginning, the end, or that it will not end. */
    enum Change { NONE, MAYBE, BEGINS, ENDS, USUAL }

    private boolean goesOn;
    private long since;
    /** Seconds that it went on the last time. */
    private float lasted;

    /** An answer came, after what {@link Traffic#took} was told; {@code testing}: the rate is lowered for another reason. */
    Change answered(Traffic traffic, boolean testing, long now) {
        int row = traffic.slow();
        if (!goesOn && row == 1) {
            since = now;
            return Change.MAYBE;
        }
        if (!goesOn && row == ROW && !testing) {
            goesOn = true;
            return Change.BEGINS;
        }
        if (!goesOn || row > 0) {
            return Change.NONE;
        }
        goesOn = false;
        lasted = traffic.tookUsual() ? 0 : Numbers.seconds(now - since);
        return traffic.tookUsual() ? Change.USUAL : Change.ENDS;
    }

    /** A block ends it. */
    void blocked() {
        goesOn = false;
    }

    boolean goesOn() {
        return goesOn;
    }

    /** What a look above costs in seconds: as long as it lasted, or as long as the site stays shut. */
    float cost(float sulk) {
        return Math.max(lasted, sulk);
    }

    void each(Numbers n, long ago, long now) {
        goesOn = n.flag("slow", goesOn);
        lasted = n.number("slow for", lasted, 0, Learning.NEVER);
        since = n.age("slow since", goesOn ? since : now, ago, now);
    }
}
