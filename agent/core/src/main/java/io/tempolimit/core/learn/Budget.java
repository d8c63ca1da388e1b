package io.tempolimit.core.learn;

/**
 * A site that gives so many pages, at any rate, and then none until it has not been asked for a while. The sign is the same count
 * of pages before a block at rates that differ. Then a rest of that length before the block comes gets the most pages, if it
 * gets more than the rate that a longer window would allow.
 *
 * <p>Pure and not thread-safe, as {@link Learning} is.
 */
final class Budget {
    /** How often the count has to be the same at another rate. Once is chance on a firewall that counts every ten seconds. */
    private static final int SURE = 2;
    /** A shorter stretch has the same length by chance. */
    private static final int LEAST = 20;
    /** How much two counts may differ. */
    private static final int DIFFERENCE = 2;
    private static final float PART = 0.04f;
    /** Another rate is one below this share of the last one. */
    private static final float OTHER = 0.8f;
    /** So many pages are left in the budget: some are counted that never arrived here. */
    private static final int LEFT = 4;
    /** A rest is so much longer than the silence that was enough. */
    private static final float REST = 1.03f;
    /** A block before this share of the budget says that there is none. */
    private static final float REFUTED = 0.6f;

    /** Pages between two rests; 0 while no budget is known. */
    private int pages;
    private boolean refuted;
    /** The last stretch, and the rate then. */
    private int lastPages;
    private float lastRate;
    /** How often the count was the same at another rate. */
    private int same;
    /** The highest rate at which it was the same, and the silence that ended that incident. */
    private float fastest;
    private float silence;
    /** Whether the rest is taken: the next page begins another stretch. */
    private boolean resting;

    boolean known() {
        return pages > 0;
    }

    /**
     * An incident that was slow to end is over.
     *
     * @param passed requests since the one before
     * @param rate   at which they went
     * @param shut   seconds of silence that ended it
     * @param base   the rate that would be tried next without a budget
     * @return the rate at which to go through a budget, or 0 if there is none that gets more pages
     */
    float look(int passed, float rate, float shut, float base) {
        if (passed < LEAST || Math.abs(passed - lastPages) > Math.max(DIFFERENCE, PART * passed)) {
            same = 0;
            fastest = 0;
        } else if (rate < OTHER * lastRate) {
            same++;
        }
        if (rate > fastest) {
            fastest = rate;
            silence = shut;
        }
        lastPages = passed;
        lastRate = rate;
        int budget = passed - LEFT;
        if (same < SURE || refuted || budget / (budget / fastest + REST * silence) <= base) {
            return 0;
        }
        pages = budget;
        return fastest;
    }

    /** Seconds that ended the incident at the rate that {@link #look} gave. */
    float silence() {
        return silence;
    }

    /**
     * A block came all the same.
     *
     * @return whether the budget is still believed, as a smaller one
     */
    boolean blocked(int passed) {
        if (!resting && passed < REFUTED * pages) {
            refuted = true;
            pages = 0;
        } else if (!resting) {
            pages = Math.max(1, Math.min(pages, passed - LEFT));
        }
        resting = false;
        return pages > 0;
    }

    /** The rest that is due after so many pages, in seconds; 0: none. */
    float due(int passed, float sulk) {
        if (pages == 0 || passed < pages || resting) {
            return 0;
        }
        resting = true;
        return REST * sulk;
    }

    /** A page came; whether it is the first after a rest. */
    boolean begins() {
        boolean first = resting;
        resting = false;
        return first;
    }

    void each(Numbers n) {
        pages = n.whole("budget", pages, Integer.MAX_VALUE);
        refuted = n.flag("no budget", refuted);
        lastPages = n.whole("last stretch", lastPages, Integer.MAX_VALUE);
        lastRate = n.number("last rate", lastRate, 0, Learning.NEVER);
        same = n.whole("same stretches", same, Integer.MAX_VALUE);
        fastest = n.number("fastest", fastest, 0, Learning.NEVER);
        silence = n.number("silence", silence, 0, Learning.NEVER);
        resting = n.flag("resting", resting);
    }
}
