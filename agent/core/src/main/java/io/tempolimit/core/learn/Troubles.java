package io.tempolimit.core.learn;

/**
 * Answers 5xx, connections that are refused or reset, and timeouts: trouble of the site's own, or a limit. nginx answers 503
 * above a limit unless it is told otherwise, and fail2ban refuses the connection. Trouble counts where it is more than
 * chance: 2% of the last 150 answers, or three in a row. If three came within 12 answers, or again within 150, and a pause of
 * seconds ended that, it comes from speed, and from then on each one counts at once.
 *
 * <p>Tried and lost: to ask for two such incidents (fail2ban bans by then: 5% of the pages and not 92), and one of any density
 * (a random failure in a hundred costs 3.3% of the pages and not 1.7).
 *
 * <p>Pure and not thread-safe, as {@link Learning} is.
 */
final class Troubles {
    private static final int ANSWERS = 150;
    private static final int MANY = 3;
    private static final int DENSE = 12;

    /** Those among the last {@link #ANSWERS} answers. */
    private float recent;
    private int row;
    /** Answers since the first of them. */
    private int since;
    private boolean dense;
    /** Answers since the last incident of them, and 0 before the first. */
    private int calm;
    private boolean fromSpeed;

    /** The site took a request. */
    void good() {
        row = 0;
        since++;
        calm += calm > 0 ? 1 : 0;
        recent -= recent / ANSWERS;
    }

    /** One more; whether that is more than chance. */
    boolean more() {
        since = recent < 0.5f ? 1 : since + 1;
        recent++;
        row++;
        dense = since <= DENSE;
        return fromSpeed || recent >= MANY || row >= MANY;
    }

    /** An incident of them is over. */
    void over(boolean quick) {
        fromSpeed |= quick && (dense || calm > 0 && calm < ANSWERS);
        calm = 1;
        recent = 0;
        row = 0;
    }

    /** Whether that incident came from speed, if a pause of seconds ended it. */
    boolean speaksOfSpeed() {
        return fromSpeed || dense;
    }

    /** A lower rate did not help. */
    void chance() {
        fromSpeed = false;
        recent = 0;
    }

    /** Whether pauses of seconds have ended it before. */
    boolean fromSpeed() {
        return fromSpeed;
    }

    /** How many in a row. */
    int row() {
        return row;
    }

    void each(Numbers n) {
        recent = n.number("recent trouble", recent, 0, ANSWERS + 1);
        row = n.whole("trouble in a row", row, Integer.MAX_VALUE);
        since = n.whole("answers since trouble", since, Integer.MAX_VALUE);
        calm = n.whole("answers since they ended", calm, Integer.MAX_VALUE);
        dense = n.flag("dense trouble", dense);
        fromSpeed = n.flag("trouble from speed", fromSpeed);
    }
}
