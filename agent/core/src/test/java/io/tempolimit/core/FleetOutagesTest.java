package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
    private static final Limit FEW = new Limit(20, 8);

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
        Bound.check(s.departures, ALL, 1);
    }

    /**
     * What was reserved before the outage was void, and Redis gave no turn before its end: up to 3.9 s without a request. With
     * max-wait, most were rejected.
     */
    @ParameterizedTest
    @CsvSource({"0, 1500", "0, 3000", "60, 1500", "60, 8000"})
    void whenRedisIsBackWorkersGoOnAtOnceByWhatTheyHadReserved(long maxWait, long outage) {
        FleetScene s = waiting(300, maxWait);
        outage(s, outage * MILLI, () -> { });
        long back = s.clock.nanos();
        s.pass(10 * SECOND);
        s.departures.add(s.clock.nanos());
        long last = back;
        for (long t : s.departures) {
            assertTrue(t - back <= 0 || t - last <= SECOND / 2,
                    "nothing goes for " + (t - last) / MILLI + " ms, " + (last - back) / MILLI + " ms later");
            last = t - back > 0 ? t : back;
        }
        s.departures.remove(s.clock.nanos());
        s.pass(60 * SECOND);
        Bound.check(s.departures, FEW, 1);
        assertEquals(0, s.workers.stream().mapToInt(w -> w.rejected).sum(), "all go in time");
        assertEquals(3 * 300, s.departures.size());
    }

    /** What was kept through the outage is of no worth where Redis has not. */
    @ParameterizedTest
    @CsvSource({"0, 1500", "600, 1500"})
    void whatWasReservedIsNotUsedWhereRedisHasForgottenIt(long maxWait, long outage) {
        FleetScene s = waiting(300, maxWait);
        outage(s, outage * MILLI, s.redis::forget);
        s.pass(60 * SECOND);
        Bound.check(s.departures, FEW, 1);
        assertEquals(3 * 300, s.departures.size());
    }

    /** Three workers with so many waiting requests each, as they are after ten seconds. */
    private static FleetScene waiting(int each, long maxWait) {
        FleetScene s = new FleetScene(1, 3, MILLI, FleetScene.settings(), b -> {
            b.rate(FEW.rate()).burst(FEW.burst());
            return maxWait > 0 ? b.maxWait(maxWait * SECOND) : b;
        });
        for (int i = 0; i < each; i++) {
            s.workers.forEach(FleetScene.Worker::arrive);
        }
        s.pass(10 * SECOND);
        return s;
    }

    private static void outage(FleetScene s, long length, Runnable meanwhile) {
        s.workers.forEach(w -> w.link.breaks());
        s.pass(length);
        meanwhile.run();
        s.workers.forEach(w -> w.link.cut = false);
        s.pass(SECOND / 5);
        assertTrue(s.workers.stream().allMatch(w -> w.link.shared()), "all are back");
    }
}
