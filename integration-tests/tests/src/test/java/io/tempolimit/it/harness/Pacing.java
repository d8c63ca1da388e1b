package io.tempolimit.it.harness;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The token bucket's promise: in any span of T seconds at most {@code burst + rate × T} requests leave the gate,
 * exactly; loaded, at least 97% of the rate.
 * None reaches the site before it has left the gate, and most of them do within half a token's time.
 */
public record Pacing(double rate, int burst) {
    private static final double HALF_A_TOKEN = 0.5;
    /** The most that the way from the gate to the site may take on a machine that is disturbed, in nanoseconds. */
    private static final long DISTURBED_WAY = 1_000_000_000L;
    private static final double SHARE = 0.97;

    /**
     * By how many requests the busiest span is over {@code burst + rate × T}. Negative if none is.
     *
     * @param times in nanoseconds, ascending
     */
    public double excess(List<Long> times) {
        // Over all i <= j: (j - i + 1) - burst - rate * (t[j] - t[i]), in one pass: the best i so far is the one with
        // the least i - rate * t[i].
        double worst = Double.NEGATIVE_INFINITY;
        double least = Double.POSITIVE_INFINITY;
        for (int j = 0; j < times.size(); j++) {
            double level = j - rate * (times.get(j) - times.get(0)) / 1e9;
            least = Math.min(least, level);
            worst = Math.max(worst, level - least + 1 - burst);
        }
        return worst;
    }

    /**
     * Fails unless every span keeps the bound, to the nanosecond.
     *
     * @param departures when the gate let each request go, by its own clock, ascending: nothing can disturb that
     */
    public void checkDepartures(List<Long> departures) {
        long interval = (long) Math.ceil(1e9 / rate); // of one token: the gate rounds up, too
        long least = Long.MAX_VALUE;
        for (int j = 0; j < departures.size(); j++) {
            long level = j * interval - (departures.get(j) - departures.get(0));
            least = Math.min(least, level);
            long early = level - least + (1 - burst) * interval;
            if (early > 0) {
                throw new AssertionError(String.format("the gate let request %d go %d ns before the bound of burst %d + rate %s × T allows it: %s",
                        j + 1, early, burst, rate, milliseconds(departures)));
            }
        }
    }

    /**
     * Fails if a request reached the site that the gate had not let go by then, if most of them were held up behind the
     * gate, or if they left it more slowly than
     * its rate. Gate and site read the same clock, so this needs no tolerance for the way between them.
     *
     * @param departures when the gate let each go, ascending; they were all offered at once, by a warm client
     * @param arrivals   when each reached the site, ascending
     * @param hiccup     by how much a thread overslept at most meanwhile, in nanoseconds
     * @throws Unjudged if the machine stood still for so long that their rate says nothing
     */
    public void checkSeen(List<Long> departures, List<Long> arrivals, long hiccup) {
        checkSeen(departures, arrivals, hiccup, 0);
    }

    /**
     * The same where a client kept so many requests for so long after they had been let go that they waited anew: their
     * tokens are lost.
     */
    public void checkSeen(List<Long> departures, List<Long> arrivals, long hiccup, int kept) {
        checkNoneBefore(departures, arrivals);
        List<Long> ways = ways(departures, arrivals);
        String seen = "; threads were woken up to " + hiccup / 1_000_000 + " ms late; " + both(departures, arrivals);
        long usual = ways.get(ways.size() / 2);
        double half = HALF_A_TOKEN / rate * 1e9;
        if (usual > half + hiccup) {
            String held = "most requests took " + usual / 1_000_000 + " ms and more from the gate to the site" + seen;
            // threads that wait for a processor are late without being woken late
            if (hiccup > 2 * half && usual <= DISTURBED_WAY + hiccup) {
                throw new Unjudged(held);
            }
            throw new AssertionError(held);
        }
        long ideal = (long) ((departures.size() - burst) / rate * 1e9);
        long took = departures.get(departures.size() - 1) - departures.get(0);
        if (SHARE * (took - hiccup) > ideal) {
            String slow = String.format("only %.1f%% of rate %s%s", 100.0 * ideal / took, rate, seen);
            long disturbed = Math.max(hiccup, ways.get(ways.size() - 1));
            if (kept > 0) {
                throw new Unjudged(kept + " requests were kept by their client after they had been let go, and waited anew; " + slow);
            }
            if (disturbed > (burst - 1) / rate * 1e9) { // meanwhile the bucket was full, and what would have come in is lost
                throw new Unjudged(slow);
            }
            throw new AssertionError(slow);
        }
    }

    /**
     * Fails if a request reached the site that the gate had not let go by then: all that can be told of a client that
     * keeps requests by itself.
     */
    public static void checkNoneBefore(List<Long> departures, List<Long> arrivals) {
        long shortest = ways(departures, arrivals).get(0);
        if (shortest < 0) {
            throw new AssertionError("a request reached the site " + -shortest + " ns before the gate let it go; "
                    + both(departures, arrivals));
        }
    }

    /** How long each was on its way from the gate to the site, ascending, in nanoseconds, if none overtook another. */
    private static List<Long> ways(List<Long> departures, List<Long> arrivals) {
        return IntStream.range(0, Math.min(departures.size(), arrivals.size())).mapToObj(i -> arrivals.get(i) - departures.get(i)).sorted()
                .toList();
    }

    private static String both(List<Long> departures, List<Long> arrivals) {
        return "left at " + milliseconds(departures) + ", arrived at " + milliseconds(arrivals);
    }

    /**
     * Fails if more have arrived by any moment than the bucket has let go since the first call was made: exact, however late an
     * arrival was, where the span between two arrivals is short if the first of them, a cold client's or on a busy machine, was late.
     * It does not see a herd that comes late; {@link #checkSince(long, List, List)} does.
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

    /** The same, and fails unless the gate let each of them go, and kept the bound in every span. */
    public void checkSince(long begun, List<Long> arrivals, List<Long> departures) {
        checkSince(begun, arrivals);
        checkDepartures(departures);
        if (departures.size() < arrivals.size()) {
            throw new AssertionError(arrivals.size() + " requests arrived, and the gate let go " + departures.size());
        }
    }

    /**
     * How long a request was on its way from the gate to the site at least, in nanoseconds: the longest of them, if
     * none overtook another.
     */
    public static long longestWay(List<Long> departures, List<Long> arrivals) {
        List<Long> ways = ways(departures, arrivals);
        return ways.isEmpty() ? 0 : ways.get(ways.size() - 1);
    }

    /** Times as milliseconds since the first. */
    public static String milliseconds(List<Long> times) {
        return times.stream().map(t -> String.valueOf((t - times.get(0)) / 1_000_000)).toList() + " ms";
    }
}
