package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Calls that are held for event loops which are behind, as {@code Hold} holds them: the timer brings a call to its loop, and there it
 * takes its turn. Looked at are the moments at which they leave.
 */
class BusyLoopsTest {
    private static final int SEEDS = 300;

    /** An event loop: runs what it is given one after the other, each so late. */
    private static final class Loop {
        final ArrayDeque<Call> tasks = new ArrayDeque<>();
        final LongUnaryOperator lag;
        long free;

        /** @param lag by the time, in nanoseconds */
        Loop(LongUnaryOperator lag) {
            this.lag = lag;
        }
    }

    private static final class Call implements Permit.Waiter {
        final int number;
        final Permit permit;
        final Loop loop;
        /** When the timer looks at it; never while the loop has it. */
        long alarm;
        boolean coming;
        /** When the loop comes to it. */
        long runs;

        Call(int number, Permit permit, Loop loop) {
            this.number = number;
            this.permit = permit;
            this.loop = loop;
            alarm = permit.wakeAt();
            permit.waitWith(this);
        }

        @Override
        public void moved() {
            if (!coming) {
                alarm = permit.wakeAt();
            }
        }
    }

    /** A clock, loops, and the calls that are held. */
    private static final class Loops {
        final Scene scene;
        final List<Call> held = new ArrayList<>();
        final List<Long> left = new ArrayList<>();
        final List<Integer> order = new ArrayList<>();
        /** Went at once while their loop was behind. It cannot have begun them: another thread did, and what it begins has no order. */
        final Set<Integer> begunElsewhere = new HashSet<>();
        int calls;

        Loops(long seed, UnaryOperator<Policy.Builder> policy) {
            scene = new Scene(seed, policy);
        }

        /** A call that is begun by its loop; or, if that is behind just then, by another thread. */
        Permit call(Loop loop) throws Exception {
            int number = calls++;
            Permit permit = scene.limiter.arrive(new TestTarget("a.example"));
            if (permit.granted()) {
                if (held.stream().anyMatch(c -> c.coming && c.loop == loop)) {
                    begunElsewhere.add(number);
                }
                leaves(number);
            } else {
                held.add(new Call(number, permit, loop));
            }
            return permit;
        }

        private void leaves(int number) {
            left.add(scene.clock.nanos());
            order.add(number);
        }

        void passTo(long time) {
            for (Call next; (next = next()) != null && at(next) - time <= 0; ) {
                scene.clock.set(Math.max(at(next), scene.clock.nanos()));
                if (next.coming) {
                    comes(next);
                } else {
                    fires(next);
                }
            }
            scene.clock.set(time);
        }

        private static long at(Call c) {
            return c.coming ? c.runs : c.alarm;
        }

        private Call next() {
            Call next = null;
            for (Call c : held) {
                next = next == null || at(c) - at(next) < 0 ? c : next;
            }
            return next;
        }

        private void fires(Call c) {
            long now = scene.clock.nanos();
            scene.history.add("fires", c.number);
            if (c.permit.turnComes()) {
                c.coming = true;
                c.runs = Math.max(now + c.loop.lag.applyAsLong(now), c.loop.free);
                c.loop.free = c.runs;
            } else if (c.permit.poll()) { // the probe, or a rejection: nothing leaves beside it
                over(c);
            } else {
                c.alarm = c.permit.wakeAt();
            }
        }

        private void comes(Call c) {
            Call before = null;
            for (Call ahead; (ahead = (Call) c.permit.ahead(w -> ((Call) w).loop == c.loop)) != null && ahead != before; before = ahead) {
                looks(ahead);
            }
            looks(c);
        }

        private void looks(Call c) {
            c.coming = false;
            scene.history.add("looks", c.number);
            if (c.permit.poll()) {
                over(c);
            } else {
                c.alarm = c.permit.wakeAt();
            }
        }

        private void over(Call c) {
            held.remove(c);
            c.permit.waitWith(null);
            assertTrue(c.permit.granted());
            leaves(c.number);
        }

