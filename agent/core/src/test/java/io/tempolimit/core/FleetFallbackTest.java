package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static io.tempolimit.core.FleetScene.arrive;
import static io.tempolimit.core.FleetScene.scene;
import static io.tempolimit.core.FleetScene.sent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several JVMs whose store does not answer: each takes its part, and what happens meanwhile is told afterwards. */
@Timeout(120)
class FleetFallbackTest {
    @Test
    void whenNobodyAnswersEachTakesItsPart() {
        FleetScene s = scene(4, b -> b.rate(40).burst(8));
        for (FleetScene.Worker w : s.workers) {
            arrive(w, 100);
        }
        s.pass(SECOND);
        s.workers.forEach(w -> w.link.cut = true);
        List<Permit> more = new ArrayList<>();
        for (FleetScene.Worker w : s.workers) {
            more.addAll(arrive(w, 20));
        }
        s.pass(5 * SECOND);
        for (FleetScene.Worker w : s.workers) {
            assertEquals(Arrays.asList("lost"), Arrays.asList(w.heard.stream().filter(h -> !h.equals("delayed")).toArray()));
        }
        s.workers.forEach(w -> w.link.cut = false);
        s.pass(30 * SECOND);
        Bound.check(s.departures, new Limit(40, 8), 8);
        assertEquals(480, s.departures.size());
        for (FleetScene.Worker w : s.workers) {
            assertTrue(w.heard.contains("restored"));
            assertEquals(0, w.rejected);
        }
    }

    @Test
    void aSingleCallThatFailsMakesNobodyWaitForLong() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5));
        sent(s, s.workers.get(0));
        s.workers.get(0).link.cut = true;
        Permit p = s.workers.get(0).arrive();
        s.pass(51 * MILLI);
        assertTrue(p.waiting());
        assertTrue(p.wakeAt() - s.clock.nanos() <= 200 * MILLI, "its turn by half of the rate, from an empty bucket");
        s.workers.get(0).link.cut = false;
        s.pass(SECOND);
        assertTrue(p.granted());
        sent(s, s.workers.get(0));
    }

    /** Those who wanted a slot got turns of this worker's part beside its slots: for 2.5 s; with a longest wait, all did. */
    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void aCallThatFailsNowAndThenAddsNothingToTheSlotsThatAreThere(long maxWait) {
        Limit limit = new Limit(20, 5);
        FleetScene s = scene(2, b -> {
            b.rate(limit.rate()).burst(limit.burst());
            return maxWait > 0 ? b.maxWait(maxWait * SECOND) : b;
        });
        s.workers.forEach(w -> arrive(w, 300));
        s.pass(SECOND);
        for (int i = 0; i < 20; i++) {
            s.workers.forEach(w -> w.link.cut = true);
            s.workers.forEach(FleetScene.Worker::arrive);
            s.pass(100 * MILLI);
            s.workers.forEach(w -> w.link.cut = false);
            s.pass(500 * MILLI);
        }
        s.pass(60 * SECOND);
        for (FleetScene.Worker w : s.workers) {
            assertTrue(!w.heard.contains("lost"), "it is never given up");
            assertEquals(0, w.rejected);
        }
        Bound.check(s.departures, limit, 1);
        assertEquals(640, s.departures.size());
    }

    /** Its turn by this worker's part alone would have come too late for it, while the fleet had room. */
    @ParameterizedTest
    @CsvSource({"1, false, SHARE", "60, true, SHARE", "60, false, REJECT"})
    void nobodyIsRejectedForOneCallThatFails(long maxWait, boolean reject, FleetSettings.Fallback fallback) {
        FleetScene s = new FleetScene(1, 3, MILLI, FleetScene.settings().fallback(fallback),
                b -> b.rate(0.5).burst(5).maxWait(maxWait * SECOND).reject(reject));
        FleetScene.Worker w = s.workers.get(0);
        sent(s, w);
        w.link.cut = true;
        Permit p = w.arrive();
        s.pass(51 * MILLI);
        w.link.cut = false;
        s.pass(SECOND / 2);
        assertTrue(p.granted(), "the next call gives it a slot");
    }

    /** Where calls fail for one key alone, whoever would be turned away is told soon. */
    @ParameterizedTest
    @CsvSource({"30, false, SHARE", "60, true, SHARE", "60, false, REJECT"})
    void whereAllCallsOfOneKeyFailItIsPacedByThisWorkersPart(long maxWait, boolean reject, FleetSettings.Fallback fallback) {
        FleetScene s = new FleetScene(1, 3, MILLI, FleetScene.settings().fallback(fallback),
                b -> b.rate(0.5).burst(5).maxWait(maxWait * SECOND).reject(reject));
        FleetScene.Worker w = s.workers.get(0);
        sent(s, w);
        s.redis.later();
        arrive(w, 20);
        s.pass(SECOND / 2);
        assertTrue(w.link.shared(), "other keys do well");
        assertEquals(reject || fallback == FleetSettings.Fallback.REJECT ? 20 : 16, w.rejected);
        s.pass(60 * SECOND);
        assertEquals(reject || fallback == FleetSettings.Fallback.REJECT ? 1 : 5, s.departures.size());
    }

    @Test
    void whereNothingShallGoAloneAllIsRejected() {
        FleetScene s = new FleetScene(1, 1, MILLI, FleetScene.settings().fallback(FleetSettings.Fallback.REJECT), b -> b.rate(10).burst(1));
        FleetScene.Worker w = s.workers.get(0);
        arrive(w, 5);
        s.settle();
        w.link.cut = true;
        arrive(w, 5);
        s.pass(SECOND);
        assertNull(w.arrive(), "at once");
        assertTrue(w.rejected >= 5);
        w.link.cut = false;
        s.pass(SECOND);
        Permit p = w.arrive();
        s.pass(SECOND);
        assertTrue(p.granted());
    }

    @Test
    void aBlockDuringAnOutageIsToldAfterIt() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5).cooldownThreshold(1));
        Permit one = sent(s, s.workers.get(0));
        sent(s, s.workers.get(1));
        s.workers.forEach(w -> w.link.cut = true);
        for (FleetScene.Worker w : s.workers) {
            arrive(w, 3);
        }
        s.pass(SECOND);
        one.answered(429);
        s.pass(SECOND);
        assertEquals("cooling_down", s.workers.get(0).state());
        assertEquals("open", s.workers.get(1).state());
        s.workers.forEach(w -> w.link.cut = false);
        s.pass(SECOND);
        assertEquals("cooling_down", s.workers.get(0).state());
        assertEquals("cooling_down", s.workers.get(1).state());
    }

    @Test
    void whenNobodyAnswersAndTheSettingsSaySoEachTakesAll() {
        FleetScene s = new FleetScene(1, 3, MILLI, FleetScene.settings().fallback(FleetSettings.Fallback.LOCAL), b -> b.rate(10).burst(5));
        for (FleetScene.Worker w : s.workers) {
            arrive(w, 200);
        }
        s.pass(SECOND);
        s.workers.forEach(w -> w.link.cut = true);
        s.pass(5 * SECOND);
        int before = s.departures.size();
        s.pass(5 * SECOND);
        assertEquals(150, s.departures.size() - before, 3);
    }
}
