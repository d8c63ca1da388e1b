package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Limit;
import io.tempolimit.detect.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is charged, leaves a client's own queue late, is not sent, or is abandoned. */
class DepartureTest {
    private static final TestTarget HOST = new TestTarget("a.example");

    // ---- paths, charge, depart, unused, abandoned

    @Test
    void aPathOutsideIsNeitherPacedNorJudged() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1).paths(path -> path.startsWith("/shop")));
        for (int i = 0; i < 5; i++) {
            assertNull(scene.limiter.arrive(new TestTarget("a.example", "/img/x.png")));
            assertNull(scene.limiter.arrive(new TestTarget("a.example", null)));
            assertNull(scene.limiter.arrive(new TestTarget("a.example", "")));
            assertNull(scene.limiter.charge(new TestTarget("a.example", "/img/x.png")));
        }
        assertTrue(scene.limiter.arrive(new TestTarget("a.example", "/shop/1")).granted());
        assertTrue(scene.limiter.arrive(new TestTarget("a.example", "/shop/2")).waiting());
        assertEquals(2, scene.stats().totalRequests);
    }

    @Test
    void anEmptyPathIsASlash() throws Exception {
        Scene scene = new Scene(p -> p.paths("/"::equals));
        assertNotNull(scene.limiter.arrive(new TestTarget("a.example", "")));
        assertNotNull(scene.limiter.arrive(new TestTarget("a.example", null)));
    }

    @Test
    void aChargedRoundGoesAtOnceAndTheNextRequestPays() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(1));
        long start = scene.clock.nanos();
        Permit first = scene.arrive(2).get(1);
        Permit charged = scene.limiter.charge(HOST);
        assertTrue(charged.granted());
        Permit next = scene.arrive();
        scene.pass(SECOND);
        assertEquals(Arrays.asList(100L, 300L), scene.ends(Arrays.asList(first, next), start));
        assertEquals(4, scene.stats().totalRequests);
        assertEquals(4, scene.stats().activeRequests);
        charged.answered(200);
        assertEquals(3, scene.stats().activeRequests);
    }

    /** A client with a queue of its own: after a slow phase all that it kept back would leave as a herd. */
    @Test
    void whatAClientsOwnQueueKeptBackLeavesAtTheBucketsPace() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(2));
        List<Permit> kept = scene.arrive(12);
        scene.pass(SECOND);
        assertEquals(0, scene.asleep.size());
        scene.pass(5 * SECOND); // the client's connections were busy
        List<Long> left = new ArrayList<>();
        List<Permit> again = new ArrayList<>();
        for (Permit p : kept) {
            Permit q = scene.enter(p.depart());
            assertNotSame(p, q);
            again.add(q);
        }
        Permit newcomer = scene.arrive();
        long start = scene.clock.nanos();
        scene.pass(0);
        assertEquals(2, scene.awake.size() - 10, "the burst goes at once");
        scene.pass(10 * SECOND);
        again.add(newcomer);
        List<Long> ends = scene.ends(again, start);
        assertEquals(Arrays.asList(0L, 0L, 100L, 200L, 300L, 400L, 500L, 600L, 700L, 800L, 900L, 1000L, 1100L), ends);
        again.forEach(p -> left.add(scene.end(p, 0)));
        Bound.check(left, new Limit(10, 2), 0);
        kept.forEach(p -> p.answered(429)); // have ended
        assertEquals(0, scene.stats().blocks(Verdict.RATE_LIMITED));
        assertEquals(13, scene.stats().totalRequests);
        assertEquals(13, scene.stats().activeRequests);
        again.forEach(p -> p.answered(200));
        scene.assertIdle();
    }

    /** It waited at the gate, and once more when its client's own queue let it go: that is one request that has waited. */
    @Test
    void aRequestThatWaitsTwiceIsCountedOnce() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        List<Permit> kept = scene.arrive(3);
        scene.pass(10 * SECOND); // two of them have waited, 1 s and 2 s
        for (Permit permit : kept) {
            scene.enter(permit.depart());
        }
        scene.pass(10 * SECOND); // the last two have waited again, 1 s and 2 s
        assertEquals(2, scene.stats().delayedRequests);
        assertEquals(6 * SECOND, scene.stats().totalWaitNanos);
        assertEquals(3, scene.stats().totalRequests);
    }

    /** The first one went at once, and waits where it leaves. */
    @Test
    void aRequestThatWaitsOnlyWhereItLeavesIsCounted() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        List<Permit> kept = scene.arrive(1);
        scene.pass(10 * SECOND);
        scene.arrive();
        scene.enter(kept.get(0).depart());
        scene.pass(10 * SECOND);
        assertEquals(1, scene.stats().delayedRequests);
        assertEquals(SECOND, scene.stats().totalWaitNanos);
    }

    @Test
    void whoLeavesOnTimeKeepsItsPermit() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(2));
        List<Permit> all = scene.arrive(3);
        scene.pass(10 * MILLI);
        assertSame(all.get(0), all.get(0).depart());
        scene.pass(90 * MILLI);
        assertSame(all.get(2), all.get(2).depart());
        assertEquals(3, scene.stats().activeRequests);
    }

    @Test
    void lateOnesGoBeforeThoseWhoHaveNotHadTheirTurn() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        Permit first = scene.arrive();
        List<Permit> waiting = scene.arrive(2);
        scene.pass(900 * MILLI);
        Permit again = scene.enter(first.depart());
        long start = scene.clock.nanos();
        scene.pass(10 * SECOND);
        // nothing left at 0 s after all, so a token is there now; but whether it left, the bucket cannot know: the next one is due in 0.1 s
        assertEquals(Arrays.asList(100L, 1100L, 2100L), scene.ends(Arrays.asList(again, waiting.get(0), waiting.get(1)), start));
    }

    @Test
    void inADryRunNobodyIsLate() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        scene.limiter.setDryRun(true);
        Permit permit = scene.arrive();
        scene.pass(100 * SECOND);
        assertSame(permit, permit.depart());
    }

    @Test
    void anUnusedPermitThatHadWaitedGivesItsTokenBack() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(3));
        List<Permit> all = scene.arrive(6);
        scene.pass(SECOND);
        assertEquals(1, scene.awake.size());
        all.get(3).unused();
        long start = scene.clock.nanos();
        scene.pass(10 * SECOND);
        assertEquals(Arrays.asList(0L, 1000L), scene.ends(all.subList(4, 6), start), "those behind move up");
        assertEquals(5, scene.stats().activeRequests);
    }

    /** With a burst of 1 the bucket would have been full anyway: giving it back could let two go at once. */
    @Test
    void anUnusedTokenGoesBackOnlyWhereThatCannotBreakTheRate() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        List<Permit> all = scene.arrive(3);
        scene.pass(1500 * MILLI);
        all.get(1).unused();
        scene.pass(0);
        assertTrue(all.get(2).waiting());
        long start = scene.clock.nanos();
        scene.pass(10 * SECOND);
        assertEquals(500, scene.end(all.get(2), start) / MILLI);
    }

    /** An event loop that cancels a request must not wait for who reschedules a thousand others. */
    @Test
    void anUnusedPermitThatWentAtOnceWaitsForNoLock() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(3));
        Permit permit = scene.arrive();
        Inside.of(scene.key()).lock().lock();
        try {
            Thread other = new Thread(permit::unused);
            other.start();
            other.join(10_000);
            assertFalse(other.isAlive());
        } finally {
            Inside.of(scene.key()).lock().unlock();
        }
        assertEquals(0, scene.stats().activeRequests);
    }

    @Test
    void anAbandonedRequestIsNoLongerInFlight() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(2));
        List<Permit> all = scene.arrive(2);
        all.get(0).abandoned();
        assertEquals(1, scene.stats().activeRequests);
        assertEquals(0.0, scene.stats().tokensAvailable, 1e-9, "it was sent: its token is gone");
        all.get(1).abandoned();
        scene.assertIdle();
    }

    /** The thread had read the clock when the token could still come back. Two went at once. */
    @Test
    void aTokenDoesNotComeBackAfterAnotherHasGoneMeanwhile() throws Exception {
        Scene scene = new Scene(b -> b.rate(1).burst(1));
        scene.arrive();
        Permit sent = scene.arrive();
        scene.pass(3 * SECOND);
        assertTrue(scene.arrive().granted());
        scene.clock.nextIsOld(2 * SECOND);
        sent.unused();
        assertTrue(scene.arrive().waiting(), "one goes in a second");
    }
}
