package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What an operator can do to a key. */
class OperatorTest {
    private static final long PAUSE = 45 * SECOND;

    /** Ten requests a second, two at once. */
    private static Scene scene() throws RequestRejectedException {
        Scene scene = new Scene(p -> p.rate(10).burst(2).cooldownDuration(PAUSE, PAUSE));
        scene.arrive().answered(302);
        scene.pass(SECOND);
        return scene;
    }

    private static List<Long> ends(Scene scene, List<Permit> permits, long start) {
        List<Long> ends = new ArrayList<>();
        for (Permit p : permits) {
            ends.add(scene.end(p, start));
        }
        return ends;
    }

    private static void asksFor(int seconds, Permit permit) {
        Body body = permit.answered(new TestHead(429, "Retry-After", "" + seconds));
        if (body != null) {
            body.end();
        }
    }

    @Test
    void aPausedKeySendsNothingAndThenGoesOnAtItsPaceWithoutAProbe() throws Exception {
        Scene scene = scene();
        long start = scene.clock.nanos();
        assertTrue(scene.key().pause(60 * SECOND));
        List<Permit> waiting = scene.arrive(3);
        assertEquals("cooling_down", scene.stats().state);
        assertEquals("operator", scene.stats().cooldownReason);
        assertEquals(60 * SECOND, scene.stats().cooldownRemainingNanos);
        scene.pass(61 * SECOND);
        assertEquals(Arrays.asList(60_100 * MILLI, 60_200 * MILLI, 60_300 * MILLI), ends(scene, waiting, start));
        assertEquals("open", scene.stats().state);
        assertNull(scene.stats().cooldownReason);
        assertEquals(0, scene.stats().cooldowns, "it is no trip");
        assertEquals(60 * SECOND, scene.stats().cooldownNanos);
        assertEquals("cooldown " + 60 * SECOND + " operator", scene.heard.get(0));
        assertEquals(1, scene.heard.stream().filter("ended"::equals).count(), scene.heard::toString);
    }

    /** Nobody waited for its end; the bucket has filled since. */
    @Test
    void aPauseThatIsLongOverLeavesAFullBucket() throws Exception {
        Scene scene = scene();
        scene.key().pause(SECOND);
        scene.pass(10 * SECOND);
        assertTrue(scene.arrive().waiting() == false && scene.arrive().granted());
        assertTrue(scene.arrive().waiting());
        assertEquals(SECOND, scene.stats().cooldownNanos, "what came after the pause was none");
    }

    @Test
    void whoLooksAtAPauseThatIsOverSeesAnOpenKey() throws Exception {
        Scene scene = scene();
        scene.key().pause(SECOND);
        scene.pass(SECOND);
        assertEquals("open", scene.stats().state);
        assertTrue(scene.heard.contains("ended"));
    }

    @Test
    void whoWaitsAlreadyWaitsThePauseToo() throws Exception {
        Scene scene = scene();
        scene.arrive(2);
        long start = scene.clock.nanos();
        List<Permit> waiting = scene.arrive(2);
        scene.pass(50 * MILLI);
        scene.key().pause(SECOND);
        scene.pass(5 * SECOND);
        assertEquals(Arrays.asList(1_150 * MILLI, 1_250 * MILLI), ends(scene, waiting, start));
    }

    /** A client's own queue may keep a request between the gate and the network. */
    @Test
    void whatLeavesAClientsQueueDuringAPauseWaits() throws Exception {
        Scene scene = scene();
        Permit queued = scene.arrive();
        scene.key().pause(SECOND);
        Permit again = scene.enter(queued.depart());
        assertTrue(again.waiting());
        scene.pass(2 * SECOND);
        assertTrue(again.granted());
    }

    @Test
    void aSecondPauseReplacesTheFirst() throws Exception {
        Scene scene = scene();
        scene.key().pause(60 * SECOND);
        scene.pass(SECOND);
        scene.key().pause(2 * SECOND);
        assertEquals(2 * SECOND, scene.stats().cooldownRemainingNanos);
        scene.pass(3 * SECOND);
        assertEquals("open", scene.stats().state);
        assertEquals(3 * SECOND, scene.stats().cooldownNanos);
    }

