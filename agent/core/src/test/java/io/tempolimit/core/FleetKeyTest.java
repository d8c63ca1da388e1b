package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several JVMs as one client. */
@Timeout(120)
class FleetKeyTest {
    private static FleetScene scene(int workers, UnaryOperator<Policy.Builder> policy) {
        return new FleetScene(1, workers, MILLI, FleetScene.settings(), b -> policy.apply(b.cooldownDuration(30 * SECOND, 30 * SECOND)));
    }

    private static List<Permit> arrive(FleetScene.Worker w, int n) {
        List<Permit> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add(w.arrive());
        }
        return all;
    }

    private static Permit sent(FleetScene s, FleetScene.Worker w) {
        Permit p = w.arrive();
        s.settle();
        assertTrue(p.granted(), "not sent");
        return p;
    }

    /** A worker is blocked until the key rests. */
    private static void trip(FleetScene s, FleetScene.Worker... by) {
        List<Permit> all = new ArrayList<>();
        for (FleetScene.Worker w : by) {
            all.add(sent(s, w));
        }
        for (Permit p : all) {
            p.answered(429);
            s.settle();
        }
    }

    @Test
    void allWorkersTakeFromOneBucket() {
        FleetScene s = scene(3, b -> b.rate(10).burst(5));
        long begin = s.clock.nanos();
        for (FleetScene.Worker w : s.workers) {
            arrive(w, 20);
        }
        s.pass(10 * SECOND);
        assertEquals(60, s.departures.size());
        Bound.check(s.departures, new Limit(10, 5), 0.5);
        assertEquals(5.5, (s.departures.stream().mapToLong(Long::longValue).max().getAsLong() - begin) / 1e9, 0.01, "and none of it is lost");
    }

    @Test
    void whoNeedNotWaitIsNotDelayed() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5));
        Permit p = s.workers.get(0).arrive();
        assertTrue(p.waiting(), "asks first");
        s.settle();
        assertTrue(p.granted());
        assertEquals(new ArrayList<>(), s.workers.get(0).heard);
        assertEquals(0, s.workers.get(0).key().stats().delayedRequests);
        assertEquals(1, s.redis.calls);
    }

    /** A redirect has asked it to come later. */
    @Test
    void whoFollowsARedirectTakesASlotWhenItIsTime() {
        FleetScene s = scene(2, b -> b.rate(10).burst(1));
        FleetScene.Worker w = s.workers.get(0);
        sent(s, w);
        s.pass(SECOND);
        long begin = s.clock.nanos();
        w.limiter.redirected(new TestTarget("a.example"), "/", 20 * SECOND, begin);
        Permit follows = w.arrive();
        s.pass(19 * SECOND);
        assertTrue(follows.waiting());
        s.pass(SECOND - MILLI);
        arrive(s.workers.get(1), 10);
        s.pass(3 * SECOND);
        assertTrue(follows.granted());
        assertTrue(follows.due - begin >= 20 * SECOND && follows.due - begin < 22 * SECOND, () -> "after " + (follows.due - begin) + " ns");
        assertEquals(12, s.departures.size());
        Bound.check(s.departures, new Limit(10, 1), 0.5);
        assertEquals(0, w.key().stats().waitingRequests);
    }

    @Test
    void whoDoesNotWaitIsRejectedByTheAnswer() {
        FleetScene s = scene(2, b -> b.rate(1).burst(1).reject(true));
        sent(s, s.workers.get(0));
        Permit p = s.workers.get(1).arrive();
        s.settle();
        assertNotNull(p.rejection());
        assertEquals("RATE_LIMIT_EXCEEDED", p.rejection().code());
        assertEquals(1, p.rejection().retryAfterSeconds());
    }

    @Test
    void patienceIsToldToTheFleet() {
        FleetScene s = scene(2, b -> b.rate(1).burst(1).maxWait(2 * SECOND + 100 * MILLI));
        arrive(s.workers.get(0), 2);
        s.settle();
        List<Permit> late = arrive(s.workers.get(1), 3);
        s.settle();
        assertTrue(late.get(0).waiting(), "in two seconds");
        assertNotNull(late.get(1).rejection());
        assertNotNull(late.get(2).rejection());
        s.pass(3 * SECOND);
        assertTrue(late.get(0).granted());
        Permit next = s.workers.get(0).arrive();
        s.settle();
        assertTrue(next.granted(), "who was rejected has taken nothing");
    }

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
                if (p.probe > 0) {
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

    @Test
    void whoLosesItsProbeLetsAnotherGo() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5).cooldownThreshold(1));
        trip(s, s.workers.get(0));
        arrive(s.workers.get(0), 1);
        arrive(s.workers.get(1), 1);
        int before = s.departures.size();
        s.pass(31 * SECOND);
        assertEquals(before + 1, s.departures.size());
        for (FleetScene.Worker w : s.workers) {
            for (Permit p : w.gone) {
                if (p.probe > 0) {
                    p.abandoned();
                }
            }
        }
        s.pass(SECOND);
        assertEquals(before + 1, s.departures.size(), "the other one looks when the first one's lease is over");
        s.pass(30 * SECOND);
        assertEquals(before + 2, s.departures.size());
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
        assertEquals(0, q.probe, "after an operator's pause nobody probes");
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
    void whatRedisForgetsItIsToldAgain() {
        FleetScene s = scene(2, b -> b.rate(10).burst(5).cooldownThreshold(1));
        trip(s, s.workers.get(0));
        s.redis.forget();
        Permit p = s.workers.get(1).arrive();
        s.pass(SECOND);
        assertTrue(p.granted(), "a new worker cannot know");
        Permit q = s.workers.get(0).arrive();
        s.pass(31 * SECOND);
        assertEquals(1, q.probe, "who knows, waits");
        assertEquals("cooling_down", s.workers.get(1).state());
    }

    @Test
    void cancelledOnesLeaveTheirSlotsToThoseBehindThem() {
        FleetScene s = scene(2, b -> b.rate(1).burst(1));
        List<Permit> all = arrive(s.workers.get(0), 6);
        s.settle();
        Permit other = s.workers.get(1).arrive();
        s.settle();
        long due = all.get(2).wakeAt();
        all.get(1).cancel();
        all.get(2).cancel();
        assertEquals(due, all.get(4).wakeAt());
        s.settle();
        Permit next = s.workers.get(0).arrive();
        assertTrue(next.wakeAt() < other.wakeAt(), "a slot that came free");
        s.pass(10 * SECOND);
        assertTrue(other.granted() && next.granted());
        Bound.check(s.departures, new Limit(1, 1), 0.5);
    }

    @Test
    void anUnusedTokenGoesBack() {
        FleetScene s = scene(2, b -> b.rate(1).burst(1));
        Permit p = sent(s, s.workers.get(0));
        p.unused();
        s.settle();
        sent(s, s.workers.get(1));
    }

    /** That others had taken some was heard with a refusal. */
    @Test
    void whoCancelsGivesBackHisOwnSlotNotAnotherWorkers() {
        FleetScene s = scene(2, b -> b.rate(1).burst(1).maxWait(6 * SECOND));
        arrive(s.workers.get(0), 2);
        s.settle();
        arrive(s.workers.get(1), 5);
        s.settle();
        assertEquals(5, s.workers.get(1).asleep.size());
        arrive(s.workers.get(0), 1);
        s.settle();
        assertEquals(1, s.workers.get(0).rejected, "the bucket is taken until after its wait");
        s.workers.get(0).asleep.remove(0).permit.cancel();
        s.pass(MILLI * 500);
        arrive(s.workers.get(1), 3);
        s.pass(20 * SECOND);
        Bound.check(s.departures, new Limit(1, 1), 0.1);
    }

    /** The other worker's reset makes all slots void, also one that is on its way back. */
    @Test
    void aSlotThatIsOnItsWayBackIsVoidWhenTheKeyIsReset() {
        for (int seed = 0; seed < 50; seed++) { // its messages come in this order, or in that one
            FleetScene s = new FleetScene(seed, 2, 5 * MILLI, FleetScene.settings(), b -> b.rate(1).burst(1));
            arrive(s.workers.get(0), 4);
            s.settle();
            arrive(s.workers.get(1), 1);
            s.settle();
            List<FleetScene.Sleeper> asleep = s.workers.get(0).asleep;
            asleep.remove(asleep.size() - 1).permit.cancel();
            s.workers.get(1).key().reset();
            s.settle();
            arrive(s.workers.get(0), 4);
            s.pass(30 * SECOND);
            Bound.check(s.departures, new Limit(1, 1), 0.1);
            assertEquals(8, s.departures.size());
        }
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
        FleetScene s = new FleetScene(1, 2, MILLI, FleetScene.settings().lease(FleetSettings.OFF), b -> b.rate(10).burst(5).cooldownDuration(30 * SECOND, 30 * SECOND));
        trip(s, s.workers.get(0), s.workers.get(0), s.workers.get(0));
        s.pass(31 * SECOND);
        s.workers.add(s.new Worker(FleetScene.settings().lease(FleetSettings.OFF)));
        int before = s.departures.size();
        arrive(s.workers.get(2), 6);
        s.pass(5 * SECOND);
        assertEquals(1, s.departures.size() - before);
    }

    @Test
    void newSettingsApplyToThoseWhoWaitInEveryWorker() {
        FleetScene s = scene(2, b -> b.rate(0.1).burst(1));
        for (FleetScene.Worker w : s.workers) {
            arrive(w, 10);
        }
        s.pass(SECOND);
        s.policy(b -> b.rate(10).burst(1));
        s.pass(3 * SECOND);
        assertEquals(20, s.departures.size());
        Bound.check(s.departures, new Limit(10, 1), 0.5);
    }

    @Test
    void windowsAreShared() {
        FleetScene s = scene(2, b -> b.rate(100).burst(50).windows(new WindowLimit(10, 10 * SECOND)));
        for (FleetScene.Worker w : s.workers) {
            arrive(w, 15);
        }
        s.pass(9 * SECOND);
        assertEquals(10, s.departures.size());
        s.pass(2 * SECOND);
        assertEquals(20, s.departures.size());
        s.pass(10 * SECOND);
        assertEquals(30, s.departures.size());
    }

    @Test
    void requestsInFlightAreCountedInEachWorker() {
        FleetScene s = scene(2, b -> b.rate(1000).burst(50).concurrency(2));
        for (FleetScene.Worker w : s.workers) {
            arrive(w, 4);
        }
        s.settle();
        assertEquals(4, s.departures.size());
        s.workers.get(0).gone.get(0).answered(200);
        s.settle();
        assertEquals(5, s.departures.size());
        s.workers.get(0).gone.get(1).answered(200);
        s.settle();
        assertEquals(6, s.departures.size());
        assertEquals(4, s.workers.get(0).gone.size());
    }

    @Test
    void aRefusalForASharedWindowSaidThatItWasTheRate() {
        FleetScene s = scene(2, b -> b.rate(1000).burst(50).reject(true).windows(new WindowLimit(100, 3600 * SECOND), new WindowLimit(4, 60 * SECOND)));
        for (int i = 0; i < 4; i++) {
            sent(s, s.workers.get(i % 2));
        }
        s.pass(20 * SECOND);
        Permit p = s.workers.get(1).arrive();
        s.settle();
        assertEquals(Arrays.asList("WINDOW_EXCEEDED", "window", "5/4", "limit: 4 requests in 60 s per host"),
                Arrays.asList(p.rejection().code(), p.rejection().limitType(), p.rejection().currentUsage(), p.rejection().hint()));
        assertEquals(40, p.rejection().retryAfterSeconds());
        FleetScene rate = scene(2, b -> b.rate(1).burst(2).reject(true).windows(new WindowLimit(100, 60 * SECOND)));
        sent(rate, rate.workers.get(0));
        sent(rate, rate.workers.get(1));
        Permit q = rate.workers.get(1).arrive();
        rate.settle();
        assertEquals("RATE_LIMIT_EXCEEDED", q.rejection().code());
    }

    /** As alone: up to {@code retry-after.max}. */
    @Test
    void aSharedWindowThatWasFullForHoursMadeItsRequestsWait() {
        FleetScene s = scene(2, b -> b.rate(1000).burst(50).retryAfterMax(3600 * SECOND).windows(new WindowLimit(2, 7200 * SECOND)));
        sent(s, s.workers.get(0));
        sent(s, s.workers.get(1));
        Permit p = s.workers.get(1).arrive();
        s.settle();
        assertEquals("WINDOW_EXCEEDED", p.rejection().code());
        assertEquals(7200, p.rejection().retryAfterSeconds());
        s.pass(4000 * SECOND);
        Permit q = s.workers.get(0).arrive();
        s.settle();
        assertTrue(q.waiting(), "in less than an hour");
        s.pass(3300 * SECOND);
        assertTrue(q.granted());
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
        assertEquals(1, p.probe);
        assertEquals(4, s.departures.size());
    }

    /** Requests that wait have reserved what is theirs; when the key rests, that is void. */
    @Test
    void aProbeDidNotGoBeforeAllThatWaitedHadHadTheirTurns() {
        FleetScene s = scene(2, b -> b.rate(1).burst(5).maxWait(3600 * SECOND).cooldownThreshold(1).windows(new WindowLimit(1000, 7200 * SECOND)));
        Permit p = sent(s, s.workers.get(0));
        arrive(s.workers.get(1), 500);
        s.settle();
        p.answered(429);
        s.pass(32 * SECOND);
        assertTrue(s.workers.get(1).gone.stream().anyMatch(q -> q.probe > 0), "after the rest of half a minute");
    }

    @Test
    void whoWasCancelledBeforeItsAnswerTookItsTokenAlong() {
        FleetScene s = scene(2, b -> b.rate(0.1).burst(1));
        Permit p = s.workers.get(0).arrive();
        p.cancel();
        s.pass(20 * MILLI);
        sent(s, s.workers.get(1));
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
        assertEquals(1, q.probe);
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

    /** A thousand requests were submitted at once; then the program was killed. */
    @Test
    void aWorkerThatWasKilledLeftItsQueueReserved() {
        FleetScene s = scene(2, b -> b.rate(3).burst(5));
        arrive(s.workers.get(0), 1000);
        s.pass(10 * SECOND);
        s.workers.get(0).asleep.clear();
        s.workers.get(0).link.cut = true;
        Permit p = s.workers.get(1).arrive();
        s.pass(8 * SECOND);
        assertTrue(p.granted(), "stands behind what had been reserved");
        Bound.check(s.departures, new Limit(3, 5), 0.5);
    }

    @Test
    void theLongQueueOfOneWorkerIsPacedAtTheFullRate() {
        FleetScene s = scene(2, b -> b.rate(3).burst(5));
        long begin = s.clock.nanos();
        arrive(s.workers.get(0), 500);
        s.pass(60 * SECOND);
        Permit other = s.workers.get(1).arrive();
        s.pass(6 * SECOND);
        assertTrue(other.granted(), "is not behind the whole queue");
        s.pass(400 * SECOND);
        assertEquals(501, s.departures.size());
        assertEquals((501 - 5) / 3.0, (s.departures.stream().mapToLong(Long::longValue).max().getAsLong() - begin) / 1e9, 0.4, "and none of it is lost");
        assertTrue(s.redis.calls <= 510, s.redis.calls + " calls");
        Bound.check(s.departures, new Limit(3, 5), 0.5);
        assertTrue(s.workers.get(0).asleep.isEmpty());
    }

    @Test
    void whenTheOneWhoWasToAskIsCancelledAnotherAsks() {
        FleetScene s = scene(1, b -> b.rate(3).burst(1));
        FleetScene.Worker w = s.workers.get(0);
        List<Permit> all = arrive(w, 600);
        s.settle();
        all.subList(10, 300).forEach(Permit::cancel);
        w.asleep.removeIf(x -> x.permit.cancelled());
        s.pass(200 * SECOND);
        assertEquals(310, s.departures.size());
    }

    /** A rate of one in an hour was raised: the next request waited for the rest of the hour. */
    @Test
    void aRaisedRateWasHeldUpByTheOldOnesDebt() {
        FleetScene s = scene(2, b -> b.rate(1 / 3600.0).burst(1));
        sent(s, s.workers.get(0));
        s.pass(SECOND);
        s.policy(b -> b.rate(3).burst(5));
        s.settle();
        Permit p = s.workers.get(1).arrive();
        s.pass(4 * SECOND);
        assertTrue(p.granted());
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

    /** Calls take 50 ms, and eight threads want a thousand a second. */
    @Test
    void aHotKeyBehindASlowLineGotOneRequestACallAndThread() {
        FleetScene s = new FleetScene(1, 1, 50 * MILLI, FleetScene.settings().timeout(500 * MILLI), b -> b.rate(1000).burst(100));
        s.leaves = (w, p) -> s.redis.at(s.clock.nanos(), w::arrive);
        arrive(s.workers.get(0), 8);
        s.pass(5 * SECOND);
        int before = s.departures.size();
        s.pass(5 * SECOND);
        assertTrue(s.departures.size() - before >= 4500, s.departures.size() - before + " in five seconds");
        assertTrue(s.redis.calls < s.departures.size() / 5, s.redis.calls + " calls");
        Bound.check(s.departures, new Limit(1000, 100), 51);
    }
}
