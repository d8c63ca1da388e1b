package io.tempolimit.core.learn;

/**
 * Blocks that do not come from speed. A site that blocks a share of the requests, whatever their rate, shows it by blocks that
 * stand alone: the next request, seconds later, passes. Three of these, where pages have not outweighed them, ask for an
 * experiment: {@link Learning} lowers the rate for the next 50 requests, or up to 400 where blocks are so rare that 50 would
 * tell nothing. If that neither halves their share nor meets, at any moment, eight times as many, the share is known, and for 10,000
 * requests only more blocks than it explains count.
 *
 * <p>Tried and lost: a verdict without the experiment (three times the blocks where a limit wavers), an experiment that waits for 50
 * requests first (where every fifth request is blocked, the rate is at a hundredth by then), and a longer one (no gain on false blocks,
 * seven points where they are one in a hundred). One that ends with its sixth block (seven blocks per 100 pages and not three, where a
 * bucket has false ones), or after five minutes (six points on buckets with false blocks). One at the rate that passed between two
 * blocks, which is higher (18 blocks per 100 pages and not nine, where a higher rate makes them likelier). No pause at all where the
 * share is known (no gain in the mean). One whose first 25 requests do not count (there 0.7 blocks and not nine, but 25 points fewer; a
 * point less on false blocks).
 *
 * <p>Pure and not thread-safe, as {@link Learning} is.
 */
final class Noise {
    /** So many blocks that stood alone ask for the experiment, */
    private static final int SUSPICIOUS = 3;
    /** each outweighed by so many pages. */
    private static final int LEAK = 400;
    /** Length of the experiment: until so many blocks would have come at the old share, between these bounds. */
    private static final int EXPECTED = 4;
    private static final int REQUESTS = 50;
    private static final int MOST_REQUESTS = 400;
    /** What 400 requests of a slow host would take is hours, in which its rate cannot rise: no longer than this, but 50 requests. */
    private static final float MOST_SECONDS = 600;
    private static final float MOST_SHARE = 0.9f;
    /** So many times what its share explains so far is another share than the one that it was begun for. */
    private static final float MORE = 8;
    /** The lower rate that it tries. */
    private static final float TEST_RATE = 0.8f;
    /** Where more than this share is blocked, a lower one costs little, and tells from chance a suspicion, which fades slowly. */
    private static final float OFTEN = 0.12f;
    private static final float OFTEN_TEST_RATE = 0.5f;
    /** By then the rate may be so low that the experiment takes hours: this share of the rate before it is low enough to tell. */
    private static final float LOWEST_TEST = 0.02f;
    /** Pages after which it is tried again whether it is still so. */
    private static final int TRUST = 10_000;
    /** So many blocks more than twice the known share explains do come from speed, */
    private static final int EXCESS = 8;
    /** and so does a row of them less likely than this. */
    private static final float UNLIKELY = 0.0002f;

    /** Blocks less those that pages have outweighed; in the experiment all of its blocks. */
    private float suspicion;
    /** Requests since it began to rise. */
    private int asked;
    /** Soft blocks since the last page; if that follows, they were no ban. */
    private int softs;
    /** Share of the requests that is blocked at any rate. */
    private float share;
    /** Pages for which that holds. */
    private int trust;
    /** In the experiment: blocks that did not stand alone. */
    private int slow;

    /** Whether there is a share that is blocked at any rate. */
    boolean known() {
        return trust > 0;
    }

    /** Whether some blocks have stood alone of late. */
    boolean suspected() {
        return suspicion > 1;
    }

    /** A block below the threshold, of a type that does not act at once: part of the share, if a page follows. */
    void soft() {
        softs++;
    }

    /** An incident begins: soft blocks before it were part of it. */
    void incident() {
        softs = 0;
    }

    /**
     * A page, outside the experiment: outweighs a part of a block.
     *
     * @return whether it is time to look whether the share is still what it was
     */
    boolean calm() {
        if (suspicion > 0) {
            asked++;
            suspicion = Math.max(0, suspicion - (trust > 0 ? 2 * share : 1f / LEAK));
        }
        boolean again = trust > 0 && --trust == 0;
        suspicion = again ? 0 : suspicion;
        slow = again ? 0 : slow;
        return again;
    }

