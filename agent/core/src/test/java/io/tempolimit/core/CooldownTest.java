package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.detect.Verdict;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Blocks, cooldowns and probes, through the key that has them. */
class CooldownTest {
    static final long PAUSE = 40 * SECOND;

    /** Threshold 3, a pause of 40 s, 10/s with a burst of 5. */
    static Scene scene() {
        return new Scene(p -> p.rate(10).burst(5).cooldownDuration(PAUSE, PAUSE));
    }

    /** Blocked, at rest, with {@code n} waiters. */
    static Scene resting(int n) throws RequestRejectedException {
        Scene scene = scene();
        scene.limiter.charge(new TestTarget("a.example")).abandoned();
        scene.trip(3);
        scene.arrive(n);
        return scene;
    }

    // ---- the count

    @Test
    void theThirdBlockInARowIsATrip() throws Exception {
        Scene scene = scene();
        scene.answer(403, 429);
        assertEquals("open", scene.stats().state);
        assertEquals(2, scene.stats().consecutiveBlocks);
        scene.answer(403);
        assertEquals(Arrays.asList("blocked 403_forbidden 403 1 true", "blocked 429_rate_limited 429 2 true",
                "blocked 403_forbidden 403 3 true", "cooldown " + PAUSE + " 403_forbidden"), scene.heard);
        KeyStats s = scene.stats();
        assertEquals("cooling_down", s.state);
        assertEquals(1, s.cooldowns);
        assertEquals(PAUSE, s.cooldownRemainingNanos);
        assertEquals(2, s.blocks(Verdict.FORBIDDEN));
        assertEquals(1, s.blocks(Verdict.RATE_LIMITED));
        assertEquals(0.0, s.tokensAvailable);
        scene.pass(10 * SECOND);
        assertEquals(30 * SECOND, scene.stats().cooldownRemainingNanos);
        assertEquals(10 * SECOND, scene.stats().cooldownNanos);
    }

    @Test
    void anAnswerOfUnknownStatusLeavesTheCountAndOpensAfterAPause() throws Exception {
        Scene scene = resting(0);
        scene.limiter.charge(new TestTarget("a.example")).answered();
        assertEquals("cooling_down", scene.stats().state);
        scene.pass(PAUSE);
        Permit probe = scene.limiter.arrive(new TestTarget("a.example"));
        assertTrue(probe.granted());
        probe.answered();
        assertEquals("open", scene.stats().state);
        assertEquals(3, scene.stats().consecutiveBlocks);
    }

    @Test
    void aSuccessResetsTheCountAndOthersDoNot() throws Exception {
        for (int success : new int[] {200, 204, 206, 304, 404, 410}) {
            Scene scene = scene();
            scene.answer(403, 403, success, 403, 403);
            assertEquals("open", scene.stats().state, "after " + success);
            assertEquals(2, scene.stats().consecutiveBlocks);
        }
        for (int neither : new int[] {301, 302, 303, 307, 308, 400, 401, 405, 406, 451, 500, 502, 503, 520, 529}) {
            Scene scene = scene();
            scene.answer(403, 403, neither, 403);
            assertEquals("cooling_down", scene.stats().state, "after " + neither);
        }
        Scene scene = scene();
        scene.answer(403, 403);
        scene.arrive().failed(new IOException("reset"));
        scene.arrive().failed(new SocketTimeoutException());
        scene.arrive().abandoned();
        scene.answer(403);
        assertEquals("cooling_down", scene.stats().state);
    }

    @Test
    void aCountIsForgottenAfterItsMemory() throws Exception {
        Scene scene = new Scene(p -> p.cooldownMemory(600 * SECOND));
        scene.answer(403, 403);
        scene.pass(600 * SECOND);
        assertEquals(2, scene.stats().consecutiveBlocks);
        scene.answer(302);
        scene.pass(1);
        assertEquals(0, scene.stats().consecutiveBlocks);
        scene.answer(403, 403);
        assertEquals("open", scene.stats().state);
        scene.pass(599 * SECOND); // counted from the last block, not from the first
        scene.answer(403);
        assertEquals("cooling_down", scene.stats().state);
    }

