package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** New settings for those who wait, and the dry run. */
class KeySettingsTest {
    private static final TestTarget HOST = new TestTarget("a.example");

    // ---- new settings

    @Test
    void aRateRaisedWhileAHundredSleep() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(5));
        List<Permit> all = scene.arrive(105).subList(5, 105);
        scene.pass(500 * MILLI);
        scene.policy(p -> p.rate(100).burst(5));
        long start = scene.clock.nanos();
        scene.pass(0);
        scene.pass(995 * MILLI); // half a token was in the bucket: the first goes after 5 ms
        assertEquals(0, scene.asleep.size());
        List<Long> ends = scene.ends(all, start);
        for (int i = 0; i < 100; i++) {
            assertEquals(5 + 10 * i, ends.get(i));
        }
    }

    @Test
    void aRateLoweredWhileAHundredSleep() throws Exception {
        Scene scene = new Scene(p -> p.rate(100).burst(5));
        List<Permit> all = scene.arrive(105).subList(5, 105);
        scene.pass(205 * MILLI); // 20 have gone, half a token is in
        assertEquals(80, scene.asleep.size());
        scene.policy(p -> p.rate(1).burst(5));
        long start = scene.clock.nanos();
        scene.pass(80 * SECOND);
        List<Long> ends = scene.ends(all.subList(20, 100), start);
        for (int i = 0; i < 80; i++) {
            assertEquals(500 + 1000 * i, ends.get(i));
        }
    }

    /** A debt of hours at the old rate must not hold up the new one. resilience4j#1073: new limits held only from the next cycle. */
    @Test
    void aRaisedRateHoldsForNewcomersAtOnce() throws Exception {
        Scene scene = new Scene(p -> p.rate(1 / 3600.0).burst(3));
        scene.arrive(3);
        scene.policy(p -> p.rate(10).burst(3));
        Permit next = scene.arrive();
        assertEquals(100 * MILLI, next.wakeAt() - scene.clock.nanos());
    }

    @Test
    void aLoweredRateDoesNotFillTheBucket() throws Exception {
        Scene scene = new Scene(p -> p.rate(100).burst(5));
        scene.arrive(5);
        scene.policy(p -> p.rate(0.1).burst(5));
        assertEquals(0.0, scene.stats().tokensAvailable, 1e-6);
        assertEquals(10 * SECOND, scene.arrive().wakeAt() - scene.clock.nanos());
    }

    @Test
    void anotherBurstKeepsTheTokens() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(10));
        scene.arrive(4);
        scene.policy(p -> p.rate(1).burst(3));
        assertEquals(3.0, scene.stats().tokensAvailable, 1e-6);
        scene.arrive(2);
        scene.policy(p -> p.rate(1).burst(100));
        assertEquals(1.0, scene.stats().tokensAvailable, 1e-6);
        scene.policy(p -> p.rate(1).burst(100));
        assertEquals(1.0, scene.stats().tokensAvailable, 1e-6, "the same settings once more change nothing");
    }

    @Test
    void whoWaitsGoesAtOnceWhenItsHostIsPacedNoMore() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        List<Permit> all = scene.arrive(11);
        scene.limiter.rules(TestRules.of(null));
        long start = scene.clock.nanos();
        scene.pass(0);
        assertEquals(Collections.nCopies(10, 0L), scene.ends(all.subList(1, 11), start));
        assertNull(scene.limiter.arrive(HOST));
        assertNull(scene.key());
        all.forEach(p -> p.answered(429));
        scene.policy(p -> p.rate(1).burst(1));
        scene.assertIdle();
        assertEquals("open", scene.stats().state);
        assertEquals(SECOND, scene.arrive().wakeAt() - scene.clock.nanos(), "those who went meanwhile are nobody's debt");
    }

    @Test
    void whoWaitsGoesAtOnceWhenPacingStops() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        List<Permit> all = scene.arrive(11);
        scene.limiter.setEnabled(false);
        long start = scene.clock.nanos();
        scene.pass(0);
        assertEquals(Collections.nCopies(10, 0L), scene.ends(all.subList(1, 11), start));
        assertNull(scene.limiter.arrive(HOST));
        scene.limiter.setEnabled(true);
        assertTrue(scene.arrive().waiting());
    }

    @Test
    void whoWaitsGoesAtOnceWhenTheDryRunStarts() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        List<Permit> all = scene.arrive(11);
        scene.limiter.setDryRun(true);
        long start = scene.clock.nanos();
        scene.pass(0);
        assertEquals(Collections.nCopies(10, 0L), scene.ends(all.subList(1, 11), start));
        scene.heard.clear();
        assertTrue(scene.arrive().granted());
        assertEquals(Arrays.asList("delayed 1000000000", "throttled 1000000000"), scene.heard, "the wait it would have had alone");
    }

    @Test
    void whoHasNotLookedYetWhenPacingResumesIsPacedAgain() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        List<Permit> all = scene.arrive(4);
        scene.limiter.setEnabled(false);
        scene.limiter.setEnabled(true);
        long start = scene.clock.nanos();
        scene.pass(10 * SECOND);
        assertEquals(Arrays.asList(1000L, 2000L, 3000L), scene.ends(all.subList(1, 4), start));
    }

    // ---- dry run

    @Test
    void aDryRunNotesWaitsAsIfAloneAndDelaysNothing() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(2));
        scene.limiter.setDryRun(true);
        for (int i = 0; i < 100; i++) {
            assertTrue(scene.arrive().granted());
        }
        KeyStats s = scene.stats();
        assertEquals(98, s.delayedRequests);
        assertEquals(98 * 100 * MILLI, s.totalWaitNanos, "each would have waited for one token: the bucket is never in debt");
        scene.pass(100 * MILLI);
        scene.heard.clear();
        scene.arrive();
        assertTrue(scene.heard.isEmpty(), "a token came in");
        scene.limiter.setDryRun(false);
        assertEquals(100 * MILLI, scene.arrive().wakeAt() - scene.clock.nanos());
    }

    @Test
    void aDryRunThatWouldTakeForEverDoesNotCountBackwards() throws Exception {
        Scene scene = new Scene(p -> p.rate(1e-8).burst(1));
        scene.limiter.setDryRun(true);
        for (int i = 0; i < 200; i++) {
            scene.arrive();
        }
        assertEquals(Long.MAX_VALUE, scene.stats().totalWaitNanos);
        KeyStats all = new KeyStats();
        all.add(scene.stats());
        all.add(scene.stats());
        assertEquals(Long.MAX_VALUE, all.totalWaitNanos);
    }

    @Test
    void aDryRunCountsWhatItWouldHaveRejected() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(1).reject(true));
        scene.limiter.setDryRun(true);
        assertTrue(scene.arrive().granted());
        assertTrue(scene.arrive().granted());
        assertEquals(1, scene.stats().rejectedRequests);
        assertEquals(0, scene.stats().delayedRequests);
        assertEquals(Collections.singletonList("rejected RATE_LIMIT_EXCEEDED"), scene.heard);

        Scene patient = new Scene(p -> p.rate(10).burst(1).maxWait(50 * MILLI));
        patient.limiter.setDryRun(true);
        patient.arrive(2);
        assertEquals(Collections.singletonList("rejected RATE_LIMIT_EXCEEDED"), patient.heard);
    }
}
