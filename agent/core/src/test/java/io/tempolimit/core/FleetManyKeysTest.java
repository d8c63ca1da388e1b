package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of hosts in a fleet: each costs Redis what its requests cost, and nothing while nobody visits it. */
@Timeout(120)
class FleetManyKeysTest {
    private static final int HOSTS = Boolean.getBoolean("tests.matrix") ? 10_000 : 1_000;
    private static final int WORKERS = 6;
    private final FleetScene s = new FleetScene(1, WORKERS, MILLI, FleetScene.settings(),
            b -> b.rate(10).burst(20).cooldownDuration(60 * SECOND, 60 * SECOND));

    private static String host(int i) {
        return "www.shop" + i + ".example";
    }

    /** Each worker visits each host; gives how many calls that takes. */
    private int visit() {
        int before = s.redis.calls;
        for (int i = 0; i < HOSTS; i++) {
            for (FleetScene.Worker w : s.workers) {
                w.arrive(host(i));
            }
            s.settle();
        }
        s.pass(SECOND);
        return s.redis.calls - before;
    }

    private void assertQuiet(String when) {
        int before = s.redis.calls;
        s.pass(3_600 * SECOND);
        assertEquals(before, s.redis.calls, when);
    }

    private void lose() {
        s.workers.forEach(w -> w.link.cut = true);
        for (int i = 0; i < 5; i++) {
            s.workers.forEach(w -> w.arrive("other.example"));
            s.pass(SECOND);
        }
        s.workers.forEach(w -> assertTrue(!w.link.shared(), "it still asks"));
    }

    @Test
    void aHostThatNobodyVisitsCostsNoCalls() {
        assertEquals(WORKERS * HOSTS, visit(), "a call for each request");
        assertQuiet("nobody visits them");
        lose();
        s.workers.forEach(w -> w.link.cut = false);
        s.pass(10 * SECOND);
        s.workers.forEach(w -> assertTrue(w.link.shared(), "it is back"));
        assertQuiet("Redis was away, and nobody visits them");
        assertEquals(WORKERS * HOSTS, visit(), "a call for each request");
    }

    @Test
    void aHostThatRestsCostsACallForEachBlockAndNoneUntilItIsVisited() {
        FleetScene.Worker blocked = s.workers.get(0);
        int before = s.redis.calls;
        for (int i = 0; i < HOSTS; i++) {
            for (int block = 0; block < 3; block++) {
                blocked.arrive(host(i));
                s.settle();
                blocked.gone.get(blocked.gone.size() - 1).answered(429);
                s.settle();
            }
        }
        int calls = s.redis.calls - before;
        assertTrue(calls <= 6 * HOSTS, calls + " calls for three requests and three blocks of each host");
        assertEquals("cooling_down", blocked.limiter.key(host(HOSTS - 1)).stats().state);
        assertQuiet("they rest, and then nobody visits them");
    }
}