        /** How long it takes until all have left. */
        long finish() {
            long start = scene.clock.nanos();
            passTo(start + 10_000 * SECOND);
            assertTrue(held.isEmpty(), held.size() + " forgotten");
            assertEquals(0, scene.stats().waitingRequests);
            return left.get(left.size() - 1) - start;
        }

        void assertOrder() {
            for (int i = 0; i < order.size(); i++) {
                assertEquals(i, order.get(i), "the order of departures: " + order);
            }
        }
    }

    /** It took twice as long, for each paid a second token; and those behind overtook. */
    @Test
    void aLoopThatIsAlwaysBehindCostsOnceHowFarItIsBehind() throws Exception {
        for (int burst : new int[] {1, 2, 5}) {
            Loops loops = new Loops(0, b -> b.rate(20).burst(burst));
            Loop loop = new Loop(now -> 60 * MILLI);
            for (int i = 0; i < 40; i++) {
                loops.call(loop);
            }
            long took = loops.finish() / MILLI;
            assertTrue(took <= (40 - burst) * 50 + 61, took + " ms with a burst of " + burst);
            loops.assertOrder();
            Bound.check(loops.left, new Limit(20, burst), 0);
        }
    }

    /** Two calls at a time, each begun when one is answered: those are not there before the loop is behind. */
    @Test
    void aLoopThatIsAlwaysBehindKeepsTheRateOfACrawlWithABurst() throws Exception {
        Loops loops = new Loops(0, b -> b.rate(20).burst(3));
        Loop loop = new Loop(now -> 60 * MILLI);
        for (int i = 0; i < 100; i++) {
            while (loops.held.size() > 3) {
                loops.passTo(loops.scene.clock.nanos() + 5 * MILLI);
            }
            loops.call(loop);
        }
        loops.finish();
        long took = (loops.left.get(99) - loops.left.get(0)) / MILLI;
        assertTrue(took <= 97 * 50 + 100, took + " ms");
        loops.assertOrder();
        Bound.check(loops.left, new Limit(20, 3), 0);
    }

    @Test
    void afterAStallWhatHasPiledUpLeavesInOrderAtTheRate() throws Exception {
        Loops loops = new Loops(0, b -> b.rate(200).burst(5));
        long stall = loops.scene.clock.nanos() + 20 * MILLI;
        Loop loop = new Loop(now -> Math.max(0, Math.min(now - stall < 0 ? 0 : 1, 1)) * Math.max(0, stall + 300 * MILLI - now));
        for (int i = 0; i < 100; i++) {
            loops.call(loop);
        }
        long took = loops.finish() / MILLI;
        assertTrue(took <= 300 + 95 * 5, took + " ms");
        loops.assertOrder();
        Bound.check(loops.left, new Limit(200, 5), 0);
    }

    /** Of two loops one is stuck: what is to leave by the other one does not wait for it, and what was kept goes first afterwards. */
    @Test
    void aLoopThatIsStuckDoesNotHoldUpAnother() throws Exception {
        Loops loops = new Loops(0, b -> b.rate(10).burst(1));
        long start = loops.scene.clock.nanos();
        Loop stuck = new Loop(now -> Math.max(0, start + 60 * SECOND - now));
        Loop other = new Loop(now -> MILLI);
        for (int i = 0; i < 20; i++) {
            loops.call(i % 2 == 0 && i > 0 ? stuck : other);
        }
        loops.passTo(start + 6 * SECOND);
        assertEquals(11, loops.left.size(), "all of the other, and the first: " + loops.order);
        loops.passTo(start + 60 * SECOND);
        Permit late = loops.call(other);
        loops.finish();
        assertTrue(late.granted());
        assertEquals(20, loops.order.get(20));
        Bound.check(loops.left, new Limit(10, 1), 0);
    }

    /** There was a token for it, so it went at once, before one that its loop had just been given. */
    @Test
    void aNewcomerComesBehindThoseThatAreOnTheirWay() throws Exception {
        Loops loops = new Loops(0, b -> b.rate(10).burst(2));
        long start = loops.scene.clock.nanos();
        Loop loop = new Loop(now -> Math.max(0, start + 250 * MILLI - now));
        for (int i = 0; i < 3; i++) {
            loops.call(loop);
        }
        loops.passTo(start + 200 * MILLI);
        assertTrue(loops.call(loop).waiting());
        loops.finish();
        loops.assertOrder();
        assertEquals(start + 250 * MILLI, loops.left.get(3), "and waits for nothing else");
    }

