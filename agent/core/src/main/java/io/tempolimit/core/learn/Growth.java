package io.tempolimit.core.learn;

/**
 * How {@code rate=auto} grows until the site blocks: by a quarter for each minute's pages. Tried and lost: to grow only as far as
 * requests really go (where each other one gets a 403, the rate stayed where it was, and so did the 403s).
 */
final class Growth {
    private static final float FACTOR = 1.25f;
    private static final int STEP = 60;
    /** Without a ceiling it grows no further: a site that shows no limit up to here may show it in ways that are not seen. */
    private static final float MOST = 100;

    private Growth() {
    }

    /** Whether so many pages are a step. */
    static boolean due(int pages, float rate) {
        return pages >= STEP * rate;
    }

    /** The rate after a step; {@link Learning#NEVER} for no ceiling. */
    static float next(float rate, float ceiling) {
        return Math.max(rate, Math.min(ceiling < Learning.NEVER ? ceiling : MOST, FACTOR * rate));
    }
}
