package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.detect.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What one key does with its requests while nobody blocks it. */
class KeyTest {

    // ---- order, counts

    @Test
    void theBurstGoesAtOnceAndTheOthersInOrderAtTheRate() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(2));
        long start = scene.clock.nanos();
        List<Permit> all = scene.arrive(6);
        assertTrue(all.get(0).granted() && all.get(1).granted());
        assertTrue(all.get(2).waiting());
        assertEquals(start + 100 * MILLI, all.get(2).wakeAt(), "the wait is announced");
        scene.pass(99 * MILLI);
        assertTrue(scene.awake.isEmpty(), "nobody goes early");
        scene.pass(SECOND);
        assertEquals(Arrays.asList(100L, 200L, 300L, 400L), scene.ends(all.subList(2, 6), start));
        assertEquals(Arrays.asList("delayed 100000000", "delayed 200000000", "delayed 300000000", "delayed 400000000",
                "throttled 100000000", "throttled 200000000", "throttled 300000000", "throttled 400000000"), scene.heard);
        KeyStats s = scene.stats();
        assertEquals(6, s.totalRequests);
        assertEquals(4, s.delayedRequests);
        assertEquals(SECOND, s.totalWaitNanos);
        assertEquals(250 * MILLI, s.averageWaitNanos());
        assertEquals(6, s.activeRequests);
        assertEquals("open", s.state);
        all.forEach(p -> p.answered(200));
        scene.assertIdle();
    }

    @Test
    void aWaitUnderTenMillisecondsIsNoDelayWorthCounting() throws Exception {
        Scene scene = new Scene(p -> p.rate(1000).burst(1));
        scene.arrive(3);
        scene.pass(SECOND);
        assertEquals(0, scene.stats().delayedRequests);
        assertEquals(Arrays.asList("delayed 1000000", "delayed 2000000"), scene.heard);
    }

    @Test
    void aWaitThatIsOverIsToldOnce() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        Permit permit = scene.arrive(2).get(1);
        scene.pass(SECOND);
        assertTrue(permit.poll() && permit.poll());
        permit.answered(200);
        assertTrue(permit.poll());
        assertEquals(Arrays.asList("delayed 1000000000", "throttled 1000000000"), scene.heard);
        assertEquals(1, scene.stats().delayedRequests);
    }

    @Test
    void onePermitEndsOnce() throws Exception {
        Scene scene = new Scene(p -> p);
        Permit permit = scene.arrive();
        permit.answered(100);
        permit.answered(103);
        assertEquals(1, scene.stats().activeRequests, "1xx is no answer");
        permit.answered(429);
        permit.answered(429);
        permit.failed(new IOException());
        permit.unused();
        permit.abandoned();
        assertEquals(0, scene.stats().activeRequests);
        assertEquals(1, scene.stats().blocks(Verdict.RATE_LIMITED));
        assertEquals(0, scene.stats().blocks(Verdict.FORBIDDEN));
    }

    // ---- late sleepers

    /** The contract, 4: a suspended VM or a long pause of the collector gives no more than burst at once afterwards. */
    @Test
    void sleepersThatAPauseOfTheMachineMadeLateDoNotLeaveAsAHerd() throws Exception {
        for (int burst : new int[] {1, 2, 5}) {
            for (int order = 0; order < 3; order++) {
                Scene scene = new Scene(p -> p.rate(10).burst(burst));
                List<Permit> all = scene.arrive(burst + 50);
                List<Long> left = new ArrayList<>(Collections.nCopies(burst, scene.clock.nanos()));
                scene.clock.turn(3 * SECOND); // 30 of them are overdue
                List<Scene.Sleeper> sleepers = new ArrayList<>(scene.asleep);
                if (order > 0) {
                    Collections.shuffle(sleepers, new Random(order)); // threads wake in any order
                }
                for (Scene.Sleeper s : sleepers) {
                    scene.look(s);
                }
                assertTrue(scene.awake.size() <= burst, scene.awake.size() + " at once with a burst of " + burst);
                scene.pass(10 * SECOND);
                assertTrue(scene.asleep.isEmpty());
                scene.awake.forEach(s -> left.add(s.end));
                Bound.check(left, new Limit(10, burst), 0);
                for (int i = 1; i < 50; i++) {
                    assertTrue(scene.end(all.get(burst + i), 0) >= scene.end(all.get(burst + i - 1), 0), "in order of arrival");
                }
            }
        }
    }

    @Test
    void aNewcomerDoesNotOvertakeLateSleepers() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(1));
        List<Permit> all = scene.arrive(4);
        scene.clock.turn(10 * SECOND);
        Permit newcomer = scene.arrive();
        assertFalse(newcomer.granted());
        long start = scene.clock.nanos();
        scene.pass(SECOND);
        assertEquals(Arrays.asList(0L, 100L, 200L, 300L),
                scene.ends(Arrays.asList(all.get(1), all.get(2), all.get(3), newcomer), start));
    }

    @Test
    void sleepersThatAreALittleLateCostNoRate() throws Exception {
        Scene scene = new Scene(p -> p.rate(100).burst(5));
        long start = scene.clock.nanos();
        scene.arrive(205);
        Random random = new Random(11);
        while (!scene.asleep.isEmpty()) {
            Scene.Sleeper s = scene.asleep.get(0);
            scene.clock.set(Math.max(scene.clock.nanos(), s.alarm + random.nextInt(10) * MILLI));
            scene.look(s);
        }
        long took = scene.clock.nanos() - start;
        assertTrue(took <= 2 * SECOND + 10 * MILLI, "200 at 100/s took " + took);
    }

    // ---- max-wait, reject

    /** resilience4j#1283, redisson#1524: blocked for the whole time although it was clear that it would fail. */
    @Test
    void whoWouldWaitTooLongIsRejectedAtOnceAndTakesNoToken() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1).maxWait(2 * SECOND));
        List<Permit> all = scene.arrive(3);
        for (int i = 0; i < 50; i++) {
            RequestRejectedException e = assertThrows(RequestRejectedException.class, scene::arrive);
            assertEquals("RATE_LIMIT_EXCEEDED", e.code());
            assertEquals("a.example", e.host());
            assertEquals(3, e.retryAfterSeconds());
        }
        assertEquals(50, scene.stats().rejectedRequests);
        assertEquals(53, scene.stats().totalRequests);
        long start = scene.clock.nanos();
        scene.pass(SECOND / 2);
        Permit late = null;
        for (int i = 0; i < 2 && late == null; i++) {
            scene.pass(SECOND / 2);
            late = scene.arrive(); // its turn is at 3 s
        }
        scene.pass(10 * SECOND);
        assertEquals(Arrays.asList(1000L, 2000L, 3000L), scene.ends(Arrays.asList(all.get(1), all.get(2), late), start));
    }

    @Test
    void aSleeperWhoseTurnMovesBeyondItsPatienceIsRejectedThenAndTheOthersKeepTheirTurns() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(1).maxWait(2 * SECOND));
        long start = scene.clock.nanos();
        List<Permit> all = scene.arrive(11); // turns at 0.1 to 1 s
        scene.policy(p -> p.rate(2).burst(1).maxWait(2 * SECOND)); // 0.5 s, 1 s, 1.5 s, 2 s, 2.5 s ...
        scene.pass(0);
        assertEquals(6, scene.awake.size());
        for (int i = 5; i < 11; i++) {
            Permit p = all.get(i);
            assertEquals("RATE_LIMIT_EXCEEDED", p.rejection().code());
            assertTrue(p.rejection().retryAfterSeconds() >= 2, "retry after " + p.rejection().retryAfterSeconds());
        }
        assertEquals(6, scene.stats().rejectedRequests);
        assertEquals(6, Collections.frequency(scene.heard, "rejected RATE_LIMIT_EXCEEDED"));
        assertEquals(4, scene.stats().waitingRequests);
        scene.pass(10 * SECOND);
        assertEquals(Arrays.asList(500L, 1000L, 1500L, 2000L), scene.ends(all.subList(1, 5), start));
    }

    /** The one who is rejected leaves its turn to those behind, who may have arrived later and so have patience left. */
    @Test
    void aRejectedSleeperDoesNotTakeOthersWithIt() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1).maxWait(10 * SECOND));
        long start = scene.clock.nanos();
        scene.arrive();
        Permit early = scene.arrive(); // 1 s
        scene.pass(900 * MILLI);
        Permit late = scene.arrive(); // 2 s
        scene.policy(p -> p.rate(0.1).burst(1).maxWait(1500 * MILLI)); // 0.1 tokens are missing: a turn at 1.9 s, and one at 11.9 s
        scene.pass(0);
        assertNotNull(early.rejection());
        assertTrue(late.waiting());
        scene.pass(10 * SECOND);
        assertEquals(1900, scene.end(late, start) / MILLI);
    }

    @Test
    void rejectModeRejectsWhoeverWouldHaveToWait() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(2).reject(true));
        scene.arrive(2);
        for (int i = 0; i < 20; i++) {
            RequestRejectedException e = assertThrows(RequestRejectedException.class, scene::arrive);
            assertEquals(1, e.retryAfterSeconds());
        }
        scene.pass(SECOND);
        assertTrue(scene.arrive().granted());
        assertThrows(RequestRejectedException.class, scene::arrive);
        assertEquals(21, scene.stats().rejectedRequests);
        assertEquals("rejected RATE_LIMIT_EXCEEDED", scene.heard.get(0));
    }

    // ---- cancellation

    /** golang/go#56924, #69419, resilience4j#314: the wrong number of tokens, or none, went back. */
    @Test
    void afterACancellationThoseBehindMoveUp() throws Exception {
        for (int gone : new int[] {0, 1, 2, 3, 4}) {
            Scene scene = new Scene(p -> p.rate(10).burst(1));
            long start = scene.clock.nanos();
            List<Permit> all = new ArrayList<>(scene.arrive(6).subList(1, 6));
            scene.pass(50 * MILLI);
            assertTrue(all.get(gone).cancel());
            assertFalse(all.get(gone).cancel());
            scene.asleep.removeIf(s -> s.permit.cancelled());
            all.remove(gone);
            Permit next = scene.arrive();
            scene.pass(SECOND);
            all.add(next);
            assertEquals(Arrays.asList(100L, 200L, 300L, 400L, 500L), scene.ends(all, start), "without " + gone);
            assertEquals(1, scene.stats().cancelledRequests);
            assertEquals(0, scene.stats().waitingRequests);
        }
    }

    @Test
    void whenAllAreCancelledAllTokensGoBack() throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            Scene scene = new Scene(p -> p.rate(10).burst(3));
            List<Permit> all = scene.arrive(503);
            Collections.shuffle(all, new Random(seed));
            int cancelled = 0;
            for (Permit p : all) {
                cancelled += p.cancel() ? 1 : 0;
            }
            scene.asleep.clear();
            assertEquals(500, cancelled);
            assertEquals(0, scene.stats().waitingRequests);
            assertEquals(0.0, scene.stats().tokensAvailable, 1e-9);
            Permit next = scene.arrive();
            assertEquals(100 * MILLI, next.wakeAt() - scene.clock.nanos());
            scene.pass(SECOND);
            assertEquals(3.0, scene.stats().tokensAvailable, 1e-9);
        }
    }

    /** With more than 256 waiters those behind move up at the next grant: it must not be a herd. */
    @Test
    void manyCancellationsAmongManyWaitersDoNotBreakTheBound() throws Exception {
        for (int burst : new int[] {1, 5}) {
            for (int seed = 0; seed < 5; seed++) {
                Scene scene = new Scene(p -> p.rate(10).burst(burst));
                List<Long> left = new ArrayList<>(Collections.nCopies(burst, scene.clock.nanos()));
                List<Permit> all = scene.arrive(burst + 1000).subList(burst, burst + 1000);
                List<Permit> victims = new ArrayList<>(all);
                Collections.shuffle(victims, new Random(seed));
                scene.pass(SECOND);
                for (int i = 0; i < 600; i++) {
                    victims.get(i).cancel();
                    if (i % 100 == 99) {
                        scene.pass(150 * MILLI);
                    }
                }
                long start = scene.clock.nanos();
                scene.asleep.removeIf(s -> s.permit.cancelled());
                int n = scene.asleep.size();
                scene.pass(1000 * SECOND);
                assertTrue(scene.asleep.isEmpty());
                scene.awake.stream().filter(s -> !s.permit.cancelled()).forEach(s -> left.add(s.end));
                Bound.check(left, new Limit(10, burst), 0);
                long took = Collections.max(left) - start;
                assertTrue(took <= (n + 1) * SECOND / 10, n + " that were left took " + took);
            }
        }
    }

    /** An overdue waiter's token belongs to a time that is gone: giving it back could let one more go than the bucket holds. */
    @Test
    void cancellingLateSleepersDoesNotBreakTheBound() throws Exception {
        for (int burst = 1; burst <= 3; burst++) {
            int size = burst;
            for (int late = 0; late < 40; late++) {
                Scene scene = new Scene(p -> p.rate(1).burst(size));
                List<Long> left = new ArrayList<>(Collections.nCopies(size, scene.clock.nanos()));
                List<Permit> all = scene.arrive(size + 5).subList(size, size + 5);
                scene.clock.turn(SECOND + late * 100 * MILLI);
                scene.look(scene.sleeper(all.get(1)));
                all.get(0).cancel(); // should have gone before, but its thread has not woken
                scene.look(scene.sleeper(all.get(2)));
                scene.asleep.removeIf(s -> s.permit.cancelled());
                scene.arrive();
                scene.pass(10 * SECOND);
                scene.awake.forEach(s -> left.add(s.end));
                Bound.check(left, new Limit(1, size), 0);
            }
        }
    }

    /** It could follow after half an interval, which is half a request over the bound. */
    @Test
    void whoFollowsALateSleeperDoesNotGoTooEarly() throws Exception {
        for (int burst = 1; burst <= 3; burst++) {
            for (int late = 0; late < 400; late += 7) {
                int size = burst;
                Scene scene = new Scene(p -> p.rate(10).burst(size));
                List<Long> left = new ArrayList<>(Collections.nCopies(size, scene.clock.nanos()));
                List<Permit> all = scene.arrive(size + 5).subList(size, size + 5);
                scene.clock.turn(100 * MILLI + late * MILLI);
                assertTrue(scene.look(scene.sleeper(all.get(0))), "it is late already");
                scene.pass(10 * SECOND);
                scene.awake.forEach(s -> left.add(s.end));
                assertEquals(size + 5, left.size());
                Bound.check(left, new Limit(10, size), 0);
            }
        }
    }

    @Test
    void nobodyGoesBeforeOneWhoIsLate() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1));
        List<Permit> all = scene.arrive(4);
        scene.clock.turn(2 * SECOND);
        assertFalse(all.get(2).poll(), "its turn was now, but the one before has not gone");
        long start = scene.clock.nanos();
        all.get(1).cancel();
        scene.asleep.removeIf(s -> s.permit.cancelled());
        scene.pass(10 * SECOND);
        assertEquals(Arrays.asList(0L, 1000L), scene.ends(all.subList(2, 4), start));
    }

    @Test
    void aGrantedPermitCannotBeCancelled() throws Exception {
        Scene scene = new Scene(p -> p);
        Permit permit = scene.arrive();
        assertFalse(permit.cancel());
        assertTrue(permit.granted());
    }

    @Test
    void cancellingWakesTheSleeper() throws Exception {
        Scene scene = new Scene(p -> p.rate(0.01).burst(1));
        Permit permit = scene.arrive(2).get(1);
        permit.cancel();
        scene.pass(0);
        assertTrue(scene.asleep.isEmpty());
        assertTrue(permit.cancelled());
        assertEquals(Collections.singletonList("delayed 100000000000"), scene.heard);
    }

    // ---- jitter

    @Test
    void jitterLengthensDelaysAndKeepsTheOrderAlsoWhenTurnsMove() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(1).jitter(0.5));
        List<Permit> all = scene.arrive(201);
        List<Permit> waiting = new ArrayList<>(all.subList(1, 201));
        for (int i = 180; i > 0; i -= 20) {
            waiting.remove(i).cancel();
        }
        scene.asleep.removeIf(s -> s.permit.cancelled());
        long start = scene.clock.nanos();
        scene.pass(100 * SECOND);
        TreeSet<Long> gaps = new TreeSet<>();
        long before = start;
        for (Permit p : waiting) {
            long at = scene.end(p, 0);
            gaps.add(at - before);
            before = at;
        }
        assertTrue(gaps.first() >= 100 * MILLI, "never less than an interval: " + gaps.first());
        assertTrue(gaps.last() < 150 * MILLI + 1, "never more than half of one on top: " + gaps.last());
        assertTrue(gaps.last() - gaps.first() > 30 * MILLI, "at random");
        assertTrue(gaps.size() > 100, "at random");
    }

    @Test
    void tinyRatesOverflowNothing() throws Exception {
        Scene scene = new Scene(p -> p.rate(1e-12).burst(1).cooldownDuration(SECOND, SECOND).cooldownThreshold(1));
        Permit first = scene.arrive();
        first.answered(429);
        scene.arrive(20);
        for (String event : scene.heard) {
            assertFalse(event.startsWith("delayed -"), event);
        }
        scene.pass(SECOND);
        scene.awake.get(0).permit.answered(200);
        scene.asleep.get(3).permit.cancel();
        scene.asleep.removeIf(s -> s.permit.cancelled());
        scene.policy(p -> p.rate(10).burst(1));
        scene.pass(10 * SECOND);
        assertTrue(scene.asleep.isEmpty());
    }
}
