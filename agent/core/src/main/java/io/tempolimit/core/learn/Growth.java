package io.tempolimit.core.learn;

/** How {@code rate=auto} grows until the site blocks: by a quarter for each minute's pages, as far as so many really go. */
final class Growth {
    private static final float FACTOR = 1.25f;
    private static final int STEP = 60;
    /** It grows no further by itself: a site that shows no limit up to here may show it in ways that are not seen. */
    private static final float MOST = 100;
    /** The span of {@link Traffic#SPANS} that holds what really went, and the share of the rate that it has to be. */
    private static final int MINUTE = 1;
    private static final float REALLY = 0.7f;

    private Growth() {
    }

    /** Whether so many pages are a step. */
    static boolean due(int pages, float rate) {
        return pages >= STEP * rate;
    }

    /** The rate after a step; the same if it was only allowed, and not used. */
    static float next(float rate, Traffic traffic, long now) {
        return traffic.passedIn(MINUTE, now) < REALLY * STEP * rate ? rate : Math.max(rate, Math.min(MOST, FACTOR * rate));
    }
}
