package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Trip after trip: the rungs, what climbs, and what holds for all keys at once. */
class EscalationTest {
    private static final long PAUSE = 40 * SECOND;

    private static Scene scene(UnaryOperator<Policy.Builder> more) {
        return new Scene(p -> more.apply(p.rate(10).burst(5).cooldownThreshold(1).cooldownDuration(PAUSE, PAUSE)));
    }

    private static Scene ladder(long... rungs) {
        return scene(p -> p.escalation(new Escalation(rungs)));
    }

    /** The next request after the pause, blocked. */
    private static void blockedAgain(Scene scene) throws RequestRejectedException {
        scene.pass(scene.stats().cooldownRemainingNanos);
        scene.limiter.arrive(new TestTarget("a.example")).answered(403);
    }

    private static String code(Scene scene) {
        return assertThrows(RequestRejectedException.class, scene::arrive).code();
    }

    @Test
    void eachTripClimbsOneRungAndTheLastRepeats() throws Exception {
        Scene scene = ladder(Escalation.COOLDOWN, 300 * SECOND, 600 * SECOND);
        scene.arrive().answered(403);
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(PAUSE, scene.stats().cooldownRemainingNanos);
        for (long length : new long[] {300, 600, 600, 600}) {
            blockedAgain(scene);
            assertEquals("circuit_open", scene.stats().state);
            assertEquals(length * SECOND, scene.stats().cooldownRemainingNanos);
            assertEquals("HOST_COOLING_DOWN", code(scene), "nobody waits for the end of an open circuit");
        }
        assertEquals(5, scene.stats().cooldowns);
        scene.pass(600 * SECOND);
        scene.arrive().answered(200);
        assertEquals("open", scene.stats().state);
        scene.pass(SECOND);
        scene.arrive().answered(403);
        assertEquals(600 * SECOND, scene.stats().cooldownRemainingNanos, "a success does not take it down the ladder");
    }

    @Test
    void aProbeThatFailsOtherwiseRepeatsItsRung() throws Exception {
        Scene scene = ladder(300 * SECOND, 600 * SECOND);
        scene.arrive().answered(403);
        scene.pass(300 * SECOND);
        scene.arrive().answered(503);
        assertEquals(300 * SECOND, scene.stats().cooldownRemainingNanos);
        assertEquals(1, scene.stats().cooldowns);
        blockedAgain(scene);
        assertEquals(600 * SECOND, scene.stats().cooldownRemainingNanos);
    }

    @Test
    void aTripIsForgottenAfterItsMemory() throws Exception {
        Scene scene = scene(p -> p.escalation(new Escalation(Escalation.COOLDOWN, 300 * SECOND)).escalationMemory(3600 * SECOND));
        scene.arrive().answered(403);
        scene.pass(PAUSE);
        scene.arrive().answered(200);
        scene.pass(3600 * SECOND - PAUSE);
        scene.arrive().answered(403);
        assertEquals("circuit_open", scene.stats().state);
        scene.pass(300 * SECOND);
        scene.arrive().answered(200);
        scene.pass(3600 * SECOND - 300 * SECOND + 1);
        scene.arrive().answered(403);
        assertEquals("cooling_down", scene.stats().state);
    }

    @Test
    void blockedForLifeRejectsEverythingWithOneWordUntilItIsReset() throws Exception {
        Scene scene = ladder(Escalation.COOLDOWN, Escalation.LIFETIME);
        scene.arrive().answered(403);
        List<Permit> waiting = scene.arrive(3);
        scene.pass(PAUSE);
        scene.heard.clear();
        waiting.get(0).answered(429);
        scene.pass(0);
        assertEquals("lifetime_blocked", scene.stats().state);
        assertEquals("HOST_BLOCKED", waiting.get(2).rejection().code());
        assertEquals(-1, waiting.get(2).rejection().retryAfterSeconds());
        scene.heard.clear();
        for (int i = 0; i < 10; i++) {
            scene.pass(86_400 * SECOND);
            assertEquals("HOST_BLOCKED", code(scene));
        }
        assertEquals(Collections.emptyList(), scene.heard, "silently");
        assertEquals(0, scene.stats().cooldownRemainingNanos);
        assertEquals(12, scene.stats().rejectedRequests);
        scene.key().reset();
        assertEquals("open", scene.stats().state);
        assertEquals(0, scene.stats().consecutiveBlocks);
        Permit first = scene.arrive();
        assertEquals(100 * MILLI, first.wakeAt() - scene.clock.nanos(), "from an empty bucket");
        scene.pass(SECOND);
        first.answered(403);
        assertEquals("cooling_down", scene.stats().state, "from the first rung");
    }

