package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static io.tempolimit.core.FleetScene.arrive;
import static io.tempolimit.core.FleetScene.sent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.WindowLimit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows that several JVMs share, where their store is away, or has lost them: what has gone counts all the same. */
@Timeout(120)
class FleetWindowsTest {
    private static final long SPAN = 60 * SECOND;

    private static FleetScene scene(int workers, int count, long maxWait) {
        FleetScene s = FleetScene.scene(workers, b -> {
            b.rate(100).burst(10).windows(new WindowLimit(count, SPAN));
            return maxWait > 0 ? b.maxWait(maxWait) : b;
        });
        for (FleetScene.Worker w : s.workers) { // each knows the bucket, and the window is empty again
            sent(s, w);
        }
        s.pass(2 * SPAN);
        s.departures.clear();
        return s;
    }

    private static void outage(FleetScene s, long length, Runnable meanwhile) {
        s.workers.forEach(w -> w.link.breaks());
        s.pass(SECOND);
        assertTrue(s.workers.stream().noneMatch(w -> w.link.shared()), "all are alone");
        meanwhile.run();
        s.pass(length);
        s.workers.forEach(w -> w.link.cut = false);
        s.pass(SECOND / 2);
        assertTrue(s.workers.stream().allMatch(w -> w.link.shared()), "all are back");
    }

    /** In any span; a waiter comes so late as messages take. */
    private static void check(FleetScene s, int count) {
        List<Long> t = new ArrayList<>(s.departures);
        t.sort(Long::compare);
        for (int i = count; i < t.size(); i++) {
            long span = t.get(i) - t.get(i - count);
            assertTrue(span >= SPAN - 10 * MILLI, count + 1 + " in " + span + ", the last at " + (t.get(i) - s.start) / MILLI + " ms");
        }
    }

    /** Thirty went during the outage, and thirty after it within the same minute. */
    @ParameterizedTest
    @ValueSource(ints = {30, 300})
    void whatWentWhileTheStoreWasAwayCountsAfterwards(int count) {
        FleetScene s = scene(3, count, 0);
        outage(s, 10 * SECOND, () -> s.workers.forEach(w -> arrive(w, 3 * count)));
        assertEquals(count, s.departures.size(), "each its part, during the outage");
        s.pass(10 * SPAN);
        check(s, count);
        assertEquals(9 * count, s.departures.size(), "and then all of it");
    }

    /**
     * Each took its part of the window, less what it had sent itself: where one had sent more than its part, the others did not know. With
     * real servers 214 of 200 went. What has gone since a worker's last answer it does not know.
     */
    @ParameterizedTest
    @CsvSource({"2, 30", "4, 40", "4, 200", "12, 600"})
    void asAnOutageBeginsTheOthersTookTheirPartsBesideWhatOneHadSentBeyondItsOwn(int workers, int count) {
        FleetScene s = scene(workers, count, 0);
        while (s.departures.size() < count * 3 / 4) {
            s.workers.forEach(FleetScene.Worker::arrive);
            arrive(s.workers.get(0), 4);
            s.pass(SECOND / 5);
        }
        s.workers.forEach(FleetScene.Worker::arrive);
        s.pass(SECOND / 5);
        outage(s, 20 * SECOND, () -> s.workers.forEach(w -> arrive(w, count)));
        int went = s.departures.size();
        assertTrue(went <= count + workers / 2, went + " of " + count);
        assertTrue(went >= count * 9 / 10, went + " of " + count + ": each but the first has its part of what was left");
        s.pass(60 * SPAN);
        check(s, count + workers / 2);
        s.pass((workers + 2) * SPAN);
        assertEquals(0, s.workers.stream().mapToInt(w -> w.asleep.size()).sum(), "and then all of it");
    }

    /**
     * What went while Redis was away was told to windows that Redis had lost, and what had gone before that was not: all of the window
     * could go once more.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void afterAnOutageThatEmptiedRedisWorkersToldWhatWentMeanwhileAndNotWhatHadGoneBefore(int meanwhile) {
        FleetScene s = scene(2, 30, 0);
        for (int i = 0; i < 6; i++) {
            arrive(s.workers.get(0), 3);
            s.workers.get(1).arrive();
            s.pass(SECOND / 5);
        }
        outage(s, SECOND, () -> {
            s.redis.forget();
            arrive(s.workers.get(1), meanwhile);
        });
        s.workers.forEach(w -> arrive(w, 10));
        s.pass(10 * SECOND);
        assertEquals(30, s.departures.size(), "24 had gone");
        s.pass(3 * SPAN);
        check(s, 30);
        assertEquals(44 + meanwhile, s.departures.size());
    }

    /**
     * A worker that has not asked for long knows what it has sent itself, and not what the others have. So it may send its part less what
     * it has sent. What another one sent beyond its part is the excess: less than the window once more.
     */
    @Test
    void asAnOutageBeginsWhatOneHadSentBeyondItsPartIsTooMuchAndNoMore() {
        FleetScene s = scene(2, 30, 0);
        arrive(s.workers.get(0), 30);
        s.pass(SECOND);
        outage(s, 10 * SECOND, () -> s.workers.forEach(w -> arrive(w, 30)));
        assertEquals(30 + 15, s.departures.size(), "the other one's part");
        s.pass(10 * SPAN);
        check(s, 30 + 15);
        assertEquals(90, s.departures.size());
    }

