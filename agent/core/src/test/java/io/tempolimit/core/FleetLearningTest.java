package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Four JVMs that learn together what a site tolerates, against models of sites: they get what one with four requests in flight gets. */
@Timeout(300)
class FleetLearningTest {
    private static final double HOURS = 4 * 3600;
    private static final int SEEDS = Integer.getInteger("learning.seeds", 3);
    private static final long LATENCY = 300 * MILLI;

    /** Good pages as % of the clairvoyant's, and blocks per 100 pages. */
    private static double[] crawl(GuardedSite site, int workers, int inFlight, boolean auto, int seed) {
        FleetScene s = new FleetScene(seed, workers, 2 * MILLI, FleetScene.settings(), b -> auto ? b.learn(true).auto(Double.POSITIVE_INFINITY) : b.learn(true).rate(3));
        long start = s.clock.nanos();
        int[] pages = new int[1];
        int[] blocks = new int[1];
        s.leaves = (w, p) -> {
            boolean page = site.hit((s.clock.nanos() - start) / 1e9);
            pages[0] += page ? 1 : 0;
            blocks[0] += page ? 0 : 1;
            TestHead head = page ? new TestHead(200, "Content-Type", "image/png")
                    : site.retryAfter > 0 ? new TestHead(429, "Retry-After", Long.toString((long) Math.ceil(site.retryAfter))) : new TestHead(429);
            s.redis.at(s.clock.nanos() + LATENCY, () -> {
                p.answered(head);
                w.gone.remove(p);
                s.redis.at(s.clock.nanos(), w::arrive);
            });
        };
        for (FleetScene.Worker w : s.workers) {
            for (int i = 0; i < inFlight; i++) {
                w.arrive();
            }
        }
        s.passTo(start + (long) (HOURS * SECOND));
        return new double[] {100 * pages[0] / site.best(HOURS), 100.0 * blocks[0] / Math.max(1, pages[0])};
    }

    private static double[] mean(String site, int workers, int inFlight) {
        double[][] all = IntStream.range(0, SEEDS).parallel()
                .mapToObj(seed -> crawl(GuardedSite.known().get(site).apply(new Random(seed * 7919L)), workers, inFlight, site.startsWith("D"), seed)).toArray(double[][]::new);
        double[] mean = new double[2];
        for (double[] one : all) {
            mean[0] += one[0] / SEEDS;
            mean[1] += one[1] / SEEDS;
        }
        return mean;
    }

    @Test
    void aFleetLearnsAsOneWorkerDoes() {
        List<String> faults = new ArrayList<>();
        System.out.printf("%-40s %18s %18s%n", "% of pages, blocks per 100", "1 worker, 4 each", "4 workers, 1 each");
        for (String site : GuardedSite.known().keySet()) {
            double[] one = mean(site, 1, 4);
            double[] four = mean(site, 4, 1);
            System.out.printf("%-40s %9.1f %8.2f %9.1f %8.2f%n", site, one[0], one[1], four[0], four[1]);
            int luck = site.startsWith("F") ? 15 : 6; // F is worth 80 to 93
            if (four[0] < one[0] - luck || four[1] > Math.max(0.6, one[1]) + 0.2) {
                faults.add(site + ": " + four[0] + "% and " + four[1] + " blocks per 100 pages, one worker " + one[0] + "%");
            }
        }
        assertEquals(List.of(), faults);
    }
}
