package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.WindowLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A fleet on machines with too little CPU, whose threads wake late: three workers at 20 a second, each with more requests than can go in
 * a minute. With a window, or without a burst, a slot that is used later than half an interval was lost, and nearly all of them were.
 */
@Timeout(120)
class FleetLateThreadsTest {
    private static final int RATE = 20;
    private static final long MINUTE = 60 * SECOND;
    private static final WindowLimit WINDOW = new WindowLimit(100, 10 * SECOND);
    private static final int SEEDS = 10;

    /** One history. */
    private static final class Run implements Seeds.Play {
        final FleetScene scene;
        final int burst;
        final boolean window;

        /** The first {@code late} workers' threads wake so late, by chance. */
        Run(int seed, int burst, boolean window, int late, DoubleToLongFunction lateness) {
            this.burst = burst;
            this.window = window;
            scene = new FleetScene(seed, 3, MILLI, FleetScene.settings(), b -> {
                b.rate(RATE).burst(burst);
                return window ? b.windows(WINDOW) : b;
            });
            Random chance = new Random(seed);
            for (FleetScene.Worker w : scene.workers.subList(0, late)) {
                w.lateness = () -> lateness.applyAsLong(chance.nextDouble());
            }
        }

        @Override
        public void play() {
            scene.workers.forEach(w -> FleetScene.arrive(w, 700));
            scene.pass(MINUTE);
            Bound.check(scene.departures, new Limit(RATE, burst), 0.5 + 2e6 * RATE / SECOND);
            if (window) {
                List<Long> t = new ArrayList<>(scene.departures);
                t.sort(Long::compare);
                for (int i = WINDOW.count; i < t.size(); i++) {
                    long span = t.get(i) - t.get(i - WINDOW.count);
                    assertTrue(span >= WINDOW.duration - SECOND / RATE / 2 - MILLI, WINDOW.count + 1 + " in " + span);
                }
            }
        }

        int went() {
            return scene.departures.size();
        }

        @Override
        public History history() {
            return scene.history;
        }
    }

    private static void atLeast(TestInfo test, int least, int burst, boolean window, int late, DoubleToLongFunction lateness) {
        Seeds.play(test, SEEDS, seed -> new Run(seed, burst, window, late, lateness),
                run -> assertTrue(run.went() >= least, run.went() + " went, and not " + least));
    }

    /** From 26 to 100 ms it was one of 1,200; with a window one of 600, or five with a burst of five. */
    @ParameterizedTest
    @CsvSource({"20,1200,560,540", "30,800,420,400", "40,680,420,400", "80,410,360,360", "120,370,340,330", "300,180,210,210"})
    void whereThreadsAreAlwaysLateTheFleetGoesOnMoreSlowly(int millis, int plain, int alone, int both, TestInfo test) {
        atLeast(test, plain, 1, false, 3, chance -> millis * MILLI);
        atLeast(test, alone, 1, true, 3, chance -> millis * MILLI);
        atLeast(test, both, 5, true, 3, chance -> millis * MILLI);
    }

    @ParameterizedTest
    @CsvSource({"40,760,490,490", "80,470,420,420", "120,390,300,300"})
    void whereThreadsAreLateByChanceTheFleetGoesOnMoreSlowly(int millis, int plain, int alone, int both, TestInfo test) {
        atLeast(test, plain, 1, false, 3, chance -> (long) (chance * millis * MILLI));
        atLeast(test, alone, 1, true, 3, chance -> (long) (chance * millis * MILLI));
        atLeast(test, both, 5, true, 3, chance -> (long) (chance * millis * MILLI));
    }

    /** As where a collector runs: it is better to lose those few. */
    @Test
    void whereFewAreLateNearlyAllGoInTime(TestInfo test) {
        atLeast(test, 960, 1, false, 3, chance -> chance < 0.1 ? 120 * MILLI : 0);
        atLeast(test, 490, 5, true, 3, chance -> chance < 0.1 ? 120 * MILLI : 0);
    }

    /** The others went without it: 789 of 1200. */
    @Test
    void oneLateWorkerHoldsUpTheOthersByNoMoreThanItsPart(TestInfo test) {
        Seeds.play(test, SEEDS, seed -> new Run(seed, 1, false, 1, chance -> 40 * MILLI), run -> {
            assertTrue(run.went() >= 1000, run.went() + " went");
            List<FleetScene.Worker> all = run.scene.workers;
            assertTrue(all.get(0).gone.size() >= 250, all.get(0).gone.size() + " of the late one");
        });
    }

    /** Threads that wake in time again pay no more; nor does anybody where a burst makes up for it. */
    @Test
    void whoIsInTimePaysNothing(TestInfo test) {
        atLeast(test, 1200, 1, false, 3, chance -> 20 * MILLI);
        atLeast(test, 1200, 5, false, 3, chance -> 120 * MILLI);
        Seeds.play(test, SEEDS, seed -> new Run(seed, 1, false, 3, chance -> 40 * MILLI), run -> {
            run.scene.workers.forEach(w -> w.lateness = () -> 0);
            run.scene.pass(20 * SECOND);
            int before = run.went();
            run.scene.pass(10 * SECOND);
            assertEquals(10 * RATE, run.went() - before, 2);
        });
    }
}
