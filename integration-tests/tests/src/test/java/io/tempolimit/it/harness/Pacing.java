package io.tempolimit.it.harness;

import java.util.List;

/**
 * The token bucket's promise, as a site sees it: in any span of T seconds at most {@code burst + rate × T} requests, and half
 * a one for the network; and, loaded, at least 97% of the rate.
 */
public record Pacing(double rate, int burst) {
    private static final double TOLERANCE = 0.5;
    private static final double SHARE = 0.97;

    /**
     * By how many requests the busiest span is over {@code burst + rate × T}; at most 0.5 is allowed. Negative if none
     * is.
     *
     * @param arrivals times in nanoseconds, ascending
     */
    public double excess(List<Long> arrivals) {
        // Over all i <= j: (j - i + 1) - burst - rate * (t[j] - t[i]), in one pass: the best i so far is the one with the least i - rate * t[i].
        double worst = Double.NEGATIVE_INFINITY;
        double least = Double.POSITIVE_INFINITY;
        for (int j = 0; j < arrivals.size(); j++) {
            double level = j - rate * (arrivals.get(j) - arrivals.get(0)) / 1e9;
            least = Math.min(least, level);
            worst = Math.max(worst, level - least + 1 - burst);
        }
        return worst;
    }

    /** Fails unless these arrivals, all offered at once, keep the bound and reach the rate. */
    public void check(List<Long> arrivals) {
        double excess = excess(arrivals);
        if (excess > TOLERANCE) {
            throw new AssertionError(String.format("%.2f requests over burst %d + rate %s × T, allowed are %s: %s", excess, burst, rate, TOLERANCE, milliseconds(arrivals)));
        }
        double share = (arrivals.size() - burst) / rate / ((arrivals.get(arrivals.size() - 1) - arrivals.get(0)) / 1e9);
        if (share < SHARE) {
            throw new AssertionError(String.format("only %.1f%% of rate %s: %s", share * 100, rate, milliseconds(arrivals)));
        }
    }

    /**
     * Fails if more have arrived by any moment than the bucket has let go since the first call was made: exact, however late an
     * arrival was, where the span between two arrivals is short if the first of them, a cold client's or on a busy machine, was late.
     */
    public void checkSince(long begun, List<Long> arrivals) {
        for (int i = 0; i < arrivals.size(); i++) {
            double due = Math.max(0, i + 1 - burst) / rate;
            if ((arrivals.get(i) - begun) / 1e9 < due) {
                throw new AssertionError((i + 1) + " requests before " + due + " s were over: " + milliseconds(arrivals)
                        + ", the first of them " + (arrivals.get(0) - begun) / 1_000_000 + " ms after its call");
            }
        }
    }

    /** Arrivals as milliseconds since the first. */
    public static String milliseconds(List<Long> arrivals) {
        return arrivals.stream().map(t -> String.valueOf((t - arrivals.get(0)) / 1_000_000)).toList() + " ms";
    }
}
