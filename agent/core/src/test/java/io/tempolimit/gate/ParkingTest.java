package io.tempolimit.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Key;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.runtime.Clock;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class ParkingTest {
    private static final long PATIENCE = 60;

    private final Limiter limiter = new Limiter(Clock.SYSTEM, new Seeded(), rules(p -> p), Listener.NONE);

    private static TestRules rules(UnaryOperator<Policy.Builder> p) {
        return TestRules.of(p.apply(new Policy.Builder().rate(1e-5).burst(1)).build());
    }

    private Permit waiting() throws Exception {
        for (;;) {
            Permit p = limiter.arrive(new TestTarget("a.example"));
            if (p.waiting()) {
                return p;
            }
        }
    }

    private KeyStats stats() {
        return limiter.key("a.example").stats();
    }

    /** A thread that waits for a permit; answers with how it ended. */
    private static final class Parked {
        final CompletableFuture<Throwable> end = new CompletableFuture<>();
        final CompletableFuture<Boolean> flag = new CompletableFuture<>();
        final Thread thread;

        Parked(Permit permit) {
            thread = new Thread(() -> {
                Throwable how = null;
                try {
                    Parking.await(permit);
                } catch (Throwable t) {
                    how = t;
                }
                flag.complete(Thread.currentThread().isInterrupted());
                end.complete(how);
            });
            thread.setDaemon(true);
            thread.start();
        }

        /** Until it is asleep, as far as that can be seen. */
        Parked asleep() {
            long deadline = System.nanoTime() + PATIENCE * 1_000_000_000L;
            while (thread.getState() != Thread.State.TIMED_WAITING && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertEquals(Thread.State.TIMED_WAITING, thread.getState());
            return this;
        }

        Throwable end() throws Exception {
            return end.get(PATIENCE, TimeUnit.SECONDS);
        }
    }

    @Test
    void aGrantedPermitDoesNotPark() throws Exception {
        Permit permit = limiter.arrive(new TestTarget("a.example"));
        assertTrue(permit.granted());
        Thread.currentThread().interrupt();
        try {
            Parking.await(permit);
        } finally {
            assertTrue(Thread.interrupted(), "the flag is nobody's but the application's");
        }
    }

    @Test
    void returnsWhenTheTurnHasComeAndNotBefore() throws Exception {
        limiter.rules(rules(p -> p.rate(50)));
        for (int i = 0; i < 5; i++) {
            Permit permit = waiting();
            long due = permit.wakeAt();
            Parking.await(permit);
            assertTrue(System.nanoTime() - due >= 0, "early");
            assertTrue(permit.granted());
        }
    }

    @Test
    void anInterruptEndsTheWaitKeepsTheFlagAndGivesTheTokenBack() throws Exception {
        Permit permit = waiting();
        double due = permit.wakeAt();
        Parked parked = new Parked(permit).asleep();
        parked.thread.interrupt();
        assertInstanceOf(InterruptedException.class, parked.end());
        assertTrue(parked.flag.get(PATIENCE, TimeUnit.SECONDS));
        assertTrue(permit.cancelled());
        assertEquals(1, stats().cancelledRequests);
        assertEquals(0, stats().waitingRequests);
        assertEquals(due, waiting().wakeAt(), 1e9, "the next one has its turn");
    }

    @Test
    void whoIsInterruptedBeforeDoesNotWaitAtAll() throws Exception {
        Permit permit = waiting();
        Thread.currentThread().interrupt();
        try {
            Parking.await(permit);
            throw new AssertionError("waited");
        } catch (InterruptedException e) {
            assertTrue(Thread.interrupted());
        } finally {
            Thread.interrupted();
        }
        assertTrue(permit.cancelled());
    }

    /** Out of memory, or of stack, or stopped: its request goes on or ends, and nobody may wait behind one who will never go. */
    @Test
    @SuppressWarnings("removal")
    void anErrorInTheWaitLeavesNobodyAmongTheSleepers() throws Exception {
        Parked parked = new Parked(waiting()).asleep();
        try {
            parked.thread.stop();
        } catch (UnsupportedOperationException e) {
            Assumptions.abort("this Java stops no thread");
        }
        assertInstanceOf(ThreadDeath.class, parked.end.get(PATIENCE, TimeUnit.SECONDS));
        assertEquals(0, stats().waitingRequests);
        assertEquals(1, stats().cancelledRequests);
    }

    /** Who is told of waits may be out of stack. */
    @Test
    void aListenerThatFailsLeavesNobodyAmongTheSleepersEither() throws Exception {
        Limiter told = new Limiter(Clock.SYSTEM, new Seeded(), rules(p -> p), new Listener() {
            @Override
            public void delayed(Key key, long expectedWaitNanos, Rejection why) {
                throw new StackOverflowError("as if");
            }
        });
        assertTrue(told.arrive(new TestTarget("a.example")).granted());
        Permit waits = told.arrive(new TestTarget("a.example"));
        assertTrue(waits.waiting());
        assertTrue(waits.cancel());
        assertEquals(0, told.key("a.example").stats().waitingRequests);
    }

    @Test
    void aTurnThatComesNearerWakes() throws Exception {
        Permit permit = waiting();
        Parked parked = new Parked(permit).asleep();
        limiter.rules(rules(p -> p.rate(1000)));
        assertEquals(null, parked.end());
        assertTrue(permit.granted());
        assertFalse(parked.flag.get(PATIENCE, TimeUnit.SECONDS));
    }

    @Test
    void aCancellationByAnotherThreadWakes() throws Exception {
        Permit permit = waiting();
        Parked parked = new Parked(permit).asleep();
        permit.cancel();
        assertEquals(null, parked.end());
        assertTrue(permit.cancelled());
    }

    @Test
    void aRejectionWhileItSleepsIsThrown() throws Exception {
        Permit permit = waiting();
        Parked parked = new Parked(permit).asleep();
        limiter.rules(rules(p -> p.maxWait(1)));
        RequestRejectedException e = assertInstanceOf(RequestRejectedException.class, parked.end());
        assertEquals("RATE_LIMIT_EXCEEDED", e.code());
        assertEquals(1, stats().rejectedRequests);
    }

    @Test
    void spuriousWakeUpsEndNothing() throws Exception {
        Permit permit = waiting();
        Parked parked = new Parked(permit).asleep();
        for (int i = 0; i < 10_000; i++) {
            LockSupport.unpark(parked.thread);
        }
        try {
            parked.end.get(50, TimeUnit.MILLISECONDS);
            throw new AssertionError("went early");
        } catch (TimeoutException e) {
            assertTrue(permit.waiting());
        }
        permit.cancel();
        parked.end();
    }

    @Test
    void aThreadKnowsHowLongItsLatestWaitWas() throws Exception {
        long[] since = new long[4];
        Thread thread = new Thread(() -> {
            since[0] = Parking.waitedSince(0);
            Parking.waited(1_000, 1_700);
            since[1] = Parking.waitedSince(900);
            since[2] = Parking.waitedSince(1_400);
            since[3] = Parking.waitedSince(1_700);
        });
        thread.start();
        thread.join();
        assertEquals(Arrays.asList(0L, 700L, 300L, 0L), Arrays.asList(since[0], since[1], since[2], since[3]));
    }
}