    @Test
    void asAnOutageBeginsNothingMoreGoesWhereEachHasSentItsPart() {
        FleetScene s = scene(2, 30, 0);
        s.workers.forEach(w -> arrive(w, 15));
        s.pass(SECOND);
        outage(s, 10 * SECOND, () -> s.workers.forEach(w -> arrive(w, 30)));
        assertEquals(30, s.departures.size());
        s.pass(10 * SPAN);
        check(s, 30);
        assertEquals(90, s.departures.size());
    }

    /** Who does not wait any more tells, too. */
    @Test
    void whoHasNobodyWaitingTellsWhatItSent() {
        FleetScene s = scene(2, 30, SECOND);
        FleetScene.Worker silent = s.workers.get(0);
        outage(s, 10 * SECOND, () -> arrive(silent, 30));
        assertEquals(15, s.departures.size());
        arrive(s.workers.get(1), 40);
        s.pass(SECOND);
        check(s, 30);
        assertEquals(30, s.departures.size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWindowThatTheStoreHasLostIsToldByThoseWhoFilledIt(boolean restart) {
        FleetScene s = scene(3, 30, 0);
        s.workers.forEach(w -> arrive(w, 10));
        s.pass(5 * SECOND);
        assertEquals(30, s.departures.size());
        if (restart) {
            s.redis.forget();
        } else {
            s.redis.flush();
        }
        s.workers.forEach(w -> arrive(w, 10));
        s.pass(3 * SPAN);
        check(s, 30);
        assertEquals(60, s.departures.size());
    }

    /** Those that nobody asks again tell when they hear of the loss. */
    @Test
    void whoAsksForNothingTellsWhenItHearsOfTheLoss() {
        FleetScene s = scene(3, 30, 0);
        s.workers.forEach(w -> arrive(w, 1));
        arrive(s.workers.get(0), 27);
        s.pass(5 * SECOND);
        assertEquals(30, s.departures.size());
        s.redis.flush();
        arrive(s.workers.get(1), 5);
        s.pass(50 * SECOND);
        assertEquals(30, s.departures.size());
        s.pass(10 * SECOND);
        assertEquals(35, s.departures.size());
        check(s, 30);
    }

    /** The replica had not heard of the last calls, and knew of the others. */
    @Test
    void aReplicaThatIsBehindCountsWhatItKnowsOnce() {
        FleetScene s = scene(2, 30, 0);
        s.workers.forEach(w -> arrive(w, 5));
        s.pass(5 * SECOND);
        Runnable replica = s.redis.rollback();
        arrive(s.workers.get(0), 5);
        s.pass(5 * SECOND);
        replica.run();
        arrive(s.workers.get(0), 20);
        s.pass(SECOND);
        arrive(s.workers.get(1), 20);
        s.pass(10 * SECOND);
        check(s, 30);
        int went = s.departures.size();
        assertTrue(went >= 25, went + ": fifteen went, of which the last that the replica knew may count twice");
    }

    /** Its answer is lost, so it is told once more. */
    @Test
    void whatIsToldTwiceCountsOnce() {
        FleetScene s = scene(1, 30, 0);
        FleetScene.Worker w = s.workers.get(0);
        w.link.breaks();
        s.pass(SECOND);
        arrive(w, 20);
        s.pass(10 * SECOND);
        assertEquals(20, s.departures.size());
        w.link.cut = false;
        s.pass(145 * MILLI);
        s.redis.latency = 200 * MILLI;
        s.pass(500 * MILLI);
        s.redis.latency = MILLI;
        assertTrue(w.link.shared() && w.asleep.isEmpty());
        arrive(w, 20);
        s.pass(5 * SECOND);
        check(s, 30);
        assertEquals(30, s.departures.size());
    }

    /** Turns that were given out where a call failed now and then. */
    @Test
    void whatWentWhereOneCallFailedCounts() {
        FleetScene s = scene(2, 30, 0);
        for (int i = 0; i < 40; i++) {
            s.workers.forEach(w -> w.link.cut = true);
            s.workers.forEach(FleetScene.Worker::arrive);
            s.pass(100 * MILLI);
            s.workers.forEach(w -> w.link.cut = false);
            s.pass(400 * MILLI);
            s.workers.forEach(FleetScene.Worker::arrive);
            s.pass(500 * MILLI);
        }
        assertTrue(s.workers.stream().noneMatch(w -> w.heard.contains("lost")), "it is never given up");
        s.pass(10 * SPAN);
        check(s, 31); // one asks for more before the other has told of its last turn
        assertEquals(160, s.departures.size());
    }
}