    @Test
    void aCooldownThatBeginsMeanwhileKeepsWhatItsLoopHas() throws Exception {
        Loops loops = new Loops(0, b -> b.rate(10).burst(1).cooldownThreshold(1).cooldownDuration(30 * SECOND, 30 * SECOND));
        Loop loop = new Loop(now -> 50 * MILLI);
        Permit first = loops.call(loop);
        for (int i = 0; i < 5; i++) {
            loops.call(loop);
        }
        loops.passTo(loops.scene.clock.nanos() + 120 * MILLI);
        assertTrue(loops.held.get(0).coming, "the loop has it");
        first.answered(429);
        loops.passTo(loops.scene.clock.nanos() + 29 * SECOND);
        assertEquals(1, loops.left.size());
        loops.passTo(loops.scene.clock.nanos() + 2 * SECOND);
        assertEquals(2, loops.left.size(), "the probe");
    }

    @Test
    void theBoundHoldsWhateverLoopsDoAndTheOrderOfEach(TestInfo test) {
        int[] departures = new int[1];
        Seeds.play(test, SEEDS, Any::new, any -> departures[0] += any.loops.left.size());
        assertTrue(!Seeds.usual() || departures[0] > 50 * SEEDS, departures[0] + " departures: too few to mean anything");
    }

    /** Of several that were set aside, or had come back, the one that was set aside first went first, though another had come before it. */
    @Test
    void ofThoseThatWereSetAsideTheOneThatCameFirstGoesFirst(TestInfo test) {
        Seeds.these(test, Any::new, 145, 1982);
    }

    /** One that went at once was taken for one that its loop had begun, though that loop was behind. */
    @Test
    void whatAnotherThreadBeginsMayGoBeforeWhatAStuckLoopHas(TestInfo test) {
        Seeds.these(test, Any::new, 9357);
    }

    /** Loops with any lag, and threads that need none, at one key with windows. */
    private static final class Any implements Seeds.Play {
        private final Random random;
        private final Policy policy;
        private final Loops loops;

        Any(int seed) {
            random = new Random(seed);
            Policy.Builder b = new Policy.Builder().learn(false).burst(1 + random.nextInt(5))
                    .rate(new double[] {1, 20, 200}[random.nextInt(3)]);
            if (random.nextInt(3) == 0) {
                b.windows(new WindowLimit(10, 5 * SECOND));
            }
            policy = b.build();
            loops = new Loops(seed, p -> p);
            loops.scene.limiter.rules(TestRules.of(policy));
        }

        @Override
        public History history() {
            return loops.scene.history;
        }

        @Override
        public void play() throws Exception {
            long interval = policy.limit().interval;
            Loop[] all = new Loop[1 + random.nextInt(3)];
            int[] loopOf = new int[150];
            for (int i = 0; i < all.length; i++) {
                double slow = random.nextDouble();
                long most = Math.min(10 * interval, 900 * MILLI);
                all[i] = new Loop(now -> random.nextDouble() < slow ? (long) (random.nextDouble() * most) : 1000);
            }
            for (int i = 0; i < 150; i++) {
                loopOf[loops.calls] = random.nextInt(all.length);
                loops.call(all[loopOf[loops.calls]]);
                loops.passTo(loops.scene.clock.nanos() + 1 + (long) (random.nextDouble() * random.nextInt(3) * interval));
            }
            loops.finish();
            Bound.check(loops.left, policy.limit(), 0);
            int[] last = new int[all.length];
            loops.order.removeAll(loops.begunElsewhere);
            for (int number : loops.order) {
                int loop = loopOf[number];
                assertTrue(last[loop] <= number, number + " was overtaken on its own loop by " + last[loop]);
                last[loop] = number;
            }
        }
    }
}