    @Test
    void aResetLetsTheWaitersGoAtTheBucketsPaceAndIgnoresWhatIsInFlight() throws Exception {
        Scene scene = ladder(Escalation.COOLDOWN, Escalation.LIFETIME);
        Permit inFlight = scene.arrive();
        scene.arrive().answered(403);
        List<Permit> waiting = scene.arrive(3);
        long start = scene.clock.nanos();
        scene.key().reset();
        inFlight.answered(403);
        assertEquals("open", scene.stats().state);
        scene.pass(SECOND);
        assertEquals(Arrays.asList(100L, 200L, 300L), waiting.stream().map(p -> scene.end(p, start) / MILLI).collect(Collectors.toList()));
    }

    // ---- a runaway scraper

    @Test
    void rejectionsInARowClimbWhereTheyCount() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(2).reject(true).cooldownThreshold(3).escalationOn(false, true)
                .escalation(new Escalation(300 * SECOND, Escalation.LIFETIME)));
        scene.arrive(2);
        assertEquals("RATE_LIMIT_EXCEEDED", code(scene));
        assertEquals("RATE_LIMIT_EXCEEDED", code(scene));
        scene.pass(SECOND);
        scene.arrive();
        assertEquals("RATE_LIMIT_EXCEEDED", code(scene), "one that was let through resets");
        assertEquals("RATE_LIMIT_EXCEEDED", code(scene));
        assertEquals("open", scene.stats().state);
        assertEquals("RATE_LIMIT_EXCEEDED", code(scene));
        assertEquals("circuit_open", scene.stats().state);
        assertEquals("circuit open " + 300 * SECOND + " rate_limit_exceeded", scene.heard.get(scene.heard.size() - 1));
        assertEquals("HOST_COOLING_DOWN", code(scene));
        scene.pass(300 * SECOND);
        scene.arrive().answered(200);
        scene.pass(300 * SECOND);
        scene.arrive(2);
        for (int i = 0; i < 3; i++) {
            code(scene);
        }
        assertEquals("lifetime_blocked", scene.stats().state);
        assertEquals("for life rate_limit_exceeded", scene.heard.get(scene.heard.size() - 1));
    }

    /** Who waited first and was rejected then did not count, so a runaway program whose requests wait for each other never climbed. */
    @Test
    void aRejectionAfterAWaitCountsToo() throws Exception {
        Scene scene = new Scene(p -> p.rate(100).burst(100).concurrency(1).maxWait(SECOND).cooldownThreshold(2).escalationOn(false, true)
                .escalation(new Escalation(300 * SECOND)));
        scene.limiter.charge(new TestTarget("a.example"));
        scene.arrive();
        scene.arrive();
        scene.pass(2 * SECOND);
        assertEquals("open", scene.stats().state);
        scene.arrive();
        scene.pass(2 * SECOND);
        assertEquals("circuit_open", scene.stats().state);
        assertEquals("circuit open " + 300 * SECOND + " concurrency_limit_exceeded", scene.heard.get(scene.heard.size() - 1));
    }

    /** Three in a day, of a program that looks in now and then while its window is full, were as many as three in a second. */
    @Test
    void rejectionsFarApartAreForgottenAsBlocksAre() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1).windows(new WindowLimit(1,
                86_400 * SECOND)).reject(true).cooldownThreshold(2).escalationOn(false, true)
                .cooldownMemory(600 * SECOND));
        scene.arrive();
        for (int i = 0; i < 3; i++) {
            scene.pass(601 * SECOND);
            assertEquals("WINDOW_EXCEEDED", code(scene));
            assertEquals("open", scene.stats().state);
        }
        scene.pass(600 * SECOND);
        assertEquals("WINDOW_EXCEEDED", code(scene));
        assertEquals("cooling_down", scene.stats().state);
    }

    @Test
    void inADryRunARunawayProgramWouldClimb() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(2).reject(true).cooldownThreshold(3).escalationOn(false, true)
                .escalation(new Escalation(300 * SECOND)));
        scene.limiter.setDryRun(true);
        scene.arrive(4);
        assertEquals("open", scene.stats().state);
        scene.pass(SECOND);
        scene.arrive(3);
        assertEquals("open", scene.stats().state, "one would have been let through in between");
        assertTrue(scene.arrive().granted());
        assertEquals("would_circuit_open", scene.stats().state);
        assertEquals("circuit open " + 300 * SECOND + " rate_limit_exceeded", scene.heard.get(scene.heard.size() - 1));
    }

    @Test
    void whereOnlyRejectionsCountBlocksDoNot() throws Exception {
        Scene scene = scene(p -> p.escalationOn(false, true));
        scene.arrive().answered(403);
        assertEquals("open", scene.stats().state);
        scene = scene(p -> p.escalationOn(true, true));
        scene.arrive().answered(403);
        assertEquals("cooling_down", scene.stats().state);
    }

    // ---- all at once

    private static Permit to(Scene scene, String host) throws RequestRejectedException {
        return scene.limiter.arrive(new TestTarget(host));
    }

    @Test
    void inOneScopeBlocksOfAllHostsCountTogetherAndAllRest() throws Exception {
        Scene scene = scene(p -> p.global(true).cooldownThreshold(3));
        to(scene, "a.example").answered(403);
        Permit inFlight = to(scene, "b.example");
        to(scene, "b.example").answered(200);
        to(scene, "a.example").answered(403);
        to(scene, "b.example").answered(429);
        assertEquals("open", scene.stats().state, "a success of any resets it");
        Permit sleeper = null;
        while (sleeper == null || !sleeper.waiting()) {
            sleeper = to(scene, "b.example");
        }
        to(scene, "c.example").answered(403);
        for (String host : new String[] {"a.example", "b.example", "c.example"}) {
            assertEquals("cooling_down", scene.limiter.key(host).stats().state, host);
            assertEquals(PAUSE, scene.limiter.key(host).stats().cooldownRemainingNanos, host);
        }
        assertEquals(scene.clock.nanos() + PAUSE, sleeper.wakeAt());
        assertTrue(to(scene, "new.example").waiting(), "a host that nobody has asked before rests with them");
        inFlight.answered(200);
        assertEquals("cooling_down", scene.limiter.key("b.example").stats().state);
        scene.pass(PAUSE);
        assertTrue(sleeper.poll());
        sleeper.answered(200);
        assertEquals("open", scene.limiter.key("b.example").stats().state);
        assertEquals("cooling_down", scene.stats().state, "each has a probe of its own");
        to(scene, "a.example").answered(200);
        assertEquals("open", scene.stats().state);
    }

    // ---- denied hosts

    @Test
    void aDeniedHostIsRejectedAtOnceAndInADryRunOnlyToldSo() throws Exception {
        Scene scene = scene(p -> p.denied(true));
        RequestRejectedException e = assertThrows(RequestRejectedException.class, scene::arrive);
        assertEquals("HOST_BLOCKED", e.code());
        assertEquals(-1, e.retryAfterSeconds());
        scene.limiter.setDryRun(true);
        scene.heard.clear();
        Permit permit = scene.arrive();
        assertNotNull(permit);
        assertTrue(permit.granted());
        assertEquals(Collections.singletonList("rejected HOST_BLOCKED"), scene.heard);
        assertFalse(permit.waiting());
    }

    /** Room was made for several at once, whoever had to go for it. */
    @Test
    void noBlockedHostIsForgottenToMakeRoomInAdvance() throws Exception {
        Policy policy = new Policy.Builder().cooldownThreshold(1).escalation(new Escalation(Escalation.LIFETIME)).build();
        Limiter limiter = new Limiter(new TurnedClock(0), new Seeded(),
                new TestRules(h -> policy, true, false, 100, Long.MAX_VALUE), Listener.NONE);
        for (int i = 0; i < 99; i++) {
            limiter.arrive(new TestTarget("blocked" + i + ".example")).answered(403);
        }
        for (int i = 0; i < 10; i++) {
            limiter.arrive(new TestTarget("host" + i + ".example")).answered(200);
        }
        assertEquals(99, limiter.keys().stream().filter(k -> Inside.of(k).blockedForLife()).count());
        assertEquals(100, limiter.keys().size());
    }

    @Test
    void aHostBlockedForGoodIsForgottenLast() throws Exception {
        Policy policy = new Policy.Builder().cooldownThreshold(1).escalation(new Escalation(Escalation.LIFETIME)).build();
        Limiter limiter = new Limiter(new TurnedClock(0), new Seeded(),
                new TestRules(h -> policy, true, false, 100, Long.MAX_VALUE), Listener.NONE);
        limiter.arrive(new TestTarget("blocked.example")).answered(403);
        for (int i = 0; i < 1_000; i++) {
            limiter.arrive(new TestTarget("host" + i + ".example")).answered(200);
        }
        assertTrue(limiter.keys().size() <= 100);
        assertEquals("lifetime_blocked", limiter.key("blocked.example").stats().state);
    }
}