    @Test
    void thePauseIsDrawnAtRandomBetweenItsBounds() throws Exception {
        TreeSet<Long> pauses = new TreeSet<>();
        for (int i = 0; i < 200; i++) {
            Scene scene = new Scene(i * 0x9E3779B97F4A7C15L, p -> p.cooldownThreshold(1).cooldownDuration(30 * SECOND, 60 * SECOND));
            scene.answer(429);
            pauses.add(scene.stats().cooldownRemainingNanos);
        }
        assertTrue(pauses.first() >= 30 * SECOND && pauses.last() <= 60 * SECOND, pauses.first() + " to " + pauses.last());
        assertTrue(pauses.last() - pauses.first() > 20 * SECOND);
    }

    @Test
    void oneIncidentIsOneIncident() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(50).cooldownDuration(PAUSE, PAUSE));
        List<Permit> inFlight = scene.arrive(50);
        for (int i = 0; i < 20; i++) {
            inFlight.get(i).answered(429);
        }
        assertEquals(1, scene.stats().cooldowns);
        assertEquals(3, scene.stats().consecutiveBlocks);
        assertEquals(20, scene.stats().blocks(Verdict.RATE_LIMITED));
        assertEquals(17, scene.heard.stream().filter(e -> e.endsWith("3 false")).count());
        assertEquals(PAUSE, scene.stats().cooldownRemainingNanos);
        inFlight.get(20).answered(200);
        inFlight.get(21).answered(302);
        inFlight.get(22).answered(500);
        inFlight.get(23).failed(new IOException());
        assertEquals("cooling_down", scene.stats().state, "their answers reset nothing");
        assertEquals(3, scene.stats().consecutiveBlocks);
        assertEquals(PAUSE, scene.stats().cooldownRemainingNanos);
        scene.pass(PAUSE);
        Permit probe = scene.arrive();
        assertTrue(probe.granted());
        inFlight.get(24).answered(200);
        inFlight.get(25).answered(403);
        inFlight.get(26).abandoned();
        assertEquals("probing", scene.stats().state, "nor are they the probe's");
        probe.answered(200);
        assertEquals("open", scene.stats().state);
        inFlight.get(27).answered(429);
        inFlight.get(28).answered(429);
        inFlight.get(29).answered(429);
        assertEquals("open", scene.stats().state, "nor do they climb afterwards");
        assertEquals(0, scene.stats().consecutiveBlocks);
    }

    /** A round on a leased connection goes during the pause: it is not the probe. */
    @Test
    void aRoundThatGoesInSpiteOfThePauseSaysNothing() throws Exception {
        Scene scene = resting(1);
        scene.answer(200, 302, 429, 500);
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(1, scene.stats().cooldowns);
        assertEquals(PAUSE, scene.stats().cooldownRemainingNanos);
    }

    // ---- the pause

    @Test
    void whileItRestsRequestsWaitAndThenOneProbeGoes() throws Exception {
        Scene scene = resting(5);
        assertEquals(5, scene.asleep.size());
        assertEquals("delayed " + PAUSE, scene.heard.get(0));
        scene.pass(PAUSE - 1);
        assertEquals(5, scene.asleep.size());
        scene.pass(1);
        assertEquals(4, scene.asleep.size());
        assertEquals("probing", scene.stats().state);
        Permit newcomer = scene.arrive();
        assertTrue(newcomer.waiting());
        scene.pass(29 * SECOND);
        assertEquals(5, scene.asleep.size(), "one probe only");
    }

    @Test
    void withNobodyWaitingTheNextToArriveIsTheProbe() throws Exception {
        Scene scene = resting(0);
        scene.pass(PAUSE + 100 * SECOND);
        assertTrue(scene.arrive().granted());
        assertEquals("probing", scene.stats().state);
        assertTrue(scene.arrive().waiting());
    }

    @Test
    void whatOpensTheKey() throws Exception {
        for (int status : new int[] {200, 204, 301, 302, 304, 400, 401, 404, 410}) {
            Scene scene = resting(1);
            scene.pass(PAUSE);
            scene.awake.get(0).permit.answered(status);
            assertEquals("open", scene.stats().state, "after " + status);
            assertEquals(PAUSE, scene.stats().cooldownNanos);
            assertTrue(scene.heard.contains("ended"));
        }
    }

    @Test
    void aBlockedProbeIsTheNextTrip() throws Exception {
        for (int status : new int[] {403, 429}) {
            Scene scene = resting(3);
            scene.pass(PAUSE + SECOND);
            scene.awake.get(0).permit.answered(status);
            assertEquals("cooling_down", scene.stats().state);
            assertEquals(2, scene.stats().cooldowns);
            assertEquals(4, scene.stats().consecutiveBlocks);
            assertEquals(2, scene.asleep.size());
            long start = scene.clock.nanos();
            scene.pass(2 * PAUSE);
            assertEquals(PAUSE, scene.awake.get(1).end - start, "the deadline moves while they sleep");
            assertEquals(PAUSE + Circuit.PROBE_LEASE, scene.awake.get(2).end - start);
        }
    }

    @Test
    void aProbeThatFailsOtherwiseRepeatsThePauseWithoutClimbing() throws Exception {
        List<Consumer<Permit>> failures = Arrays.asList(p -> p.answered(500), p -> p.answered(503), p -> p.answered(529),
                p -> p.failed(new SocketTimeoutException()), p -> p.failed(new IOException("reset")));
        for (Consumer<Permit> failure : failures) {
            Scene scene = resting(2);
            scene.pass(PAUSE + SECOND);
            failure.accept(scene.awake.get(0).permit);
            assertEquals("cooling_down", scene.stats().state);
            assertEquals(1, scene.stats().cooldowns);
            assertEquals(3, scene.stats().consecutiveBlocks);
            long start = scene.clock.nanos();
            scene.pass(PAUSE);
            assertEquals(PAUSE, scene.awake.get(1).end - start);
            assertEquals(PAUSE + SECOND + PAUSE, scene.stats().cooldownNanos);
        }
    }

    @Test
    void aSilentProbeKeepsTheOthersForHalfAMinuteOnly() throws Exception {
        Scene scene = resting(4);
        long start = scene.clock.nanos();
        scene.pass(PAUSE + 65 * SECOND);
        assertEquals(Arrays.asList(PAUSE, PAUSE + 30 * SECOND, PAUSE + 60 * SECOND),
                Arrays.asList(scene.awake.get(0).end - start, scene.awake.get(1).end - start, scene.awake.get(2).end - start));
        scene.awake.get(0).permit.answered(200); // late, but it was a probe of this pause
        assertEquals("open", scene.stats().state);
    }

    @Test
    void aSilentProbeWithNobodyWaitingLetsTheNextToArriveGo() throws Exception {
        Scene scene = resting(1);
        scene.pass(PAUSE + 30 * SECOND);
        assertTrue(scene.arrive().granted());
        assertTrue(scene.arrive().waiting());
    }

    @Test
    void aProbeThatIsLostMakesRoomForTheNextAtOnce() throws Exception {
        List<Consumer<Permit>> losses = Arrays.asList(Permit::abandoned, Permit::unused);
        for (Consumer<Permit> loss : losses) {
            Scene scene = resting(3);
            scene.pass(PAUSE + SECOND);
            loss.accept(scene.awake.get(0).permit);
            scene.pass(0);
            assertEquals(2, scene.awake.size());
            assertEquals("probing", scene.stats().state);
            scene.pass(29 * SECOND);
            assertEquals(2, scene.awake.size());
        }
    }

    /** Its answer comes while its host is excluded, which lasts as long as somebody edits a file. */
    @Test
    void aProbeThatIsAnsweredWhileItsHostIsNotPacedMakesRoomForTheNext() throws Exception {
        Scene scene = resting(1);
        scene.pass(PAUSE + SECOND);
        Permit probe = scene.awake.get(0).permit;
        scene.limiter.rules(TestRules.of(null));
        probe.answered(200);
        scene.policy(p -> p.rate(10).burst(5).cooldownDuration(PAUSE, PAUSE));
        assertTrue(scene.arrive().granted());
    }

    @Test
    void aSilentProbeThatIsLostAfterItsSuccessorWentMakesNoRoom() throws Exception {
        Scene scene = resting(3);
        scene.pass(PAUSE + 30 * SECOND);
        assertEquals(2, scene.awake.size());
        scene.awake.get(0).permit.abandoned();
        scene.pass(0);
        assertEquals(2, scene.awake.size(), "one probe only");
    }

    @Test
    void theWaitersFollowFromAnEmptyBucketAtItsPaceAndNobodyOvertakes() throws Exception {
        Scene scene = resting(0);
        scene.pass(SECOND);
        List<Permit> waiting = new ArrayList<>(scene.arrive(20));
        scene.pass(PAUSE - SECOND);
        waiting.addAll(scene.arrive(5));
        scene.pass(2 * SECOND);
        waiting.addAll(scene.arrive(5));
        scene.awake.get(0).permit.answered(200);
        long start = scene.clock.nanos();
        scene.pass(250 * MILLI);
        waiting.addAll(scene.arrive(3));
        scene.pass(10 * SECOND);
        List<Long> ends = scene.ends(waiting.subList(1, 33), start);
        for (int i = 0; i < 32; i++) {
            assertEquals(100 * (i + 1), ends.get(i));
        }
    }

    @Test
    void afterAPauseWithoutWaitersTheBucketIsEmptyToo() throws Exception {
        Scene scene = resting(0);
        scene.pass(PAUSE);
        Permit probe = scene.arrive();
        scene.pass(SECOND);
        probe.answered(200);
        assertEquals(100 * MILLI, scene.arrive().wakeAt() - scene.clock.nanos());
    }

    @Test
    void sleepersOfTheBucketAreCaughtByACooldownAndKeepTheirOrder() throws Exception {
        Scene scene = scene();
        List<Permit> all = scene.arrive(15);
        scene.pass(200 * MILLI);
        for (int i = 0; i < 3; i++) {
            all.get(i).answered(429);
        }
        long start = scene.clock.nanos();
        scene.pass(PAUSE - 1);
        assertEquals(8, scene.asleep.size());
        scene.pass(1 + SECOND);
        assertEquals(7, scene.asleep.size());
        all.get(7).answered(200);
        scene.pass(10 * SECOND);
        List<Long> expected = new ArrayList<>(Collections.singletonList(40_000L));
        for (int i = 1; i <= 7; i++) {
            expected.add(41_000L + 100 * i);
        }
        assertEquals(expected, scene.ends(all.subList(7, 15), start));
    }

    @Test
    void whenTheFirstIsCancelledTheNextIsTheProbe() throws Exception {
        for (int n : new int[] {3, 700}) { // many waiters, too
            Scene scene = resting(n);
            scene.pass(10 * SECOND);
            List<Scene.Sleeper> sleepers = new ArrayList<>(scene.asleep);
            sleepers.get(0).permit.cancel();
            scene.asleep.removeIf(s -> s.permit.cancelled());
            scene.pass(PAUSE - 10 * SECOND);
            assertEquals(Collections.singletonList(sleepers.get(1)), scene.awake, n + " waiters");
            assertEquals("probing", scene.stats().state);
        }
    }

    @Test
    void cancellingAllLeavesAKeyThatProbesLater() throws Exception {
        Scene scene = resting(10);
        new ArrayList<>(scene.asleep).forEach(s -> s.permit.cancel());
        scene.asleep.clear();
        assertEquals(0, scene.stats().waitingRequests);
        scene.pass(PAUSE);
        assertTrue(scene.arrive().granted());
    }
}
