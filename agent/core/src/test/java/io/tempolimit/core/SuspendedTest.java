package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.WindowLimit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A machine that is suspended, or a process that is stopped, while requests wait. On some machines the JVM's clock goes on meanwhile, so
 * that all who wait are late; on others it stands still, so that what Redis has given is of an earlier time than it seems.
 */
@Timeout(120)
class SuspendedTest {
    private static final Limit ALL = new Limit(20, 8);
    private static final long HOUR = 3_600 * SECOND;

    private static List<Long> ends(Scene s) {
        return s.awake.stream().map(w -> w.end).toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {60 * SECOND, 8 * HOUR, 48 * HOUR})
    void ofAllThatWereDueMeanwhileTheBurstGoesAtOnce(long suspended) throws Exception {
        Scene s = new Scene(b -> b.rate(ALL.rate()).burst(ALL.burst()).windows(new WindowLimit(150, 24 * HOUR))
                .retryAfterMax(72 * HOUR));
        s.arrive(200);
        s.pass(SECOND);
        int before = s.awake.size();
        s.clock.turn(suspended);
        s.pass(0);
        assertEquals(ALL.burst(), s.awake.size() - before);
        s.pass(20 * SECOND);
        boolean over = suspended > 24 * HOUR;
        assertEquals(over ? 170 : 142, s.awake.size(), "what the window has counted stays in it for a day");
        Bound.check(ends(s), ALL, 0);
        s.pass(24 * HOUR);
        assertEquals(192, s.awake.size());
    }

    @Test
    void aCooldownThatIsOverMeanwhileIsFollowedByAProbeAndNotByAllWhoWait() throws Exception {
        Scene s = new Scene(b -> b.rate(ALL.rate()).burst(ALL.burst()).cooldownDuration(30 * SECOND, 30 * SECOND));
        s.arrive(1);
        s.trip(3);
        List<Permit> waiting = s.arrive(50);
        s.pass(SECOND);
        s.clock.turn(8 * HOUR);
        s.pass(SECOND);
        assertEquals(1, s.awake.size(), "the probe");
        Permit probe = s.awake.get(0).permit;
        assertTrue(probe.granted() && waiting.contains(probe));
        probe.answered(200);
        s.pass(10 * SECOND);
        assertEquals(50, s.awake.size());
        Bound.check(ends(s), ALL, 0);
    }

    /** They were used beside those of the worker that had gone on: 40 a second, for eight seconds. */
    @ParameterizedTest
    @ValueSource(longs = {0, 600 * SECOND})
    void turnsOfAWorkerWhoseClockStoodStillWereUsedBesideThoseOfTheOthers(long maxWait) {
        FleetScene s = new FleetScene(1, 2, MILLI, FleetScene.settings(), b -> {
            b.rate(ALL.rate()).burst(ALL.burst());
            return maxWait > 0 ? b.maxWait(maxWait) : b;
        });
        FleetScene.arrive(s.workers.get(0), 200);
        FleetScene.arrive(s.workers.get(1), 2_000);
        s.pass(2 * SECOND);
        s.workers.get(0).suspend(30 * SECOND);
        s.pass(300 * SECOND);
        assertEquals(2_200, s.departures.size(), "nobody is forgotten");
        Bound.check(s.departures, ALL, 2); // one or two go before it is noticed
    }
}
