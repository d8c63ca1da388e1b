package io.tempolimit.core.learn;

/** To which rate a trusted one is lowered that has failed. */
final class Cut {
    /** Slowest rate learnt: a request in ten minutes. */
    static final float SLOWEST = 1 / 600f;
    /** A rate that is set may be slower than any that is learnt: a request in ten years is. */
    static final float SLOWEST_SET = 1e-9f;
    /** A quick recovery halves the rate at most, a slow one leaves a tenth: one odd incident cannot strangle a key. */
    private static final float QUICK_FLOOR = 0.5f;
    private static final float SLOW_FLOOR = 0.1f;
    /** Trouble that lasts is an outage more often than a limit. */
    private static final float OUTAGE_FLOOR = 0.7f;
    /** What a cut leaves at the least where a share is blocked at any rate, as there are others to come if it was too small. */
    private static final float NOISY_FLOOR = 0.9f;

    private Cut() {
    }

    /** The share that is left at the least after a quick recovery; {@code noisy}: where a share is blocked at any rate. */
    static float floor(boolean noisy) {
        return noisy ? NOISY_FLOOR : QUICK_FLOOR;
    }

    /**
     * Gives the lower rate.
     *
     * @param run   the incident
     * @param cycle requests since the last incident over their time
     * @param quick whether the site recovered within seconds: then that is its rate
     */
    static float after(BlockRun run, float cycle, boolean quick, boolean noisy) {
        float used = run.used();
        float r;
        if (quick) {
            r = Math.max(Traffic.SAFE * cycle, floor(noisy) * used);
        } else {
            float floor = run.isTrouble() ? OUTAGE_FLOOR : noisy ? QUICK_FLOOR : SLOW_FLOOR;
            r = Math.max(Math.max(cycle, floor * used), run.explained());
        }
        return Math.min(r, BlockRun.LOWER * used);
    }
}
