package io.tempolimit.core;

/**
 * How many requests in flight the site takes. Where more left together than ever passed together, and that one was refused, it was
 * one too many: fewer go together from then on, and the rate stays. After many pages one more is tried. A limit of the rate does
 * not show itself so: as many have passed together before.
 *
 * <p>Pure and not thread-safe, as {@link Learning} is.
 */
final class Flight {
    /** Pages after which one more is tried; twice as many after each time that it was one too many again. */
    private static final int PAGES = 3000;
    private static final int MOST_PAGES = 48_000;

    /** The most with which a request passed, itself included. */
    private int passed;
    /** The most that may go together; 0 while there is no limit. */
    private int most;
    private int pages;
    private int price = PAGES;

    /** The most requests in flight; {@link Integer#MAX_VALUE} for no limit. */
    int most() {
        return most == 0 ? Integer.MAX_VALUE : most;
    }

    /** A request passed that left as this one of so many in flight; 0: not known. */
    void good(int inFlight) {
        passed = Math.max(passed, inFlight);
        if (most > 0 && ++pages >= price) {
            most++;
            pages = 0;
        }
    }

    /** One was refused; whether it was one too many. */
    boolean refused(int inFlight) {
        if (inFlight < 2 || inFlight <= passed) {
            return false;
        }
        price = most > 0 ? Math.min(MOST_PAGES, 2 * price) : price;
        most = Math.min(most(), inFlight - 1);
        pages = 0;
        return true;
    }

    void each(Numbers n) {
        passed = n.whole("passed in flight", passed, Integer.MAX_VALUE);
        most = n.whole("most in flight", most, Integer.MAX_VALUE);
        pages = n.whole("pages so", pages, Integer.MAX_VALUE);
        price = n.whole("pages for one more", price, MOST_PAGES);
    }
}
