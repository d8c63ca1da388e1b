package io.tempolimit.core.learn;

/**
 * How many requests in flight the site takes. Where more left together than ever passed together, and that one was refused, it was
 * one too many: fewer go together from then on, and the rate stays. After many pages one more is tried, at the rate that fewer had.
 * That may then go up, or fall below what they had: then fewer it is. A limit of the rate does not show itself so: as many have
 * passed together before.
 *
 * <p>Pure and not thread-safe, as {@link Learning} is.
 */
public final class Flight {
    /** Pages after which one more is tried; twice as many after each time that it was one too many again. */
    private static final int PAGES = 250;
    private static final int MOST_PAGES = 64_000;
    /** So many pages before that, requests begin to go evenly: two that leave together are two at the site, whatever the rate. */
    private static final int EVENLY = 50;
    /** A rate that requests stay so far below is not what holds them up. */
    private static final float BINDING = 0.95f;

    /** The most with which a request passed, itself included. */
    private int passed;
    /** The most that may go together; 0 while there is no limit. */
    private int most;
    private int pages;
    private int price = PAGES;
    /** How many went together, and at what rate, before one more was tried. */
    private int fewer;
    private float had;
    /** With how many the request went whose answer is told next; 0: not known. */
    private int together;
    /** Whether the incident that goes on began with one too many. */
    private boolean crowded;
    private boolean changed;

    /** The answer that is told next is to a request that went as this one of so many in flight; 0: not known. */
    public void next(int inFlight) {
        together = inFlight;
    }

    /** Whether {@link #most} has changed since this was asked. */
    public boolean changed() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** The most requests in flight; {@link Integer#MAX_VALUE} for no limit. */
    public int most() {
        return most == 0 ? Integer.MAX_VALUE : most;
    }

    /** It passed. */
    void good() {
        passed = Math.max(passed, together);
        if (most > 0 && ++pages >= price) {
            most++;
            changed = true;
            pages = 0;
        }
    }

    /**
     * Whether requests shall go evenly from now on, as one more will soon be tried: a site that is free before its answer arrives
     * bears more that come evenly.
     *
     * @param allowed requests a second
     * @return the rate that so many together really had, if it was they who held it down; else 0
     */
    float evenly(Traffic traffic, float allowed, long now) {
        if (most == 0 || pages != price - EVENLY) {
            return 0;
        }
        float went = traffic.went(now);
        if (went >= BINDING * allowed) {
            return 0;
        }
        fewer = most;
        had = went;
        return went;
    }

    /**
     * The rate is lowered to this one. If fewer together had more, they go together again: requests that take unequal times meet at
     * the site however evenly they leave.
     *
     * @return a rate that lets them go as fast as they can; 0: they had no more
     */
    float hadMore(float rate) {
        if (rate >= had) {
            return 0;
        }
        limit(fewer);
        float more = had / BINDING;
        had = 0;
        return more;
    }

    /** It was refused, which begins an incident. */
    void refused() {
        crowded = together >= 2 && together > passed;
        if (crowded) {
            limit(together - 1);
            had = 0;
        }
    }

    private void limit(int to) {
        price = most > 0 ? Math.min(MOST_PAGES, 2 * price) : price;
        most = Math.min(most(), to);
        changed = true;
        pages = 0;
    }

    /** Whether the incident that goes on began with one too many. */
    boolean crowded() {
        return crowded;
    }

    void each(Numbers n) {
        passed = n.whole("passed in flight", passed, Integer.MAX_VALUE);
        most = n.whole("most in flight", most, Integer.MAX_VALUE);
        changed |= most > 0 && n.reads();
        pages = n.whole("pages so", pages, Integer.MAX_VALUE);
        price = n.whole("pages for one more", price, MOST_PAGES);
        crowded = n.flag("crowded", crowded);
        fewer = n.whole("fewer in flight", fewer, Integer.MAX_VALUE);
        had = n.number("rate of fewer", had, 0, Learning.NEVER);
    }
}
