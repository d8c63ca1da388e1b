package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static io.tempolimit.core.FleetScene.arrive;
import static io.tempolimit.core.FleetScene.scene;
import static io.tempolimit.core.FleetScene.sent;
import static io.tempolimit.core.FleetScene.trip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks, rests, probes and an operator in several JVMs: what one of them knows, all do. */
@Timeout(120)
class FleetRecordTest {
    @Test
    void blocksOfAnyWorkersMakeOneCount() {
        FleetScene s = scene(3, b -> b.rate(100).burst(20).cooldownThreshold(3));
        trip(s, s.workers.get(0), s.workers.get(1), s.workers.get(2));
        for (FleetScene.Worker w : s.workers) {
            assertEquals("cooling_down", w.state());
            assertEquals(3, w.key().stats().consecutiveBlocks);
        }
        assertTrue(s.workers.get(0).heard.contains("cooldown fleet 1"), s.workers.get(0).heard.toString());
        assertTrue(s.workers.get(2).heard.contains("cooldown 429_rate_limited 1"), s.workers.get(2).heard.toString());
    }

    @Test
    void blocksAtTheSameTimeAreNotLost() {
        FleetScene s = scene(3, b -> b.rate(100).burst(20).cooldownThreshold(3));
        List<Permit> all = new ArrayList<>();
        for (FleetScene.Worker w : s.workers) {
            all.add(sent(s, w));
        }
        all.forEach(p -> p.answered(429));
        s.settle();
        s.settle();
        for (FleetScene.Worker w : s.workers) {
            assertEquals("cooling_down", w.state());
        }
        assertEquals(1, s.redis.incident("a.example").trips, "one incident is one incident");
    }

    @Test
    void oneProbeGoesAndOpensAll() {
        FleetScene s = scene(3, b -> b.rate(10).burst(5).cooldownThreshold(1));
        trip(s, s.workers.get(0));
        for (FleetScene.Worker w : s.workers) {
            arrive(w, 3);
        }
        int before = s.departures.size();
        s.pass(29 * SECOND);
        assertEquals(before, s.departures.size());
        s.pass(2 * SECOND);
        assertEquals(before + 1, s.departures.size(), "one probe in the fleet");
        for (FleetScene.Worker w : s.workers) {
            for (Permit p : w.gone) {
                if (Inside.of(p).probe > 0) {
                    p.answered(200);
                }
            }
        }
        s.settle();
        for (FleetScene.Worker w : s.workers) {
            assertEquals("open", w.state());
            assertTrue(w.heard.contains("ended"));
        }
        long opened = s.clock.nanos();
        s.pass(2 * SECOND);
        assertEquals(before + 9, s.departures.size());
        List<Long> after = new ArrayList<>(s.departures.subList(before + 1, before + 9));
        Bound.check(after, new Limit(10, 1), 0.2);
        assertTrue(after.get(0) - opened > 50 * MILLI, "from an empty bucket");
    }

    /** The lease of another worker's probe counted as a wait of 30 s: with max-wait all others' requests were rejected as a pause ended. */
    @Test
    void whoWaitsForAnotherWorkersProbeWaitsForItsAnswerAndNotForItsLease() {
        FleetScene s = scene(3, b -> b.rate(10).burst(5).cooldownThreshold(1).maxWait(40 * SECOND));
        trip(s, s.workers.get(0));
        s.workers.forEach(w -> w.gone.clear());
        s.workers.forEach(w -> arrive(w, 3));
        s.pass(31 * SECOND);
        s.workers.forEach(w -> arrive(w, 1));
        assertEquals(0, s.workers.stream().mapToInt(w -> w.rejected).sum(), "rejected while the probe is under way");
        for (FleetScene.Worker w : s.workers) {
            w.gone.forEach(p -> p.answered(200));
        }
        s.pass(2 * SECOND);
        assertEquals(12, s.workers.stream().mapToInt(w -> w.gone.size()).sum());
        assertEquals(0, s.workers.stream().mapToInt(w -> w.rejected).sum());
    }

