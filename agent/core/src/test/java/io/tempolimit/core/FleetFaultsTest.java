package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Limit;
import java.util.Random;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * By how much a fleet is over its bound when something happens to Redis, whose requests are always more than may go: in each worker so
 * many wait at any time. It happens after a second or two, at any moment of what is under way, and is over up to 2.5 seconds later.
 */
@Timeout(120)
class FleetFaultsTest {
    private static final Limit ALL = new Limit(100, 20);
    private static final int SEEDS = 10;
    private static final long STEP = 5 * MILLI;

    private enum Fault {
        /** Connections break, which workers are told. */
        BREAKS,
        /** Packets are dropped. */
        SILENCE,
        FLUSH,
        /** It is restarted, and empty. */
        RESTART,
        /** A replica takes over that had not heard of the last calls. */
        REPLICA,
        /** Its clock is set forward, by 6 to 59 s: then its keys are there still. By less it counts as time that has passed. */
        FORWARD
    }

    /** One history. */
    private static final class Run implements Seeds.Play {
        private final Fault fault;
        private final int each;
        private final Limit limit;
        private final double most;
        private final Random random;
        private final FleetScene scene;
        /** For how long it was so. */
        private final long span;
        /** What a replica gives that was given before. */
        private long twice;

        Run(Fault fault, int workers, int each, Limit limit, int seed, double most) {
            this.fault = fault;
            this.each = each;
            this.limit = limit;
            this.most = most;
            random = new Random(seed);
            span = (long) ((0.5 + 2 * random.nextDouble()) * SECOND);
            scene = new FleetScene(seed, workers, MILLI, FleetScene.settings(), b -> b.rate(limit.rate()).burst(limit.burst()));
        }

        @Override
        public void play() {
            go((long) ((1 + random.nextDouble()) * SECOND));
            Runnable end = begin();
            go(span);
            end.run();
            scene.workers.forEach(w -> w.link.cut = false);
            go(4 * SECOND);
            double excess = Bound.excess(scene.departures, limit);
            assertTrue(excess <= most + twice, excess + " too many");
        }

        private Runnable begin() {
            scene.history.add(fault.toString());
            switch (fault) {
                case BREAKS:
                    scene.workers.forEach(w -> w.link.breaks());
                    break;
                case SILENCE:
                    scene.workers.forEach(w -> w.link.cut = true);
                    break;
                case FLUSH:
                    scene.redis.flush();
                    break;
                case RESTART:
                    return scene.redis::forget;
                case REPLICA:
                    long known = scene.redis.given("a.example");
                    Runnable replica = scene.redis.rollback();
                    return () -> {
                        twice = scene.redis.given("a.example") - known;
                        replica.run();
                    };
                default:
                    scene.redis.setForward((long) ((6 + random.nextDouble() * 53) * SECOND));
            }
            return () -> { };
        }

        private void go(long length) {
            for (long end = scene.clock.nanos() + length; scene.clock.nanos() - end < 0; scene.pass(STEP)) {
                for (FleetScene.Worker w : scene.workers) {
                    w.gone.clear();
                    while (w.asleep.size() < each) {
                        w.arrive();
                    }
                }
            }
        }

        @Override
        public History history() {
            return scene.history;
        }
    }

    private static void atMost(TestInfo test, Fault fault, int workers, int each, double most) {
        Seeds.play(test, SEEDS, seed -> new Run(fault, workers, each, ALL, seed, most), run -> { });
    }

    /** A clock that was set forward gave a whole burst: 20 to 80 too many. A tenth of a token goes while the news is under way. */
    @ParameterizedTest
    @CsvSource({"2, 2", "2, 40", "4, 40", "12, 40"})
    void whatRedisForgetsAndClocksThatAreSetGiveNothingMore(int workers, int each, TestInfo test) {
        atMost(test, Fault.FLUSH, workers, each, 0.5);
        atMost(test, Fault.RESTART, workers, each, 0.5);
        atMost(test, Fault.FORWARD, workers, each, 0.5);
    }

    /**
     * It gives again what it has not heard of, until somebody calls who was given some of that. Of twelve workers with many waiting
     * requests most call each second only, so it may be all of that. Of fewer, nothing.
     */
    @ParameterizedTest
    @CsvSource({"2, 2", "2, 40", "4, 40", "12, 40"})
    void aReplicaGivesNoMoreThanItHasNotHeardOf(int workers, int each, TestInfo test) {
        atMost(test, Fault.REPLICA, workers, each, 0.5);
    }

    /**
     * Who has noticed waits until all have: until then the others go by slots that they have. Where all took their parts at once it was 5.6
     * too many where connections break, which they notice within 0.4 s of each other, and 36 where nobody is told. At 1000 a second a
     * thread that wakes within a millisecond is one too many.
     */
    @ParameterizedTest
    @CsvSource({"2, 2, 100, 0.5", "2, 40, 100, 0.5", "4, 40, 100, 0.5", "12, 40, 100, 0.5", "12, 40, 2, 0.5", "4, 200, 1000, 2"})
    void whoeverNoticesThatRedisIsGoneWaitsUntilAllHaveNoticed(int workers, int each, double rate, double most, TestInfo test) {
        Limit limit = new Limit(rate, 20);
        Seeds.play(test, SEEDS, seed -> new Run(Fault.BREAKS, workers, each, limit, seed, most), run -> { });
        Seeds.play(test, SEEDS, seed -> new Run(Fault.SILENCE, workers, each, limit, seed, most), run -> { });
    }
}
