package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static io.tempolimit.core.FleetScene.arrive;
import static io.tempolimit.core.FleetScene.scene;
import static io.tempolimit.core.FleetScene.sent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.WindowLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slots of a key that several JVMs share: who gets them, who waits for them, and where those go that nobody uses. */
@Timeout(120)
class FleetSlotsTest {
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
        long last = s.departures.stream().mapToLong(Long::longValue).max().getAsLong();
        assertEquals(5.5, (last - begin) / 1e9, 0.01, "and none of it is lost");
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

    /** The log said that the rate held the first request for all the time that Redis took to answer. */
    @Test
    void whatTheStoreTookToAnswerIsNotToldAsTheRatesWait() {
        FleetScene s = new FleetScene(1, 1, 400 * MILLI, FleetScene.settings().timeout(2 * SECOND), b -> b.rate(10).burst(1));
        arrive(s.workers.get(0), 12);
        s.pass(2 * SECOND);
        assertEquals(12, s.departures.size());
        List<Long> delays = s.workers.get(0).delays;
        assertTrue(delays.size() > 1);
        assertTrue(delays.stream().allMatch(delay -> delay <= SECOND), delays::toString); // after the answer, the last waits 0.7 s
    }

    /** A redirect has asked it to come later. */
    @Test
    void whoFollowsARedirectTakesASlotWhenItIsTime() {
        FleetScene s = scene(2, b -> b.rate(10).burst(1));
        FleetScene.Worker w = s.workers.get(0);
        sent(s, w);
        s.pass(SECOND);
        long begin = s.clock.nanos();
        Inside.redirected(w.key(), "/", 20 * SECOND);
        Permit follows = w.arrive();
        s.pass(19 * SECOND);
        assertTrue(follows.waiting());
        s.pass(SECOND - MILLI);
        arrive(s.workers.get(1), 10);
        s.pass(3 * SECOND);
        assertTrue(follows.granted());
        long after = Inside.of(follows).dueAt - begin;
        assertTrue(after >= 20 * SECOND && after < 22 * SECOND, () -> "after " + after + " ns");
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
        WindowLimit hour = new WindowLimit(100, 3600 * SECOND);
        FleetScene s = scene(2, b -> b.rate(1000).burst(50).reject(true).windows(hour, new WindowLimit(4, 60 * SECOND)));
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
    void whoWasCancelledBeforeItsAnswerTookItsTokenAlong() {
        FleetScene s = scene(2, b -> b.rate(0.1).burst(1));
        Permit p = s.workers.get(0).arrive();
        p.cancel();
        s.pass(20 * MILLI);
        sent(s, s.workers.get(1));
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
        long last = s.departures.stream().mapToLong(Long::longValue).max().getAsLong();
        assertEquals((501 - 5) / 3.0, (last - begin) / 1e9, 0.4, "and none of it is lost");
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