    /** Whose probe has no answer is waited for as long as max-wait says, and no longer. */
    @Test
    void whoWaitsForAProbeWithoutAnAnswerIsRejectedInTime() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5).cooldownThreshold(1).maxWait(40 * SECOND));
        trip(s, s.workers.get(0));
        s.workers.forEach(w -> w.gone.clear());
        s.workers.forEach(w -> arrive(w, 3));
        s.pass(39 * SECOND);
        assertEquals(0, s.workers.stream().mapToInt(w -> w.rejected).sum());
        s.pass(2 * SECOND);
        assertEquals(1, s.workers.stream().mapToInt(w -> w.gone.size()).sum(), "the probe");
        assertEquals(5, s.workers.stream().mapToInt(w -> w.rejected).sum());
    }

    /** Those who wait make no call that could tell of it: the others went on for as long as the cooldown takes. */
    @Test
    void aBlockThatCouldNotBeToldIsToldAsSoonAsItCan() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5).cooldownThreshold(1));
        sent(s, s.workers.get(1));
        Permit p = sent(s, s.workers.get(0));
        s.workers.get(0).link.cut = true;
        p.answered(429);
        s.pass(SECOND / 10);
        s.workers.get(0).link.cut = false;
        s.pass(SECOND / 2);
        assertEquals("cooling_down", s.workers.get(1).state());
    }

    @Test
    void aProbesAnswerThatCouldNotBeToldIsToldAsSoonAsItCan() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5).cooldownThreshold(1));
        trip(s, s.workers.get(0));
        Permit p = s.workers.get(0).arrive();
        s.pass(31 * SECOND);
        arrive(s.workers.get(1), 1);
        s.workers.get(0).link.cut = true;
        p.answered(200);
        s.pass(SECOND / 10);
        s.workers.get(0).link.cut = false;
        s.pass(SECOND / 2);
        assertEquals("open", s.workers.get(1).state());
        assertEquals(0, s.workers.get(1).asleep.size());
    }

    @Test
    void anOperatorsResetIsEverywhere() {
        FleetScene s = scene(3, b -> b.rate(10).burst(5).cooldownThreshold(1).escalation(new Escalation(Escalation.LIFETIME)));
        trip(s, s.workers.get(0));
        arrive(s.workers.get(1), 1);
        s.settle();
        for (FleetScene.Worker w : s.workers) {
            if (w.key() != null) {
                assertEquals("lifetime_blocked", w.state());
            }
        }
        assertTrue(s.workers.get(1).heard.contains("for life fleet"));
        s.workers.get(1).key().reset();
        s.settle();
        for (FleetScene.Worker w : s.workers) {
            assertEquals("open", w.state());
            Permit p = w.arrive();
            s.pass(SECOND);
            assertTrue(p.granted());
        }
    }

    @Test
    void anOperatorsPauseAndResumeAreEverywhere() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5));
        sent(s, s.workers.get(0));
        sent(s, s.workers.get(1));
        s.workers.get(0).key().pause(60 * SECOND);
        s.settle();
        assertEquals("cooling_down", s.workers.get(1).state());
        Permit p = s.workers.get(1).arrive();
        s.pass(10 * SECOND);
        assertTrue(p.waiting());
        s.workers.get(1).key().resume();
        s.settle();
        assertEquals("open", s.workers.get(0).state());
        s.pass(SECOND);
        assertTrue(p.granted());
        s.workers.get(0).key().pause(60 * SECOND);
        s.settle();
        Permit q = s.workers.get(1).arrive();
        s.pass(61 * SECOND);
        assertTrue(q.granted());
        assertEquals(0, Inside.of(q).probe, "after an operator's pause nobody probes");
        assertEquals("open", s.workers.get(0).state());
    }

    @Test
    void anOperatorsLimitIsEverywhere() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5));
        sent(s, s.workers.get(0));
        sent(s, s.workers.get(1));
        s.workers.get(0).key().limit(new Limit(2, 1));
        s.settle();
        assertEquals(2, s.workers.get(1).key().limit().rate());
        s.workers.get(1).key().reset();
        s.settle();
        assertEquals(10, s.workers.get(0).key().limit().rate());
        assertEquals(10, s.workers.get(1).key().limit().rate());
    }

    @Test
    void whatRedisForgetsItIsToldAgain() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5).cooldownThreshold(1));
        trip(s, s.workers.get(0));
        s.redis.forget();
        Permit p = s.workers.get(1).arrive();
        s.pass(SECOND);
        assertTrue(p.granted(), "a new worker cannot know");
        Permit q = s.workers.get(0).arrive();
        s.pass(31 * SECOND);
        assertEquals(1, Inside.of(q).probe, "who knows, waits");
        assertEquals("cooling_down", s.workers.get(1).state());
    }

    /** What one asked for before it heard of the other's reset makes nobody believe that Redis has forgotten that. */
    @Test
    void anAnswerThatIsOlderThanWhatWasHeardMeanwhileSaysNothing() {
        for (int seed = 0; seed < 500; seed++) {
            FleetScene s = new FleetScene(seed, 2, 5 * MILLI, FleetScene.settings(), b -> b.rate(100).burst(1).cooldownThreshold(1));
            trip(s, s.workers.get(0));
            for (FleetScene.Worker w : s.workers) {
                arrive(w, 20);
            }
            s.settle();
            for (FleetScene.Worker w : s.workers) {
                w.key().reset();
            }
            s.pass(10 * SECOND);
            assertEquals(41, s.departures.size());
            Bound.check(s.departures.subList(1, 41), new Limit(100, 1), 1);
        }
    }

    /** It asks for each by a call of its own, and may probe: the fleet would let it once more, in case it has not heard that it may. */
    @Test
    void whoDoesNotKnowOfTheRestSendsOneProbeHoweverManyWait() {
        FleetScene s = new FleetScene(1, 2, MILLI, FleetScene.settings().lease(FleetSettings.OFF),
                b -> b.rate(10).burst(5).cooldownDuration(30 * SECOND, 30 * SECOND));
        trip(s, s.workers.get(0), s.workers.get(0), s.workers.get(0));
        s.pass(31 * SECOND);
        s.workers.add(s.new Worker(FleetScene.settings().lease(FleetSettings.OFF)));
        int before = s.departures.size();
        arrive(s.workers.get(2), 6);
        s.pass(5 * SECOND);
        assertEquals(1, s.departures.size() - before);
    }

    @Test
    void aProbeWentBeforeTheWindowHadRoom() {
        FleetScene s = scene(2, b -> b.rate(10).burst(50).cooldownThreshold(1).windows(new WindowLimit(3, 120 * SECOND)));
        sent(s, s.workers.get(0));
        sent(s, s.workers.get(1));
        trip(s, s.workers.get(0));
        Permit p = s.workers.get(1).arrive();
        s.pass(60 * SECOND);
        assertTrue(p.waiting(), "the rest is over, and the window is full");
        s.pass(61 * SECOND);
        assertEquals(1, Inside.of(p).probe);
        assertEquals(4, s.departures.size());
    }

    /** Requests that wait have reserved what is theirs; when the key rests, that is void. */
    @Test
    void aProbeDidNotGoBeforeAllThatWaitedHadHadTheirTurns() {
        FleetScene s = scene(2, b -> b.rate(1).burst(5).maxWait(3600 * SECOND).cooldownThreshold(1)
                .windows(new WindowLimit(1000, 7200 * SECOND)));
        Permit p = sent(s, s.workers.get(0));
        arrive(s.workers.get(1), 500);
        s.settle();
        p.answered(429);
        s.pass(32 * SECOND);
        assertTrue(s.workers.get(1).gone.stream().anyMatch(q -> Inside.of(q).probe > 0), "after the rest of half a minute");
    }

    @Test
    void whoWasCancelledBeforeItsProbeTookItsTokenAlong() {
        FleetScene s = scene(2, b -> b.rate(0.01).burst(1).cooldownThreshold(1).cooldownDuration(200 * SECOND, 200 * SECOND));
        trip(s, s.workers.get(0));
        Permit p = s.workers.get(0).arrive();
        s.passTo(p.wakeAt());
        assertTrue(p.waiting(), "asks");
        p.cancel();
        s.settle();
        Permit q = s.workers.get(1).arrive();
        s.pass(SECOND);
        assertEquals(1, Inside.of(q).probe);
    }

    @Test
    void aProbeWhoseAnswerWasLateWasNobodysForHalfAMinute() {
        FleetScene s = scene(1, b -> b.rate(10).burst(5).cooldownThreshold(1));
        FleetScene.Worker w = s.workers.get(0);
        trip(s, w);
        Permit p = w.arrive();
        s.redis.latency = 130 * MILLI; // more than the timeout, for most
        s.pass(30 * SECOND);
        s.pass(SECOND / 5);
        s.redis.latency = MILLI;
        s.pass(2 * SECOND);
        assertTrue(p.granted(), () -> w.heard.toString());
    }

    /** Its first call waits for its answer. */
    @Test
    void aResetByAWorkerThatHadTakenNothingFilledTheBucket() {
        FleetScene s = scene(2, b -> b.rate(1).burst(20).cooldownThreshold(1));
        trip(s, s.workers.get(0));
        s.workers.get(1).arrive();
        s.settle();
        s.workers.get(1).key().reset();
        s.settle();
        long opened = s.clock.nanos();
        for (FleetScene.Worker w : s.workers) {
            arrive(w, 20);
        }
        s.pass(5 * SECOND);
        long first = s.departures.stream().filter(t -> t - opened > 0).count();
        assertTrue(first <= 5, first + " in five seconds from an empty bucket");
    }
}
