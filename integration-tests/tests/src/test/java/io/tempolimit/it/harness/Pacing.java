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

    /** Which part of the rate a loaded bucket, full at the first arrival, gave; 1 is all of it. */
    public double share(List<Long> arrivals) {
        double ideal = (arrivals.size() - burst) / rate;
        return ideal / ((arrivals.get(arrivals.size() - 1) - arrivals.get(0)) / 1e9);
    }

    /** Null if these arrivals keep the bound, else what is wrong. */
    public String tooMany(List<Long> arrivals) {
        double excess = excess(arrivals);
        return excess <= TOLERANCE ? null
                : String.format("%.2f requests over burst %d + rate %s × T, allowed are %s: %s", excess, burst, rate, TOLERANCE, milliseconds(arrivals));
    }

    /** Null if these arrivals, all offered at once, came as fast as they may, else what is wrong. */
    public String tooSlow(List<Long> arrivals) {
        double share = share(arrivals);
        return share >= SHARE ? null
                : String.format("only %.1f%% of rate %s: %s", share * 100, rate, milliseconds(arrivals));
    }

    /** Fails unless these arrivals, all offered at once, keep the bound and reach the rate. */
    public void check(List<Long> arrivals) {
        checkBound(arrivals);
        String slow = tooSlow(arrivals);
        if (slow != null) {
            throw new AssertionError(slow);
        }
    }

    /** Fails unless these arrivals keep the bound. */
    public void checkBound(List<Long> arrivals) {
        String many = tooMany(arrivals);
        if (many != null) {
            throw new AssertionError(many);
        }
    }

    /** Arrivals as milliseconds since the first. */
    public static String milliseconds(List<Long> arrivals) {
        return arrivals.stream().map(t -> String.valueOf((t - arrivals.get(0)) / 1_000_000)).toList() + " ms";
    }
}
