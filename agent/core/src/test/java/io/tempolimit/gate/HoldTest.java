package io.tempolimit.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Key;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Clock;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HoldTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE = 60;

    private final Timer timer = new Timer();
    private final ExecutorService client = Executors.newSingleThreadExecutor(r -> {
        Thread t = new Thread(r, "client");
        t.setDaemon(true);
        return t;
    });
    private final Limiter limiter = new Limiter(Clock.SYSTEM, new Seeded(), rules(p -> p), Listener.NONE);

    @AfterEach
    void shutDown() {
        client.shutdownNow();
    }

    private static TestRules rules(UnaryOperator<Policy.Builder> p) {
        return TestRules.of(p.apply(new Policy.Builder().rate(50).burst(1)).build());
    }

    private Permit arrive() throws Exception {
        return limiter.arrive(new TestTarget("a.example"));
    }

    /** A permit that has to wait. */
    private Permit waiting() throws Exception {
        for (;;) {
            Permit p = arrive();
            if (p.waiting()) {
                return p;
            }
        }
    }

    /** A permit that has to wait for days. */
    private Permit waitingLong() throws Exception {
        limiter.rules(rules(p -> p.rate(1e-5)));
        return waiting();
    }

    /** It was granted, and nobody told it so. */
    @Test
    void anErrorOfTheListenerAtAWaitsEndDoesNotLoseTheCall() throws Exception {
        Limiter faulty = new Limiter(Clock.SYSTEM, new Seeded(), rules(p -> p), new Listener() {
            @Override
            public void throttled(Key key, Target target, long waitedNanos, Object begun) {
                throw new StackOverflowError("a test");
            }
        });
        faulty.arrive(new TestTarget("a.example"));
        Permit permit = faulty.arrive(new TestTarget("a.example"));
        assertTrue(permit.waiting());
        resumed(permit, client).get(PATIENCE, TimeUnit.SECONDS);
        assertTrue(permit.granted());
    }

    private KeyStats stats() {
        return limiter.key("a.example").stats();
    }

    /** Answers with the thread that the call went on with. */
    private CompletableFuture<Thread> resumed(Permit permit, Executor executor) {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Hold.start(timer, permit, executor, () -> thread.complete(Thread.currentThread()), false);
        return thread;
    }

    private static Thread get(CompletableFuture<Thread> thread) throws Exception {
        return thread.get(PATIENCE, TimeUnit.SECONDS);
    }

    @Test
    void aCallGoesOnWhenItsTurnHasComeOnTheClientsExecutor() throws Exception {
        Permit permit = waiting();
        long due = permit.wakeAt();
        Thread thread = get(resumed(permit, client));
        assertTrue(System.nanoTime() - due >= 0, "early");
        assertEquals("client", thread.getName());
        assertTrue(permit.granted());
    }

    /** All that had been granted meanwhile left at once. */
    @Test
    void whatABusyLoopHasKeptLeavesAtTheBucketsPaceInOrder() throws Exception {
        int n = 10;
        long interval = SECOND / 50;
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch all = new CountDownLatch(n);
        Permit[] permits = new Permit[n];
        CompletableFuture<Long> busyUntil = new CompletableFuture<>();
        long[] free = new long[1];
        client.execute(() -> {
            long until = busyUntil.join();
            while ((free[0] = System.nanoTime()) - until < 0) {
                LockSupport.parkNanos(until - free[0]);
            }
        });
        for (int i = 0; i < n; i++) {
            int number = i;
            permits[i] = waiting();
            Hold.start(timer, permits[i], client, () -> {
                order.add(number);
                all.countDown();
            }, false);
        }
        busyUntil.complete(permits[n / 2].wakeAt());
        assertTrue(all.await(PATIENCE, TimeUnit.SECONDS));
        long took = System.nanoTime() - free[0];
        assertTrue(took >= (n - 1) * interval, n + " left within " + took + " ns");
        assertEquals(IntStream.range(0, n).boxed().collect(Collectors.toList()), order);
        assertEquals(0, stats().waitingRequests);
    }

    /** A loop may be stuck because it waits for the very call that stands behind what it has to send. */
    @Test
    void aLoopThatIsStuckHoldsUpNoCallOfOthers() throws Exception {
        CompletableFuture<Thread> other = new CompletableFuture<>();
        CountDownLatch stuck = new CountDownLatch(1);
        client.execute(() -> {
            stuck.countDown();
            other.join();
        });
        assertTrue(stuck.await(PATIENCE, TimeUnit.SECONDS));
        CompletableFuture<Thread> first = resumed(waiting(), client);
        Hold.start(timer, waiting(), Runnable::run, () -> other.complete(Thread.currentThread()), false);
        get(other);
        assertEquals("client", get(first).getName());
    }

    @Test
    void aRejectionReachesTheCallToo() throws Exception {
        Permit permit = waitingLong();
        CompletableFuture<Thread> resumed = resumed(permit, client);
        limiter.rules(rules(p -> p.rate(1e-5).maxWait(1)));
        assertEquals("client", get(resumed).getName());
        assertNotNull(permit.rejection());
    }

    @Test
    void aTurnThatComesNearerIsNoticed() throws Exception {
        Permit permit = waitingLong();
        CompletableFuture<Thread> resumed = resumed(permit, client);
        limiter.rules(rules(p -> p.rate(1000)));
        get(resumed);
        assertTrue(permit.granted());
    }

    @Test
    void aTurnThatMovesAwayIsWaitedFor() throws Exception {
        Permit permit = waiting();
        CompletableFuture<Thread> resumed = resumed(permit, client);
        limiter.rules(rules(p -> p.rate(4)));
        long due = permit.wakeAt();
        get(resumed);
        assertTrue(System.nanoTime() - due >= 0, "early");
        assertTrue(permit.granted());
    }

    @Test
    void aCancelledCallGoesOnAtOnceAndOnce() throws Exception {
        Permit permit = waitingLong();
        AtomicInteger times = new AtomicInteger();
        CountDownLatch resumed = new CountDownLatch(1);
        Hold hold = Hold.start(timer, permit, client, () -> {
            times.incrementAndGet();
            resumed.countDown();
        }, false);
        hold.cancel();
        hold.cancel();
        assertTrue(resumed.await(PATIENCE, TimeUnit.SECONDS));
        client.submit(() -> { }).get(PATIENCE, TimeUnit.SECONDS);
        assertEquals(1, times.get());
        assertTrue(permit.cancelled());
        assertEquals(1, stats().cancelledRequests);
    }

    @Test
    void aPermitThatSomebodyElseCancelsResumesItsCall() throws Exception {
        Permit permit = waitingLong();
        CompletableFuture<Thread> resumed = resumed(permit, client);
        permit.cancel();
        get(resumed);
        assertTrue(permit.cancelled());
    }

    @Test
    void cancellingAfterwardsHasNoEffect() throws Exception {
        Permit permit = waiting();
        AtomicInteger times = new AtomicInteger();
        CountDownLatch resumed = new CountDownLatch(1);
        Hold hold = Hold.start(timer, permit, client, () -> {
            times.incrementAndGet();
            resumed.countDown();
        }, false);
        assertTrue(resumed.await(PATIENCE, TimeUnit.SECONDS));
        hold.cancel();
        client.submit(() -> { }).get(PATIENCE, TimeUnit.SECONDS);
        assertEquals(1, times.get());
        assertTrue(permit.granted());
    }

    /** The call itself would run once all the same; what its executor got was another task each time somebody looked. */
    @Test
    void theExecutorGetsACallOnce() throws Exception {
        AtomicInteger tasks = new AtomicInteger();
        CountDownLatch resumed = new CountDownLatch(1);
        Hold hold = Hold.start(timer, waiting(), task -> {
            tasks.incrementAndGet();
            client.execute(task);
        }, resumed::countDown, false);
        assertTrue(resumed.await(PATIENCE, TimeUnit.SECONDS));
        hold.cancel();
        hold.moved();
        CountDownLatch later = new CountDownLatch(1);
        timer.schedule(new Timer.Entry() {
            @Override
            protected void fire() {
                later.countDown();
            }
        }, System.nanoTime());
        assertTrue(later.await(PATIENCE, TimeUnit.SECONDS));
        assertEquals(1, tasks.get());
    }

    /** A permit lives until its answer has been judged, which may be long after. */
    @Test
    void aPermitDoesNotReferToACallThatHasGoneOn() throws Exception {
        Permit permit = waiting();
        WeakReference<CountDownLatch> call = goneOn(permit);
        client.submit(() -> { }).get(PATIENCE, TimeUnit.SECONDS);
        for (long end = System.nanoTime() + PATIENCE * SECOND; call.get() != null; ) {
            System.gc();
            assertTrue(System.nanoTime() - end < 0, "the call is still referred to");
        }
        assertTrue(permit.granted());
    }

    private WeakReference<CountDownLatch> goneOn(Permit permit) throws Exception {
        CountDownLatch resumed = new CountDownLatch(1);
        Hold.start(timer, permit, client, resumed::countDown, false);
        assertTrue(resumed.await(PATIENCE, TimeUnit.SECONDS));
        return new WeakReference<>(resumed);
    }

    @Test
    void anExecutorThatRunsItsTasksAtOnceDoesNotRunThemOnTheTimer() throws Exception {
        Thread[] timers = new Thread[1];
        for (int i = 0; i < 5; i++) {
            Thread thread = get(resumed(waiting(), task -> {
                timers[0] = Thread.currentThread();
                assertTrue(timer.isCurrentThread());
                task.run();
            }));
            assertNotEquals(timers[0], thread);
            assertFalse(thread.getName().startsWith("tempolimit"), thread.getName());
        }
    }

    @Test
    void anExecutorThatRunsItsTasksAtOnceMayRunThemOnTheCancellersThread() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Hold hold = Hold.start(timer, waitingLong(), Runnable::run, () -> thread.complete(Thread.currentThread()), false);
        hold.cancel();
        assertEquals(Thread.currentThread(), get(thread));
    }

    /** The executor gives back the exception of the call: that does not mean that it has not run it. */
    @Test
    void aCallThatFailsOnTheCancellersThreadIsNotResumedTwice() throws Exception {
        AtomicInteger times = new AtomicInteger();
        CountDownLatch twice = new CountDownLatch(2);
        Hold hold = Hold.start(timer, waitingLong(), Runnable::run, () -> {
            times.incrementAndGet();
            twice.countDown();
            throw new IllegalStateException("on purpose");
        }, false);
        try {
            hold.cancel();
        } catch (IllegalStateException e) {
            // whose exception it is
        }
        assertFalse(twice.await(100, TimeUnit.MILLISECONDS));
        assertEquals(1, times.get());
    }

    @Test
    void anExecutorThatRejectsDoesNotLeaveTheCallWaiting() throws Exception {
        Executor shutDown = task -> {
            throw new RejectedExecutionException();
        };
        Permit granted = waiting();
        Thread thread = get(resumed(granted, shutDown));
        assertFalse(thread.getName().startsWith("tempolimit"), thread.getName());
        assertTrue(granted.granted());
        CompletableFuture<Thread> cancelled = new CompletableFuture<>();
        Hold.start(timer, waitingLong(), shutDown, () -> cancelled.complete(Thread.currentThread()), false).cancel();
        get(cancelled);
    }

    @Test
    void aHeldCallKeepsTheJvmAliveIfItsClientWouldHave() throws Exception {
        Hold hold = Hold.start(timer, waitingLong(), client, () -> { }, true);
        CompletableFuture<Boolean> daemon = new CompletableFuture<>();
        timer.schedule(new Timer.Entry() {
            @Override
            protected void fire() {
                daemon.complete(Thread.currentThread().isDaemon());
            }
        }, System.nanoTime());
        assertFalse(daemon.get(PATIENCE, TimeUnit.SECONDS));
        hold.cancel();
        assertFalse(timer.cancel(hold));
    }

    @Test
    void cancellationsThatRaceWithTheTurnResumeEachCallOnce() throws Exception {
        limiter.rules(rules(p -> p.rate(4000)));
        int n = 1500;
        AtomicInteger[] times = new AtomicInteger[n];
        Hold[] holds = new Hold[n];
        CountDownLatch all = new CountDownLatch(n);
        for (int i = 0; i < n; i++) {
            Permit p = waiting();
            AtomicInteger t = new AtomicInteger();
            times[i] = t;
            holds[i] = Hold.start(timer, p, i % 2 == 0 ? client : Runnable::run, () -> {
                t.incrementAndGet();
                all.countDown();
            }, i % 3 == 0);
        }
        List<Thread> threads = new ArrayList<>();
        for (int k = 0; k < 3; k++) {
            int from = k;
            Thread t = new Thread(() -> {
                for (int i = from; i < n; i += 2) {
                    holds[i].cancel();
                    if (i % 16 == 0) {
                        Thread.yield();
                    }
                }
            });
            t.start();
            threads.add(t);
        }
        for (Thread t : threads) {
            t.join();
        }
        assertTrue(all.await(PATIENCE, TimeUnit.SECONDS), all.getCount() + " calls were never resumed");
        client.submit(() -> { }).get(PATIENCE, TimeUnit.SECONDS);
        int granted = 0;
        for (int i = 0; i < n; i++) {
            assertEquals(1, times[i].get(), "call " + i);
            Permit p = holds[i].permit();
            assertNotEquals(p.granted(), p.cancelled());
            granted += p.granted() ? 1 : 0;
            p.abandoned();
        }
        assertEquals(n - granted, stats().cancelledRequests);
        assertEquals(0, stats().waitingRequests);
    }

    /** Of two threads that told the timer at once, one with an old time, the later one won: a call slept for days. */
    @Test
    void turnsThatMoveAllTheTimeForgetNoCall() throws Exception {
        Random random = new Random(1);
        for (int round = 0; round < 100; round++) {
            CountDownLatch all = new CountDownLatch(30);
            Thread mover = new Thread(() -> {
                for (int i = 0; i < 60; i++) {
                    limiter.rules(rules(p -> p.rate(random.nextBoolean() ? 1e-5 : 1e5)));
                }
                limiter.rules(rules(p -> p.rate(1e5)));
            });
            mover.start();
            for (int i = 0; i < 30; i++) {
                Permit p = arrive();
                if (p.waiting()) {
                    Hold.start(timer, p, client, all::countDown, false);
                } else {
                    all.countDown();
                }
            }
            mover.join();
            assertTrue(all.await(PATIENCE, TimeUnit.SECONDS), all.getCount() + " calls sleep on, round " + round);
        }
        assertTrue(stats().totalRequests >= 3000);
    }
}