    @Test
    void aPauseDoesNotShortenWhatTheSiteAskedForNorSpareItsProbe() throws Exception {
        Scene scene = scene();
        scene.trip(3);
        assertFalse(scene.key().pause(SECOND));
        assertEquals(PAUSE, scene.stats().cooldownRemainingNanos);
        assertEquals("429_rate_limited", scene.stats().cooldownReason);
        assertTrue(scene.key().pause(PAUSE + SECOND));
        assertEquals(PAUSE + SECOND, scene.stats().cooldownRemainingNanos);
        scene.pass(PAUSE + 2 * SECOND);
        Permit probe = scene.arrive();
        assertTrue(probe.granted());
        assertEquals("probing", scene.stats().state);
        probe.answered(200);
        assertEquals("open", scene.stats().state);
        assertEquals(PAUSE + 2 * SECOND, scene.stats().cooldownNanos);
    }

    @Test
    void aPauseWhileAProbeIsOnItsWayIsFollowedByAnother() throws Exception {
        Scene scene = scene();
        scene.trip(3);
        scene.pass(PAUSE);
        Permit probe = scene.arrive();
        scene.key().pause(10 * SECOND);
        probe.answered(200);
        assertEquals("cooling_down", scene.stats().state);
        scene.pass(11 * SECOND);
        scene.arrive();
        assertEquals("probing", scene.stats().state);
    }

    @Test
    void aDemandOfTheSiteDuringAPauseHasItsProbe() throws Exception {
        Scene scene = scene();
        Permit sent = scene.arrive();
        scene.key().pause(5 * SECOND);
        asksFor(60, sent);
        assertTrue(scene.stats().cooldownRemainingNanos > 59 * SECOND);
        assertEquals("429_rate_limited", scene.stats().cooldownReason);
        scene.pass(70 * SECOND);
        scene.arrive();
        assertEquals("probing", scene.stats().state);
    }

    @Test
    void resumeEndsPauseAndCooldownAtTheBucketsPaceAndRemembersTheBlocks() throws Exception {
        for (boolean operator : new boolean[] {true, false}) {
            Scene scene = scene();
            if (operator) {
                scene.key().pause(PAUSE);
            } else {
                scene.trip(3);
            }
            List<Permit> waiting = scene.arrive(3);
            scene.pass(10 * SECOND);
            long start = scene.clock.nanos();
            scene.key().resume();
            assertEquals("open", scene.stats().state);
            assertEquals(10 * SECOND, scene.stats().cooldownNanos);
            scene.pass(SECOND);
            assertEquals(Arrays.asList(100 * MILLI, 200 * MILLI, 300 * MILLI), ends(scene, waiting, start));
            assertEquals(operator ? 0 : 3, scene.stats().consecutiveBlocks);
            waiting.get(0).answered(429);
            assertEquals(operator ? "open" : "cooling_down", scene.stats().state);
            assertTrue(scene.heard.contains("ended"));
        }
    }

    @Test
    void resumeOfAnOpenKeyDoesNothing() throws Exception {
        Scene scene = scene();
        scene.key().resume();
        assertFalse(scene.heard.contains("ended"));
        assertEquals(2, scene.stats().tokensAvailable);
    }

    @Test
    void aLifetimeBlockIsNeitherPausedNorResumed() throws Exception {
        Scene scene = new Scene(p -> p.escalation(new Escalation(Escalation.LIFETIME)).cooldownThreshold(1));
        scene.arrive().answered(429);
        Key key = scene.key();
        assertThrows(IllegalStateException.class, () -> key.pause(SECOND));
        assertEquals("a.example is blocked for good; only reset ends that", assertThrows(IllegalStateException.class,
                key::resume).getMessage());
        assertEquals("lifetime_blocked", scene.stats().state);
        assertEquals("429_rate_limited", scene.stats().cooldownReason);
        key.reset();
        assertEquals("open", scene.stats().state);
    }

    @Test
    void withRejectAPausedKeyRejects() throws Exception {
        Scene scene = new Scene(p -> p.reject(true));
        scene.arrive();
        scene.key().pause(60 * SECOND);
        RequestRejectedException e = assertThrows(RequestRejectedException.class, scene::arrive);
        assertTrue(e.getMessage().contains("HOST_COOLING_DOWN"), e.getMessage());
    }

    @Test
    void inADryRunAPauseShowsAndHoldsNobody() throws Exception {
        Scene scene = scene();
        scene.limiter.setDryRun(true);
        scene.key().pause(SECOND);
        assertEquals("would_cooling_down", scene.stats().state);
        assertTrue(scene.arrive().granted());
        scene.pass(2 * SECOND);
        assertTrue(scene.arrive().granted());
        assertEquals("open", scene.stats().state);
        assertEquals(1, scene.heard.stream().filter("ended"::equals).count(), scene.heard::toString);
    }

