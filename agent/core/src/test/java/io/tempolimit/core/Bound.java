package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.fail;

import io.tempolimit.core.policy.Limit;
import java.util.Arrays;
import java.util.Collection;

/** The contract's bound: in any span of T seconds at most {@code burst + rate × T} departures. */
public final class Bound {
    private Bound() {
    }

    static void check(Collection<Long> departures, Limit limit, double slack) {
        check(departures.stream().mapToLong(Long::longValue).toArray(), limit, slack);
    }

    /**
     * Looks at every span from one departure to another: {@code j - i + 1 <= burst + rate * (t[j] - t[i])}, for all i up to
     * j at once by the least {@code i - rate * t[i]} so far.
     */
    static void check(long[] departures, Limit limit, double slack) {
        worst(departures, limit, slack);
    }

    /** By how much the busiest span is over it; below 0 if it is below in all. */
    public static double excess(Collection<Long> departures, Limit limit) {
        return worst(departures.stream().mapToLong(Long::longValue).toArray(), limit, Double.MAX_VALUE);
    }

    private static double worst(long[] departures, Limit limit, double slack) {
        long[] t = departures.clone();
        Arrays.sort(t);
        double most = -limit.burst();
        double rate = limit.rate() / 1e9;
        double least = Double.MAX_VALUE;
        int from = 0;
        for (int j = 0; j < t.length; j++) {
            double at = rate * (t[j] - t[0]);
            if (j - at < least) {
                least = j - at;
                from = j;
            }
            double excess = j + 1 - limit.burst() - at - least;
            most = Math.max(most, excess);
            if (excess > slack + 1e-6) {
                fail((j - from + 1) + " departures in " + (t[j] - t[from]) + " ns, " + excess + " too many for "
                        + limit.rate() + "/s and a burst of " + limit.burst());
            }
        }
        return most;
    }
}