    /** A page ends the soft blocks before it; whether there were enough of these for the experiment. */
    boolean softsOver(boolean counting, boolean climbing, int passed) {
        boolean enough = false;
        for (; softs > 0; softs--) {
            enough |= add(true, counting, climbing, passed);
        }
        return enough;
    }

    /**
     * Counts a block or an incident.
     *
     * @param alone    whether it stood alone
     * @param counting whether the experiment goes on, or the share is known: then it is counted only
     * @param climbing whether the rate was being raised: then blocks are to be expected
     * @param passed   requests since the last incident
     * @return whether there have been enough for the experiment
     */
    boolean add(boolean alone, boolean counting, boolean climbing, int passed) {
        if (counting) {
            suspicion++;
            slow += alone ? 0 : 1;
            return false;
        }
        if (climbing) {
            return false;
        }
        if (!alone) {
            suspicion = Math.max(0, suspicion - 1);
            return false;
        }
        if (suspicion == 0) {
            asked = passed;
        }
        suspicion++;
        asked++;
        return suspicion >= SUSPICIOUS;
    }

    /** Whether so many blocks in a row are no wonder, given the known share. */
    boolean likely(int blocks) {
        return Math.pow(share, blocks) >= UNLIKELY;
    }

    /** Whether one more block exceeds what the known share explains. */
    boolean exceeded() {
        return suspicion + 1 >= EXCESS;
    }

    /**
     * The experiment begins.
     *
     * @param base   the rate that is trusted
     * @param before the one that was trusted before these blocks
     * @return the rate that really passed, pauses included: who lets one pass after each pause, and no other, blocks the same share at
     *         any rate above that
     */
    float begin(float base, float before) {
        float passed = Math.max(1, asked - suspicion);
        float from = Math.max(passed / (passed / base + suspicion * Sulk.KNOCK), LOWEST_TEST * before);
        share = Math.min(MOST_SHARE, suspicion / asked + 1f / LEAK);
        suspicion = 0;
        slow = 0;
        return from;
    }

    /** The lower rate that the experiment tries, as a share of what really passed. */
    float testRate() {
        return share < OFTEN ? TEST_RATE : OFTEN_TEST_RATE;
    }

    /** Whether the experiment has run for long enough, after so many pages at this rate. */
    boolean over(int pages, float rate) {
        return pages + suspicion >= length(rate) || more(pages);
    }

    /** Whether the experiment met far more blocks than it was begun for: then the limit has fallen, and these come from speed. */
    private boolean more(int pages) {
        return suspicion > MORE * Math.max(1, share * (pages + suspicion));
    }

    private float length(float rate) {
        return Math.max(REQUESTS, Math.min(Math.min(MOST_REQUESTS, MOST_SECONDS * rate), EXPECTED / share));
    }

    /** Ends the experiment; whether the blocks come at any rate. If so, their share is known from now on. */
    boolean judge(int pages, float rate) {
        boolean any = suspicion >= Math.max(2, share * length(rate) / 2) && slow <= suspicion / 2 && !more(pages);
        if (any) {
            share = Math.min(MOST_SHARE, suspicion / (pages + suspicion));
            trust = TRUST;
            suspicion = 0;
        } else {
            speed();
        }
        return any;
    }

    /** The blocks do come from speed. */
    void speed() {
        share = 0;
        suspicion = 0;
    }

    /** More blocks came than the known share explains. */
    void forget() {
        suspicion = 0;
    }

    void each(Numbers n) {
        suspicion = n.number("suspicion", suspicion, 0, Learning.NEVER);
        asked = n.whole("asked", asked, Integer.MAX_VALUE);
        softs = n.whole("soft blocks", softs, Integer.MAX_VALUE);
        share = n.number("share", share, 0, MOST_SHARE);
        trust = n.whole("trust", trust, TRUST);
        slow = n.whole("slow blocks", slow, Integer.MAX_VALUE);
    }

    /** Whether its numbers fit together. */
    boolean fits(boolean testing) {
        return share > 0 == (trust > 0 || testing);
    }
}
