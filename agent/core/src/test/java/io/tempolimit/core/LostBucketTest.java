package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Redis loses a bucket while requests have turns out of it: FLUSHALL, eviction of the key, a failover to a replica that had
 * not heard of the last calls.
 */
@Timeout(120)
class LostBucketTest {
    private static final Limit ALL = new Limit(20, 8);

    private static FleetScene scene(int workers, long maxWait) {
        return new FleetScene(1, workers, MILLI, FleetScene.settings(), b -> {
            b.rate(ALL.rate()).burst(ALL.burst());
            return maxWait > 0 ? b.maxWait(maxWait) : b;
        });
    }

    private static void arrive(FleetScene.Worker w, int n) {
        for (int i = 0; i < n; i++) {
            w.arrive();
        }
    }

    /** What goes while the news is under way, three messages of a millisecond each, is a tenth of a token. */
    private static void check(FleetScene s) {
        Bound.check(s.departures, ALL, 0.5);
    }

    @Test
    void turnsOfABucketThatWasFlushedWereUsedBesideThoseOfTheNext() {
        FleetScene s = scene(3, 0);
        s.workers.forEach(w -> arrive(w, 100));
        s.pass(2 * SECOND + 7 * MILLI);
        s.redis.flush();
        s.workers.forEach(w -> arrive(w, 10));
        s.pass(20 * SECOND);
        check(s);
        assertEquals(330, s.departures.size(), "nobody is forgotten");
        assertTrue(s.clock.nanos() - s.start < 23 * SECOND);
    }

    /** Who waits for so long at the most has a turn from the start, and asks for nothing more. */
    @Test
    void thoseWhoseTurnsWereAllReservedHearOfTheLossFromWhoeverAsksNext() {
        FleetScene s = scene(3, 60 * SECOND);
        s.workers.forEach(w -> arrive(w, 60));
        s.pass(2 * SECOND);
        s.redis.flush();
        s.workers.get(1).arrive();
        s.pass(40 * SECOND);
        check(s);
        assertEquals(181, s.departures.size() + s.workers.stream().mapToInt(w -> w.rejected).sum());
        assertTrue(s.departures.size() >= 180, "the bucket is as empty as before: " + s.departures.size());
    }

    /** It cannot know that there was a bucket, and has its burst; the others look each second while they go by what they have. */
    @Test
    void aWorkerThatIsNewBeginsAnotherBucketAndTheOthersNoticeWithinASecond() {
        FleetScene s = scene(3, 60 * SECOND);
        arrive(s.workers.get(0), 60);
        arrive(s.workers.get(1), 60);
        s.pass(2 * SECOND);
        s.redis.flush();
        arrive(s.workers.get(2), 20);
        s.pass(40 * SECOND);
        Bound.check(s.departures, new Limit(ALL.rate(), 2 * ALL.burst()), ALL.rate() + 1);
        List<Long> later = new ArrayList<>(s.departures);
        later.removeIf(t -> t - s.start < 4 * SECOND);
        Bound.check(later, ALL, 0.5);
        assertEquals(140, s.departures.size());
    }

    @Test
    void whoMayNotListenNoticesWithinASecond() {
        FleetScene s = scene(2, 60 * SECOND);
        s.workers.forEach(w -> w.link.deaf = true);
        s.workers.forEach(w -> arrive(w, 60));
        s.pass(2 * SECOND);
        s.redis.flush();
        s.workers.get(1).arrive();
        s.pass(40 * SECOND);
        Bound.check(s.departures, ALL, ALL.rate() + 1);
        List<Long> later = new ArrayList<>(s.departures);
        later.removeIf(t -> t - s.start < 4 * SECOND);
        Bound.check(later, ALL, 0.5);
    }

    @Test
    void aReplicaThatHadNotHeardOfTheLastCallsGivesNoTurnTwice() {
        FleetScene s = scene(3, 0);
        s.workers.forEach(w -> arrive(w, 20));
        s.pass(SECOND);
        Runnable becomesMaster = s.redis.rollback();
        s.workers.forEach(w -> arrive(w, 60));
        s.pass(50 * MILLI);
        becomesMaster.run();
        s.workers.forEach(w -> arrive(w, 10));
        s.pass(30 * SECOND);
        check(s);
        assertEquals(270, s.departures.size());
    }

    /** A bucket that was full again for a minute is forgotten on purpose. */
    @Test
    void aBucketThatHasEndedIsNotLost() {
        FleetScene s = scene(2, 0);
        s.workers.forEach(w -> arrive(w, 4));
        s.pass(70 * SECOND);
        s.departures.clear();
        s.workers.forEach(w -> arrive(w, 4));
        s.settle();
        assertEquals(8, s.departures.size(), "the whole burst");
    }

    @Test
    void aLinkThatBreaksCostsNobodyHisTurn() {
        FleetScene s = scene(2, 60 * SECOND);
        s.workers.forEach(w -> arrive(w, 100));
        s.pass(2 * SECOND);
        s.redis.workers.forEach(w -> w.link++);
        s.workers.forEach(w -> arrive(w, 2));
        s.pass(11 * SECOND);
        check(s);
        assertEquals(204, s.departures.size());
    }

    /** With windows, jitter, few at a time and whatever else, wherever the losses come. */
    @Test
    void whateverTheSettingsAreTheBoundHoldsThroughLosses() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            Limit limit = new Limit(new double[] {3, 20, 100}[random.nextInt(3)], 1 + random.nextInt(10));
            FleetScene s = new FleetScene(seed, 2 + random.nextInt(3), MILLI, FleetScene.settings(), b -> {
                b.rate(limit.rate()).burst(limit.burst());
                if (random.nextBoolean()) {
                    b.maxWait((5 + random.nextInt(60)) * SECOND);
                }
                if (random.nextInt(4) == 0) {
                    b.jitter(random.nextDouble());
                }
                return random.nextInt(4) == 0 ? b.concurrency(200) : b;
            });
            for (int i = 0; i < 60; i++) {
                s.workers.get(random.nextInt(s.workers.size())).arrive();
                if (i == 30) {
                    s.workers.forEach(w -> arrive(w, 20)); // each knows the bucket, and has a queue
                }
                s.pass((long) (random.nextDouble() * 4e9 / limit.rate()));
                if (i > 30 && random.nextInt(8) == 0) {
                    s.redis.flush();
                    s.workers.forEach(FleetScene.Worker::arrive);
                }
            }
            s.pass(100 * SECOND);
            try {
                Bound.check(s.departures, limit, 0.5);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
            for (FleetScene.Worker w : s.workers) {
                assertTrue(w.asleep.isEmpty(), "seed " + seed + ": forgotten");
            }
        }
    }
}
