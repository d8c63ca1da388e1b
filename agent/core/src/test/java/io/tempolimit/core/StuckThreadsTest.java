package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Threads that stand still for a while: before a look, on the way to their event loop, and between reading the clock and what they do by
 * it. Departures are noted as the gate tells them to a recording: by the time that the thread had read. The bound is checked
 * over every span, without slack.
 *
 * <p>Here a step is whole once its thread has read the clock. What two threads do to each other within their steps is searched by
 * {@code InterleavingsTest}.
 */
class StuckThreadsTest {
    private static final int SEEDS = 1000;
    private static final int STEPS = 250;

    @Test
    void theBoundHoldsWhereverThreadsStandStill(TestInfo test) {
        int[] departures = new int[1];
        Seeds.play(test, SEEDS, Stuck::new, play -> departures[0] += play.left.size());
        assertTrue(!Seeds.usual() || departures[0] > 20 * SEEDS, departures[0] + " departures: too few to mean anything");
    }

    /** A request, and who waits for it. */
    private static final class Call implements Permit.Waiter {
        Permit permit;
        /** What its event loop has been given; null for a thread that waits by itself. */
        final Deque<Call> loop;
        /** When its thread last did something. */
        long since;

        Call(Deque<Call> loop) {
            this.loop = loop;
        }

        @Override
        public void moved() {
            // all look at any time
        }
    }

    private static final class Stuck implements Seeds.Play {
        private final Random random;
        private final Policy policy;
        private final Scene scene;
        /** How often a thread stands still after it has read the clock. */
        private final double stuck;
        private final Thread[] threads = {new Thread(), new Thread()};
        private final List<Deque<Call>> loops = new ArrayList<>();
        private final List<Call> held = new ArrayList<>();
        private final List<Call> inFlight = new ArrayList<>();
        private final List<Long> left = new ArrayList<>();

        Stuck(int seed) {
            random = new Random(seed);
            Policy.Builder b = new Policy.Builder().learn(false).rate(new double[] {1, 20, 200, 2000}[random.nextInt(4)])
                    .burst(random.nextBoolean() ? 1 : 1 + random.nextInt(6)).cooldownThreshold(2)
                    .cooldownDuration(3 * Scene.SECOND, 3 * Scene.SECOND);
            if (random.nextInt(4) == 0) {
                b.jitter(random.nextDouble());
            }
            if (random.nextInt(4) == 0) {
                b.windows(new WindowLimit(10, 5 * Scene.SECOND));
            }
            if (random.nextInt(4) == 0) {
                b.concurrency(1 + random.nextInt(4));
            }
            policy = b.build();
            scene = new Scene(seed, p -> p);
            scene.limiter.rules(TestRules.of(policy));
            stuck = random.nextDouble();
            for (int i = random.nextInt(4); i > 0; i--) {
                loops.add(new ArrayDeque<>());
            }
        }

        @Override
        public History history() {
            return scene.history;
        }

        @Override
        public void play() throws Exception {
            for (int i = 0; i < STEPS; i++) {
                step(random.nextInt(100));
            }
            for (int i = 0; i < 2000 && !held.isEmpty(); i++) {
                scene.clock.turn(policy.limit().interval + random.nextInt(2) * Scene.SECOND);
                inFlight.forEach(c -> c.permit.answered(200));
                inFlight.clear();
                new ArrayList<>(held).forEach(this::look);
            }
            assertTrue(held.isEmpty(), "forgotten: " + held.size());
            inFlight.forEach(c -> c.permit.abandoned());
            assertEquals(0, scene.stats().waitingRequests);
            assertEquals(0, scene.stats().activeRequests);
            Bound.check(left, policy.limit(), 0);
        }

        private void step(int what) throws Exception {
            Call call = held.isEmpty() ? null : held.get(random.nextInt(held.size()));
            if (what < 25) {
                arrive();
            } else if (what < 50) {
                scene.clock.turn((long) (StrictMath.exp(random.nextDouble() * 8 - 6) * policy.limit().interval));
            } else if (what < 75 && call != null) {
                fires(call);
            } else if (what < 88 && !loops.isEmpty()) {
                comes(loops.get(random.nextInt(loops.size())).poll());
            } else if (what < 91 && call != null) {
                reads(call);
                scene.history.add("cancelled", call.permit.cancel());
                held.remove(call);
                scene.clock.nextIsOld(0);
            } else if (!inFlight.isEmpty()) {
                ends(what, inFlight.remove(random.nextInt(inFlight.size())));
            }
        }

        /** A call's thread is about to read the clock, and may stand still afterwards. */
        private void reads(Call call) {
            long now = scene.clock.nanos();
            if (random.nextDouble() < stuck) {
                long still = (long) (StrictMath.exp(random.nextDouble() * 8 - 6) * policy.limit().interval);
                scene.clock.nextIsOld(Math.min(still, now - call.since));
            }
            call.since = now;
        }

        private void arrive() throws RequestRejectedException {
            int where = random.nextInt(loops.size() + 1);
            Call call = new Call(where == loops.size() ? null : loops.get(where));
            reads(call);
            enters(call, scene.limiter.arrive(new TestTarget("a.example")));
        }

        private void enters(Call call, Permit permit) {
            scene.clock.nextIsOld(0);
            call.permit = permit;
            if (policy.concurrency() < Integer.MAX_VALUE && random.nextBoolean()) { // its thread reads another answer, perhaps
                permit.owner(threads[random.nextInt(threads.length)]);
            }
            if (permit.granted()) {
                leaves(call);
                return;
            }
            scene.history.add("waits", permit.wakeAt() - scene.clock.nanos());
            permit.waitWith(call);
            held.add(call);
        }

        private void leaves(Call call) {
            scene.history.add("granted");
            left.add(Inside.of(call.permit).dueAt);
            inFlight.add(call);
        }

        private void fires(Call call) {
            if (call.loop == null) {
                look(call);
            } else if (!call.loop.contains(call)) {
                reads(call);
                if (call.permit.turnComes()) {
                    call.loop.add(call);
                } else {
                    look(call);
                }
            }
        }

        /** Its loop comes to it. */
        private void comes(Call call) {
            if (call == null || !held.contains(call)) {
                return;
            }
            Call before = null;
            for (Call w; (w = (Call) call.permit.ahead(o -> sameLoop(call, o))) != null && w != before; before = w) {
                look(w);
            }
            look(call);
        }

        private static boolean sameLoop(Call call, Permit.Waiter other) {
            return other != null && ((Call) other).loop == call.loop;
        }

        private void look(Call call) {
            reads(call);
            if (held.contains(call) && call.permit.poll()) {
                held.remove(call);
                call.permit.waitWith(null);
                if (call.permit.granted()) {
                    leaves(call);
                }
            }
            scene.clock.nextIsOld(0);
        }

        private void ends(int what, Call sent) throws RequestRejectedException {
            Long went = Inside.of(sent.permit).dueAt;
            reads(sent);
            if (what < 94) {
                Permit again = sent.permit.depart();
                if (again == sent.permit) {
                    inFlight.add(sent);
                } else {
                    left.remove(went);
                    enters(sent, again);
                }
            } else if (what < 96) {
                left.remove(went);
                sent.permit.unused();
                scene.history.add("unused");
            } else {
                sent.permit.answered(what == 99 ? 429 : 200);
                scene.history.add(what == 99 ? 429 : 200);
            }
            scene.clock.nextIsOld(0);
        }
    }
}