    /** Whatever goes on meanwhile: no answer ends it, of requests that went before, or in a dry run during it. */
    @Test
    void nothingButTimeEndsAPause() throws Exception {
        int[] statuses = {200, 302, 404, 403, 429, 500};
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Scene scene = scene();
            List<Permit> sent = new ArrayList<>();
            long until = 0;
            for (int i = 0; i < 200; i++) {
                switch (random.nextInt(7)) {
                    case 0:
                        sent.add(scene.arrive());
                        break;
                    case 1:
                        sent.add(scene.limiter.charge(new TestTarget("a.example")));
                        break;
                    case 2:
                        scene.pass((long) (random.nextDouble() * 20 * SECOND));
                        break;
                    case 3:
                        scene.limiter.setDryRun(random.nextInt(3) > 0);
                        break;
                    case 4:
                        if (random.nextInt(10) == 0 && scene.key().pause(60 * SECOND)) {
                            until = scene.clock.nanos() + 60 * SECOND;
                        }
                        break;
                    default:
                        if (!sent.isEmpty()) {
                            Permit permit = sent.remove(random.nextInt(sent.size()));
                            permit.answered(statuses[random.nextInt(statuses.length)]);
                            permit.abandoned();
                        }
                }
                String state = scene.stats().state.replace("would_", "");
                assertTrue(scene.clock.nanos() >= until || state.equals("cooling_down"), "seed " + seed + ", step " + i + ": " + state);
            }
        }
    }

    // ---- another limit

    @Test
    void anotherLimitHoldsForWhoWaitsAlreadyAndOverNewSettings() throws Exception {
        Scene scene = scene();
        scene.arrive(2);
        List<Permit> waiting = scene.arrive(2);
        long start = scene.clock.nanos();
        scene.key().limit(new Limit(1, 1));
        assertEquals(1, scene.stats().rate);
        assertEquals(1, scene.stats().burst);
        scene.policy(p -> p.rate(100).burst(50));
        assertEquals(1, scene.stats().rate);
        scene.pass(5 * SECOND);
        assertEquals(Arrays.asList(SECOND, 2 * SECOND), ends(scene, waiting, start));
        scene.key().reset();
        assertEquals(100, scene.stats().rate);
        assertEquals(50, scene.stats().burst);
    }

    @Test
    void anotherLimitIsRememberedWhenTheKeyIsForgotten() throws Exception {
        Scene scene = scene();
        scene.key().limit(new Limit(1, 1));
        scene.pass(3600 * SECOND);
        scene.limiter.rules(new TestRules(h -> new Policy.Builder().rate(10).build(), true, false, 10_000, SECOND));
        scene.limiter.sweep();
        assertNull(scene.key());
        scene.arrive();
        assertEquals(1, scene.stats().rate);
    }

    // ---- counters

    @Test
    void resetStatsForgetsTheCountersAndNothingElse() throws Exception {
        Scene scene = scene();
        scene.trip(3);
        scene.arrive(2);
        scene.pass(10 * SECOND);
        scene.key().resetStats();
        KeyStats s = scene.stats();
        assertEquals(0, s.totalRequests);
        assertEquals(0, s.blockedRequests());
        assertEquals(0, s.cooldowns);
        assertEquals(0, s.cooldownNanos);
        assertEquals(3, s.consecutiveBlocks);
        assertEquals(2, s.waitingRequests);
        assertEquals("cooling_down", s.state);
        scene.pass(PAUSE - 10 * SECOND);
        scene.awake.get(0).permit.answered(200);
        assertEquals(PAUSE - 10 * SECOND, scene.stats().cooldownNanos);
    }

    /** An answer that asks for a longer rest was counted with the time before it, twice. */
    @Test
    void aRestThatIsLengthenedIsCountedOnce() throws Exception {
        Scene scene = scene();
        List<Permit> sent = scene.arrive(2);
        asksFor(20, sent.get(0));
        scene.pass(10 * SECOND);
        asksFor(30, sent.get(1));
        scene.pass(33 * SECOND);
        scene.arrive().answered(200);
        assertEquals("open", scene.stats().state);
        assertEquals(43 * SECOND, scene.stats().cooldownNanos);
    }
}
