package io.tempolimit.core;

import static io.tempolimit.core.CooldownTest.PAUSE;
import static io.tempolimit.core.CooldownTest.resting;
import static io.tempolimit.core.CooldownTest.scene;
import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who waits for a cooldown, is rejected for it, or leaves into one. */
class CooldownWaitersTest {
    // ---- max-wait, reject, settings

    @Test
    void whoCannotWaitThatLongIsRejectedAtOnce() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1).cooldownThreshold(1).cooldownDuration(PAUSE, PAUSE).maxWait(PAUSE + SECOND));
        scene.answer(429);
        scene.arrive(2);
        RequestRejectedException e = assertThrows(RequestRejectedException.class, scene::arrive);
        assertEquals("HOST_COOLING_DOWN", e.code());
        assertEquals(42, e.retryAfterSeconds());
        assertEquals(1, scene.stats().rejectedRequests);
        scene.pass(SECOND);
        assertTrue(scene.arrive().waiting());
    }

    @Test
    void rejectModeRejectsWhileItRestsAndLetsTheProbeGo() throws Exception {
        Scene scene = new Scene(p -> p.reject(true).cooldownThreshold(1).cooldownDuration(PAUSE, PAUSE));
        scene.answer(429);
        RequestRejectedException e = assertThrows(RequestRejectedException.class, scene::arrive);
        assertEquals("HOST_COOLING_DOWN", e.code());
        assertEquals(40, e.retryAfterSeconds());
        scene.pass(PAUSE);
        Permit probe = scene.arrive();
        assertTrue(probe.granted());
        assertThrows(RequestRejectedException.class, scene::arrive);
        probe.answered(200);
        assertThrows(RequestRejectedException.class, scene::arrive, "the bucket is empty");
        scene.pass(SECOND);
        assertTrue(scene.arrive().granted());
    }

    @Test
    void sleepersWhoseNewDeadlineIsTooFarAreRejectedThen() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1).cooldownThreshold(1).cooldownDuration(PAUSE, PAUSE).maxWait(20 * SECOND));
        List<Permit> all = scene.arrive(6);
        all.get(0).answered(429);
        scene.pass(0);
        assertEquals(5, scene.awake.size());
        assertEquals("HOST_COOLING_DOWN", all.get(1).rejection().code());
        assertEquals(40, all.get(1).rejection().retryAfterSeconds());
        assertEquals(5, Collections.frequency(scene.heard, "rejected HOST_COOLING_DOWN"));
    }

    @Test
    void whenTheFirstRunsOutOfPatienceTheNextTakesItsPlace() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(1).cooldownThreshold(1).cooldownDuration(PAUSE, PAUSE).maxWait(PAUSE + 20 * SECOND));
        scene.answer(429);
        scene.arrive(2);
        scene.pass(15 * SECOND);
        Permit third = scene.arrive();
        scene.pass(25 * SECOND); // the first is the probe, and silent until 70 s; the second's patience ends at 60 s, the third's at 75 s
        assertEquals(1, scene.awake.size());
        long start = scene.clock.nanos();
        scene.pass(100 * SECOND);
        assertNotNull(scene.awake.get(1).permit.rejection());
        assertEquals(20 * SECOND, scene.awake.get(1).end - start);
        assertSame(third, scene.awake.get(2).permit);
        assertEquals(30 * SECOND, scene.awake.get(2).end - start);
        assertTrue(third.granted());
    }

    @Test
    void newSettingsWhileItRestsHoldAfterwards() throws Exception {
        Scene scene = resting(11);
        scene.policy(p -> p.rate(2).burst(1));
        scene.pass(PAUSE);
        scene.awake.get(0).permit.answered(200);
        long start = scene.clock.nanos();
        scene.pass(100 * SECOND);
        assertEquals(500 * MILLI, scene.awake.get(1).end - start);
        assertEquals(5 * SECOND, scene.awake.get(10).end - start);
    }

    @Test
    void whoWaitsForACooldownGoesAtOnceWhenPacingStopsAndTheirAnswersSayNothing() throws Exception {
        Scene scene = resting(5);
        scene.limiter.setDryRun(true);
        scene.pass(0);
        assertEquals(5, scene.awake.size());
        scene.awake.get(0).permit.answered(200);
        scene.awake.get(1).permit.answered(403);
        assertEquals("would_cooling_down", scene.stats().state);
        assertEquals(1, scene.stats().cooldowns);
    }

    // ---- dry run

    @Test
    void aDryRunShowsWhatItWouldDo() throws Exception {
        Scene scene = scene();
        scene.limiter.setDryRun(true);
        for (int i = 0; i < 3; i++) {
            scene.arrive().answered(429);
        }
        assertEquals("would_cooling_down", scene.stats().state);
        scene.heard.clear();
        Permit would = scene.arrive();
        assertTrue(would.granted());
        assertEquals(Arrays.asList("delayed " + PAUSE, "throttled " + PAUSE), scene.heard);
        would.answered(200);
        assertEquals("would_cooling_down", scene.stats().state, "it would not have been sent");
        scene.pass(PAUSE);
        Permit probe = scene.arrive();
        assertEquals("would_probing", scene.stats().state);
        assertTrue(scene.arrive().granted());
        probe.answered(200);
        assertEquals("open", scene.stats().state);
    }

    // ---- a client's own queue

    @Test
    void whatAClientsOwnQueueKeptBackDoesNotLeaveIntoACooldown() throws Exception {
        Scene scene = scene();
        List<Permit> kept = scene.arrive(4);
        scene.trip(3);
        List<Permit> again = new ArrayList<>();
        for (Permit p : kept) {
            Permit q = scene.enter(p.depart());
            assertNotSame(p, q);
            assertTrue(q.waiting());
            again.add(q);
        }
        long start = scene.clock.nanos();
        scene.pass(PAUSE + SECOND);
        assertEquals(PAUSE, scene.end(again.get(0), start));
        again.get(0).answered(200);
        scene.pass(10 * SECOND);
        assertEquals(Arrays.asList(41_100L, 41_200L, 41_300L), scene.ends(again.subList(1, 4), start));
    }

    @Test
    void aProbeThatItsClientKeptBackIsStillTheProbe() throws Exception {
        Scene scene = resting(2);
        scene.pass(PAUSE);
        Permit probe = scene.awake.get(0).permit;
        assertSame(probe, probe.depart());
        scene.pass(10 * SECOND);
        Permit again = scene.enter(probe.depart());
        assertNotSame(probe, again);
        scene.pass(0);
        assertTrue(again.granted());
        assertEquals("probing", scene.stats().state);
        assertEquals(1, scene.stats().waitingRequests);
        again.answered(200);
        assertEquals("open", scene.stats().state);
    }

    @Test
    void inRejectModeWhatWasKeptBackIntoACooldownIsRejected() throws Exception {
        Scene scene = new Scene(p -> p.reject(true).burst(10).cooldownDuration(PAUSE, PAUSE));
        Permit kept = scene.arrive();
        scene.trip(3);
        RequestRejectedException e = assertThrows(RequestRejectedException.class, kept::depart);
        assertEquals("HOST_COOLING_DOWN", e.code());
        assertEquals(0, scene.stats().activeRequests);
        assertFalse(kept.granted());
    }

    @Test
    void tenThousandWaitersOfACooldownAreNoSquareOfWork() throws Exception {
        Scene scene = resting(0);
        List<Permit> all = new ArrayList<>();
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(); // the machine may be busy
        for (int i = 0; i < 20_000; i++) {
            all.add(scene.limiter.arrive(new TestTarget("a.example")));
        }
        for (Permit p : all) {
            p.cancel();
        }
        long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        assertTrue(took < 2 * SECOND, "took " + took / MILLI + " ms");
        assertEquals(0, scene.stats().waitingRequests);
    }
}
