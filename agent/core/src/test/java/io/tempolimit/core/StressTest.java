package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.key.Retention;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.gate.Parking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Many threads at one key with the real clock: what must hold afterwards. */
class StressTest {
    private static final long RUN = 700_000_000L;

    private static Policy.Builder base() {
        return new Policy.Builder().learn(false).rate(2000).burst(5).cooldownThreshold(3).cooldownDuration(3_000_000, 6_000_000);
    }

    @Test
    void whatThreadsDoAtOnce() throws Exception {
        Run run = new Run(base().build(), 30);
        run.play(8, false);
        run.check();
        assertTrue(run.left.size() > 50, run.left.size() + " departures");
    }

    @Test
    void theBoundHoldsWithoutBlocks() throws Exception {
        Run run = new Run(base().rate(500).jitter(0.2).build(), 0);
        run.play(8, false);
        run.check();
        assertTrue(run.cancelled.get() > 0, "nobody was cancelled");
        Bound.check(run.left, new Limit(500, 5), 0.5);
    }

    @Test
    void settingsThatChangeAllTheTimeForgetNobody() throws Exception {
        Run run = new Run(base().build(), 20);
        run.play(6, true);
        run.check();
    }

    /** Or the first of ten thousand would not go before the last has come: each arrival would move all others. */
    @Test
    void whoArrivesWhileTurnsAreHandedOutAnewDoesNotHandThemOutOnceMore() throws Exception {
        int threads = 16;
        int each = 500;
        Limiter limiter = new Limiter(Clock.SYSTEM, new Seeded(), TestRules.of(base().rate(0.01).burst(1).build()), new Listener() { });
        Key key = limiter.arrive(new TestTarget("a.example")).key();
        limiter.arrive(new TestTarget("a.example"));
        int before = Inside.of(key).pacer.version();
        AtomicInteger arrived = new AtomicInteger();
        for (int t = 0; t < threads; t++) {
            new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    try {
                        limiter.arrive(new TestTarget("a.example"));
                    } catch (RequestRejectedException e) {
                        return;
                    }
                    arrived.incrementAndGet();
                }
            }).start();
        }
        int handedOut = 0;
        for (; arrived.get() < threads * each; handedOut++) {
            limiter.rules(limiter.rules());
        }
        assertEquals(handedOut, Inside.of(key).pacer.version() - before);
    }

    private static final class Run {
        final Limiter limiter;
        final Policy policy;
        final int blocksPercent;
        final ConcurrentLinkedQueue<Long> left = new ConcurrentLinkedQueue<>();
        final AtomicInteger cancelled = new AtomicInteger();
        final AtomicReference<Throwable> failure = new AtomicReference<>();

        Run(Policy policy, int blocksPercent) {
            this.policy = policy;
            this.blocksPercent = blocksPercent;
            limiter = new Limiter(Clock.SYSTEM, new Seeded(), TestRules.of(policy), Listener.NONE);
        }

        void play(int threads, boolean change) throws Exception {
            long end = System.nanoTime() + RUN;
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int seed = i;
                Thread t = new Thread(() -> {
                    try {
                        work(new Random(seed), end);
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    }
                });
                t.setDaemon(true);
                t.start();
                all.add(t);
            }
            Random random = new Random(99);
            while (change && System.nanoTime() < end) {
                switch (random.nextInt(6)) {
                    case 0:
                        limiter.rules(TestRules.of(null));
                        break;
                    case 1:
                        limiter.setEnabled(random.nextBoolean());
                        break;
                    case 2:
                        limiter.setDryRun(random.nextBoolean());
                        break;
                    case 3: // who sleeps under this must be woken by the next change
                        limiter.rules(TestRules.of(base().rate(1e-6).build()));
                        break;
                    default:
                        limiter.rules(TestRules.of(base().learn(true).rate(100 + random.nextInt(5000)).build()));
                }
                Thread.onSpinWait();
            }
            if (change) {
                limiter.setEnabled(true);
                limiter.setDryRun(false);
                limiter.rules(TestRules.of(policy));
                limiter.key("a.example").reset(); // what was learnt may have asked for a pause of minutes
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            for (Thread t : all) {
                t.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
                assertTrue(!t.isAlive(), () -> "a thread still waits: " + limiter.keys().iterator().next().stats().state);
            }
        }

        private void work(Random random, long end) throws IOException {
            List<Permit> mine = new ArrayList<>();
            while (System.nanoTime() - end < 0) {
                for (int i = random.nextInt(3); i >= 0; i--) {
                    Permit p = limiter.arrive(new TestTarget("a.example"));
                    if (p != null) {
                        mine.add(p);
                    }
                }
                for (Permit p : mine) {
                    if (p.waiting() && random.nextInt(4) == 0 && p.cancel()) {
                        cancelled.incrementAndGet();
                        continue;
                    }
                    boolean interrupted = random.nextInt(10) == 0;
                    if (interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    try {
                        Parking.await(p);
                    } catch (InterruptedException e) {
                        cancelled.incrementAndGet();
                    } catch (RequestRejectedException e) {
                        continue;
                    } finally {
                        Thread.interrupted();
                    }
                    if (!p.granted()) {
                        continue;
                    }
                    left.add(Inside.of(p).dueAt);
                    if (random.nextInt(100) < blocksPercent) {
                        p.answered(429);
                    } else if (random.nextInt(20) == 0) {
                        p.abandoned();
                    } else if (random.nextInt(20) == 0) {
                        p.failed(new IOException());
                    } else {
                        p.answered(200);
                    }
                }
                mine.clear();
            }
        }

        void check() {
            if (failure.get() != null) {
                throw new AssertionError(failure.get());
            }
            Key key = limiter.key("a.example");
            KeyStats s = key.stats();
            assertEquals(0, s.waitingRequests);
            assertEquals(0, s.activeRequests);
            assertEquals(cancelled.get(), s.cancelledRequests);
            Limit limit = policy.limit();
            assertTrue(new Retention(Inside.of(key)).full(System.nanoTime() + limit.tolerance + 2 * limit.interval),
                    "a debt stayed in the bucket: " + s.tokensAvailable);
        }
    }
}
