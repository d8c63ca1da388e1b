package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.pace.Arrival;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.queue.Backlog;
import io.tempolimit.core.queue.Caps;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues so long that nothing may be done for all of them. */
@Tag("long")
class BacklogTest {
    private final TurnedClock clock = new TurnedClock(Long.MAX_VALUE - 5 * SECOND); // passes the overflow on the way
    private final TestTarget target = new TestTarget("a.example");

    private Limiter limiter(UnaryOperator<Policy.Builder> settings) {
        Policy policy = settings.apply(new Policy.Builder().learn(false).retryAfterMax(30 * 86_400 * SECOND)).build();
        return new Limiter(clock, new Seeded(), TestRules.of(policy), Listener.NONE);
    }

    /** Not the clock on the wall: the machine may be busy. */
    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long least(int runs, LongRun run) throws Exception {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < runs; i++) {
            least = Math.min(least, run.run());
        }
        return least;
    }

    private interface LongRun {
        long run() throws Exception;
    }

    private List<Permit> queue(Limiter limiter, int n) throws Exception {
        List<Permit> all = new ArrayList<>();
        while (all.size() < n) {
            Permit permit = limiter.arrive(target);
            if (permit.waiting()) {
                permit.waitWith(() -> { });
                all.add(permit);
            } else {
                permit.abandoned();
            }
        }
        return all;
    }

    /** Processor time for 2000 that come 20 ms too late each. */
    private long late(int waiting, UnaryOperator<Policy.Builder> settings) throws Exception {
        Limiter limiter = limiter(b -> settings.apply(b.rate(1000).burst(5)));
        Deque<Permit> all = new ArrayDeque<>(queue(limiter, waiting));
        long start = processorTime();
        for (int i = 0; i < 2000; i++) {
            clock.turn(20 * MILLI);
            Permit next = all.poll();
            assertTrue(next.poll() && next.granted());
            next.abandoned();
        }
        return processorTime() - start;
    }

    private static final WindowLimit WINDOW = new WindowLimit(300, SECOND);

    /** What may limit those who wait, beside the rate. */
    private enum Kind {
        RATE(b -> b),
        LONGEST_WAIT(b -> b.maxWait(3600 * SECOND)),
        JITTER(b -> b.jitter(0.3)),
        LONG_WINDOW(b -> b.windows(new WindowLimit(100_000, 86_400 * SECOND))),
        SHORT_WINDOW(b -> b.windows(WINDOW)),
        PLACES(b -> b.concurrency(10));

        final UnaryOperator<Policy.Builder> settings;

        Kind(UnaryOperator<Policy.Builder> settings) {
            this.settings = settings;
        }
    }

    /** Each planned the turns of all: with 50,000 waiting at 1000 a second, 174 to 432 went a second. */
    @ParameterizedTest
    @EnumSource
    void aLateOneCostsTheSameHoweverManyWait(Kind kind) throws Exception {
        long few = least(2, () -> late(3_000, kind.settings));
        long many = least(2, () -> late(100_000, kind.settings));
        System.out.printf("%s: a late one costs %d ns with 3,000 waiting, %d ns with 100,000%n", kind, few / 2000, many / 2000);
        // to plan for all that wait would take 33 times as long
        assertTrue(many < 10 * few + 20 * MILLI, few + " ns for 2000 with 3,000 waiting, " + many + " ns with 100,000");
    }

    private static Stream<Arguments> kindsAndSeeds() {
        return Arrays.stream(Kind.values()).flatMap(kind -> IntStream.rangeClosed(1, 10).mapToObj(seed -> Arguments.of(kind, seed)));
    }

    /** Sleepers that look too late by chance, and cancellations between them: nothing is above the bound, and everybody goes. */
    @ParameterizedTest
    @MethodSource("kindsAndSeeds")
    void theBoundHoldsWhoeverIsLate(Kind kind, int seed) throws Exception {
        Random random = new Random(seed);
        int burst = 1 + random.nextInt(10);
        Limit limit = new Limit(1000, burst);
        Limiter limiter = limiter(b -> kind.settings.apply(b.rate(1000).burst(burst)));
        long start = clock.nanos();
        boolean cancels = seed % 2 == 0;
        List<Long> gone = new ArrayList<>();
        PriorityQueue<long[]> alarms = new PriorityQueue<>(Comparator.comparingLong(a -> a[0]));
        List<Permit> all = crowd(limiter, gone, alarms);
        List<Permit> waiting = new ArrayList<>(all);
        int cancelled = 0;
        while (!waiting.isEmpty()) {
            long[] alarm = alarms.poll();
            Permit permit = all.get((int) alarm[1]);
            if (!permit.waiting()) {
                continue;
            }
            long late = random.nextInt(4) == 0 ? random.nextInt(100) * MILLI / 4 : random.nextInt(200_000);
            long now = Math.max(clock.nanos() - start, alarm[0]);
            if (late > MILLI && alarm.length == 2) { // it looks later than it was to; the others do not wait for it
                alarms.add(new long[] {now + late, alarm[1], 1});
                continue;
            }
            clock.set(start + now);
            if (cancels && random.nextInt(20) == 0) {
                Permit one = waiting.remove(random.nextInt(waiting.size()));
                assertTrue(one.cancel());
                cancelled++;
                alarms.add(alarm);
                continue;
            }
            if (permit.poll()) {
                assertTrue(permit.granted());
                gone.add(now);
                waiting.remove(permit);
                permit.abandoned();
            } else {
                alarms.add(new long[] {permit.wakeAt() - start, alarm[1]});
            }
        }
        Bound.check(gone, limit, 1.6); // a sleeper may be late by half an interval, or a millisecond, without the others moving
        assertEquals(1500, gone.size() + cancelled);
        if (kind == Kind.SHORT_WINDOW) {
            checkWindow(gone);
        }
    }

    /** 1500 arrive at once. Gives those who have to wait, each of which has an alarm with its number. */
    private List<Permit> crowd(Limiter limiter, List<Long> gone, PriorityQueue<long[]> alarms) throws Exception {
        long start = clock.nanos();
        List<Permit> all = new ArrayList<>();
        for (int i = 0; i < 1500; i++) {
            Permit permit = limiter.arrive(target);
            if (permit.waiting()) {
                int index = all.size();
                permit.waitWith(() -> alarms.add(new long[] {permit.wakeAt() - start, index}));
                all.add(permit);
                alarms.add(new long[] {permit.wakeAt() - start, index});
            } else {
                gone.add(0L);
                permit.abandoned();
            }
        }
        return all;
    }

    private static void checkWindow(List<Long> gone) {
        for (int i = WINDOW.count; i < gone.size(); i++) {
            assertTrue(gone.get(i) - gone.get(i - WINDOW.count) >= WINDOW.duration, "number " + i);
        }
    }

    /** The others are told as soon as there is time for it, and not when their patience is over. */
    @Test
    void whoWouldWaitForTooLongBehindALateOneIsRejectedSoon() throws Exception {
        Limiter limiter = limiter(b -> b.rate(1000).burst(1).maxWait(SECOND));
        List<Permit> all = queue(limiter, 900);
        clock.turn(201 * MILLI);
        assertTrue(all.get(0).poll() && all.get(0).granted());
        Permit next = all.get(1);
        assertTrue(next.wakeAt() - clock.nanos() <= 10 * MILLI);
        clock.turn(10 * MILLI);
        assertTrue(next.poll() && next.granted());
        for (int i = 2; i < 900; i++) {
            boolean tooLong = i + 210 > 1000;
            assertEquals(!tooLong, all.get(i).waiting(), "number " + i);
        }
    }

    @Test
    void whoWaitsBehindALateOneIsAsLateAndNotRejected() throws Exception {
        Limiter limiter = limiter(b -> b.rate(1000).burst(1));
        List<Permit> all = queue(limiter, 1000);
        clock.turn(101 * MILLI);
        assertTrue(all.get(0).poll());
        Permit last = all.get(999);
        assertEquals(false, last.poll());
        assertEquals(999 * MILLI, last.wakeAt() - clock.nanos());
        Permit newcomer = limiter.arrive(target);
        assertEquals(1000 * MILLI, newcomer.wakeAt() - clock.nanos());
        for (int i = 1; i < 1000; i++) {
            clock.turn(MILLI);
            assertEquals(true, all.get(i).poll(), "number " + i);
        }
        assertEquals(false, newcomer.poll());
        clock.turn(MILLI);
        assertEquals(true, newcomer.poll());
    }

    /** Settings are for those who wait as well, where they stand. */
    @Test
    void newSettingsAfterADelayCountFromTheTurnsAsTheyAre() throws Exception {
        Limiter limiter = limiter(b -> b.rate(1000).burst(1));
        List<Permit> all = queue(limiter, 1000);
        clock.turn(101 * MILLI);
        assertTrue(all.get(0).poll());
        limiter.rules(TestRules.of(new Policy.Builder().learn(false).rate(100).burst(1).build()));
        assertEquals(10 * MILLI, all.get(1).wakeAt() - clock.nanos());
        assertEquals(9990 * MILLI, all.get(999).wakeAt() - clock.nanos());
    }

    /** Those who follow a redirect that asks to wait are counted, but have no turn yet. */
    @Test
    void aFewThatAreLateBesideManyThatComeLater() throws Exception {
        Limiter limiter = limiter(b -> b.rate(1000).burst(1));
        List<Permit> all = queue(limiter, 10);
        Key key = limiter.key("a.example");
        for (int i = 0; i < 300; i++) {
            Arrival.arriveLater(Inside.of(key), target, key.policy(), clock.nanos() + 3600 * SECOND, clock.nanos());
        }
        clock.turn(101 * MILLI);
        assertTrue(all.get(5).cancel());
        assertTrue(all.get(0).poll());
        assertEquals(MILLI, all.get(1).wakeAt() - clock.nanos());
    }

    private long storm(int waiting, boolean lastFirst, UnaryOperator<Policy.Builder> settings) throws Exception {
        Limiter limiter = limiter(settings);
        List<Permit> all = queue(limiter, waiting);
        if (lastFirst) {
            Collections.reverse(all);
        }
        long start = processorTime();
        for (Permit permit : all) {
            clock.turn(1000);
            permit.cancel();
        }
        long took = processorTime() - start;
        assertEquals(0, limiter.key("a.example").stats().waitingRequests);
        assertEquals(waiting, limiter.key("a.example").stats().cancelledRequests);
        return took;
    }

    /** With a window each planned the turns of all: 0.34 s for 1,000, more than 25 s for 10,000. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHundredThousandCancelledTakeNoLongerEachThanAThousand(boolean lastFirst) throws Exception {
        UnaryOperator<Policy.Builder> settings = b -> b.rate(1).burst(1).windows(new WindowLimit(10_000, 86_400 * SECOND));
        long few = least(3, () -> storm(3_000, lastFirst, settings));
        long many = least(2, () -> storm(100_000, lastFirst, settings));
        System.out.printf("cancelling costs %d ns each of 3,000, %d ns each of 100,000%n", few / 3_000, many / 100_000);
        assertTrue(many < 10L * 100_000 / 3_000 * few, few + " ns for 3,000, " + many + " ns for 100,000"); // a square would be 1111 times
    }

    /** In whatever order they are cancelled, those that are left move up: a little later, and by themselves. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thoseBehindTheCancelledMoveUpInTheirWindow(boolean everySecond) throws Exception {
        Limiter limiter = limiter(b -> b.rate(1000).burst(1000).windows(new WindowLimit(10, 60 * SECOND)));
        List<Permit> all = queue(limiter, 1000);
        List<Permit> left = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            if (everySecond ? i % 2 == 0 : i < 500) {
                assertTrue(all.get(i).cancel());
            } else {
                left.add(all.get(i));
            }
        }
        long first = left.get(0).wakeAt();
        assertTrue(first - clock.nanos() < SECOND, "it looks soon");
        clock.set(first);
        assertEquals(false, left.get(0).poll());
        assertTrue(left.get(0).wakeAt() - clock.nanos() <= 60 * SECOND);
        assertTrue(left.get(9).wakeAt() - clock.nanos() <= 60 * SECOND);
        assertTrue(left.get(10).wakeAt() - clock.nanos() > 60 * SECOND, "the next ten go a minute later");
        clock.set(left.get(9).wakeAt());
        for (int i = 0; i < 10; i++) {
            assertTrue(left.get(i).poll() && left.get(i).granted());
        }
        assertEquals(false, left.get(10).poll());
        assertSame(left.get(10).key(), limiter.key("a.example"));
    }

    /** Counts how often turns are handed out anew, which it was for each: with few places, and with more than there are waiters. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void thousandsThatAreCancelledWithPlacesAndAWindowDoNotMoveAllEachTime(int places) throws Exception {
        Limiter limiter = limiter(b -> b.rate(1).burst(1).concurrency(places).windows(new WindowLimit(10_000, 86_400 * SECOND)));
        List<Permit> all = queue(limiter, 5_000);
        Key key = limiter.key("a.example");
        int before = Inside.of(key).pacer.version();
        for (Permit permit : all) {
            clock.turn(1000);
            assertTrue(permit.cancel());
        }
        int times = Inside.of(key).pacer.version() - before;
        assertTrue(times < 2 * Backlog.FEW, () -> "turns were handed out " + times + " times"); // for the last few, each time
        assertEquals(0, key.stats().waitingRequests);
    }

    /** A place that is given back goes to whoever is first now, at once, whoever was cancelled before. */
    @Test
    void thePlaceGoesToTheFirstBehindThoseThatWereCancelled() throws Exception {
        Limiter limiter = limiter(b -> b.rate(1000).burst(1000).concurrency(1));
        Permit inFlight = limiter.arrive(target);
        List<Permit> all = queue(limiter, 1000);
        for (int i = 0; i < 500; i++) {
            assertTrue(all.get(i).cancel());
        }
        Permit first = all.get(500);
        assertTrue(first.wakeAt() - clock.nanos() <= Caps.LOOK, "somebody looks for places that were dropped");
        clock.set(first.wakeAt());
        assertEquals(false, first.poll());
        assertTrue(first.wakeAt() - clock.nanos() <= Caps.LOOK, "it looks again");
        inFlight.abandoned();
        assertTrue(first.poll() && first.granted());
        assertEquals(false, all.get(501).poll());
    }

    private static FleetScene fleet(int waiting, List<Permit> all) {
        FleetScene s = FleetScene.scene(1, b -> b.rate(1000).burst(5).windows(new WindowLimit(200_000, 86_400 * SECOND)));
        all.addAll(FleetScene.arrive(s.workers.get(0), waiting));
        s.settle();
        return s;
    }

    private static long stormInAFleet(int waiting) {
        List<Permit> all = new ArrayList<>();
        FleetScene s = fleet(waiting, all);
        long start = processorTime();
        all.forEach(Permit::cancel);
        long took = processorTime() - start;
        assertEquals(0, s.workers.get(0).key().stats().waitingRequests);
        return took;
    }

    /** With a window each planned the slots of all that wait. */
    @Test
    void aCancelStormInAFleetIsNoSquare() throws Exception {
        long few = least(3, () -> stormInAFleet(6_000));
        long many = least(2, () -> stormInAFleet(60_000));
        System.out.printf("in a fleet, cancelling costs %d ns each of 6,000, %d ns each of 60,000%n", few / 6_000, many / 60_000);
        assertTrue(many < 40 * few, few + " ns for 6,000, " + many + " ns for 60,000"); // a square would be 100 times
    }

    /** Processor time for 300 that come too late for the slots that they had. */
    private static long lateInAFleet(int waiting) {
        List<Permit> all = new ArrayList<>();
        FleetScene s = fleet(waiting, all);
        long took = 0;
        int next = 0;
        for (int i = 0; i < 300; i++) {
            s.clock.turn(20 * MILLI);
            s.redis.run();
            while (all.get(next).granted()) {
                next++;
            }
            long start = processorTime();
            all.get(next).poll();
            took += processorTime() - start;
        }
        assertTrue(next > 100, next + " went");
        return took;
    }

    /** Each planned the slots of all that wait. */
    @Test
    void aLateOneInAFleetCostsTheSameHoweverManyWait() throws Exception {
        long few = least(3, () -> lateInAFleet(6_000));
        long many = least(2, () -> lateInAFleet(60_000));
        System.out.printf("in a fleet, a late one costs %d ns with 6,000 waiting, %d ns with 60,000%n", few / 300, many / 300);
        assertTrue(many < 4 * few + 5 * MILLI, few + " ns for 300 with 6,000 waiting, " + many + " ns with 60,000");
    }
}
