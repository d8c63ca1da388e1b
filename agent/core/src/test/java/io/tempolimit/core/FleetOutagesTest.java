package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Limit;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The store breaks its connections, and is there again, every one to three seconds, while more requests come than may go. */
@Timeout(120)
class FleetOutagesTest {
    private static final Limit ALL = new Limit(100, 20);

    /** A worker with tokens for seconds noticed an outage up to three seconds later than the others: 21, 69 and 43 tokens too many. */
    @ParameterizedTest
    @CsvSource({"2, 3", "12, 1", "12, 2"})
    void noWorkerGoesOnForLongByWhatItHasWhileOthersTakeTheirParts(int workers, int seed) {
        Random random = new Random(seed);
        FleetScene s = new FleetScene(seed, workers, MILLI, FleetScene.settings(), b -> b.rate(ALL.rate()).burst(ALL.burst()));
        long end = s.clock.nanos() + 50 * SECOND;
        long turn = s.clock.nanos() + 2 * SECOND;
        boolean cut = false;
        while (s.clock.nanos() < end) {
            for (FleetScene.Worker w : s.workers) {
                if (random.nextInt(workers * 10) < 14) {
                    w.arrive();
                }
                w.gone.forEach(p -> p.answered(200));
                w.gone.clear();
            }
            s.pass(10 * MILLI);
            if (s.clock.nanos() >= turn) {
                cut = !cut;
                turn = s.clock.nanos() + SECOND + random.nextInt(2000) * MILLI;
                for (FleetScene.Worker w : s.workers) {
                    if (cut) {
                        w.link.breaks();
                    } else {
                        w.link.cut = false;
                    }
                }
            }
        }
        assertTrue(s.departures.size() > 2000, "too few to mean anything: " + s.departures.size());
        Bound.check(s.departures, ALL, 4);
    }
}
