package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Four JVMs that learn together what a site tolerates, against models of sites: they get what one with four requests in flight gets. */
@Timeout(300)
@Tag("long")
class FleetLearningTest {
    private static final double HOURS = 4 * 3600;
    private static final int SEEDS = 3;
    private static final long LATENCY = 300 * MILLI;

    /** Workers, with so many requests in flight each, crawl a site. */
    static final class Crawl implements Seeds.Play {
        private final GuardedSite site;
        private final int seed;
        private final double seconds;
        private final FleetScene scene;
        private final long start;
        private final int inFlight;
        private int pages;
        private int blocks;

        Crawl(String site, int workers, int inFlight, int seed, double seconds) {
            this.site = GuardedSite.known().get(site).apply(new Random(seed * 7919L));
            this.seed = seed;
            this.seconds = seconds;
            this.inFlight = inFlight;
            boolean auto = site.startsWith("D");
            scene = new FleetScene(seed, workers, 2 * MILLI, FleetScene.settings(),
                    b -> auto ? b.learn(true).auto(Double.POSITIVE_INFINITY) : b.learn(true).rate(3));
            scene.leaves = this::sent;
            scene.history.add(site, workers + " workers");
            start = scene.clock.nanos();
        }

        private void sent(FleetScene.Worker worker, Permit permit) {
            boolean page = site.hit((scene.clock.nanos() - start) / 1e9);
            pages += page ? 1 : 0;
            blocks += page ? 0 : 1;
            TestHead head = site.answer(page);
            scene.redis.at(scene.clock.nanos() + LATENCY, () -> {
                worker.ends(permit, "" + head.status(), () -> permit.answered(head));
                worker.gone.remove(permit);
                scene.redis.at(scene.clock.nanos(), worker::arrive);
            });
        }

        @Override
        public void play() {
            for (FleetScene.Worker w : scene.workers) {
                for (int i = 0; i < inFlight; i++) {
                    w.arrive();
                }
            }
            scene.passTo(start + (long) (seconds * SECOND));
        }

        @Override
        public History history() {
            return scene.history;
        }
    }

    /** A crawl of one of the sites by a fleet, for a while: what {@link ReplayTest} plays. */
    static Crawl crawl(int seed) {
        List<String> sites = List.copyOf(GuardedSite.known().keySet());
        return new Crawl(sites.get(seed % sites.size()), seed % 4 + 1, 1, seed, HOURS / 32);
    }

    private static Figures figures(TestInfo test, String site, int workers, int inFlight) {
        Figures figures = new Figures();
        Seeds.play(test, SEEDS, seed -> new Crawl(site, workers, inFlight, seed, HOURS),
                c -> figures.add(c.seed, 100 * c.pages / c.site.best(HOURS), 100.0 * c.blocks / Math.max(1, c.pages)));
        return figures;
    }

    /** Those that went after a rest and before a worker's first one were not its business, and the rate seemed half of what it was. */
    @Test
    void whatOthersSendBeforeAWorkersFirstTurnAfterARestCounts() {
        assertEquals(learnt(1), learnt(4), 0.001);
    }

    /** What these workers learn of a site that blocks the first request and the sixth, the fifth after its rest; four are in flight. */
    private static double learnt(int workers) {
        FleetScene scene = FleetScene.scene(workers, b -> b.learn(true).rate(1).burst(1));
        int[] sent = {0};
        scene.leaves = (worker, permit) -> {
            int n = ++sent[0];
            permit.answered(n == 1 || n == 6 ? 429 : 200);
            worker.gone.remove(permit);
            scene.redis.at(scene.clock.nanos(), worker::arrive);
        };
        for (FleetScene.Worker w : scene.workers) {
            FleetScene.arrive(w, 4 / workers);
        }
        scene.pass(12 * SECOND); // to the probe that follows
        assertEquals(7, sent[0]);
        return scene.workers.get(0).key().stats().learnedRate;
    }

    @Test
    void aFleetLearnsAsOneWorkerDoes(TestInfo test) {
        List<String> faults = new ArrayList<>();
        StringBuilder table = new StringBuilder();
        table.append(String.format("%-40s %18s %18s%n", "% of pages, blocks per 100", "1 worker, 4 each", "4 workers, 1 each"));
        for (String site : GuardedSite.known().keySet()) {
            Figures one = figures(test, site, 1, 4);
            Figures four = figures(test, site, 4, 1);
            table.append(String.format("%-40s %s %s%n", site, one, four));
            if (four.goodput() < one.goodput() - 3 || four.blocks() > Math.max(0.6, one.blocks() + 0.2)) {
                faults.add(site + ": four workers" + four + ", one" + one + ", the worst of it: " + Seeds.command(test, four.worst()));
            }
        }
        System.out.print(table);
        assertEquals(List.of(), faults);
        Golden.check("FleetLearningTest", table);
    }
}
