package io.tempolimit.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TimerTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE = 60;

    private final Timer timer = new Timer();
    private final BlockingQueue<String> fired = new LinkedBlockingQueue<>();

    private static final class TestEntry extends Timer.Entry {
        final boolean keepsAlive;
        final Runnable action;

        TestEntry(boolean keepsAlive, Runnable action) {
            this.keepsAlive = keepsAlive;
            this.action = action;
        }

        @Override
        boolean keepsAlive() {
            return keepsAlive;
        }

        @Override
        protected void fire() {
            action.run();
        }
    }

    private TestEntry entry(String name) {
        return new TestEntry(false, () -> fired.add(name));
    }

    private String next() throws InterruptedException {
        return fired.poll(PATIENCE, TimeUnit.SECONDS);
    }

    /** What the timer's thread says, now. */
    private static <T> T onTimer(Timer timer, Supplier<T> question) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        timer.schedule(new TestEntry(false, () -> {
            try {
                answer.complete(question.get());
            } catch (Throwable t) {
                answer.completeExceptionally(t);
            }
        }), System.nanoTime());
        return answer.get(PATIENCE, TimeUnit.SECONDS);
    }

    /** Does it on the timer's thread, so that nothing fires meanwhile, however long the machine takes. */
    private void meanwhile(Runnable what) throws Exception {
        onTimer(timer, () -> {
            what.run();
            return "";
        });
    }

    @Test
    void entriesFireInOrderOfTimeAndNeverEarly() throws Exception {
        long start = System.nanoTime() + 50 * MILLI;
        List<Long> late = new ArrayList<>();
        meanwhile(() -> {
            for (int i : new int[] {3, 0, 4, 1, 2}) {
                long at = start + i * 5 * MILLI;
                timer.schedule(new TestEntry(false, () -> {
                    late.add(System.nanoTime() - at);
                    fired.add("" + i);
                }), at);
            }
        });
        for (int i = 0; i < 5; i++) {
            assertEquals("" + i, next());
        }
        assertTrue(late.stream().allMatch(l -> l >= 0), "early: " + late);
    }

    @Test
    void entriesOfTheSameTimeFireInTheOrderInWhichTheyCame() throws Exception {
        long at = System.nanoTime() + 50 * MILLI;
        for (int i = 0; i < 1000; i++) {
            timer.schedule(entry("" + i), at);
        }
        for (int i = 0; i < 1000; i++) {
            assertEquals("" + i, next());
        }
    }

    @Test
    void timesThatArePastFireAtOnce() throws Exception {
        timer.schedule(entry("past"), System.nanoTime() - 100 * SECOND);
        assertEquals("past", next());
    }

    @Test
    void anEntryMovesEarlier() throws Exception {
        Timer.Entry e = entry("moved");
        timer.schedule(entry("other"), System.nanoTime() + 3600 * SECOND);
        timer.schedule(e, System.nanoTime() + 7200 * SECOND);
        onTimer(timer, () -> ""); // it sleeps, or is about to
        timer.schedule(e, System.nanoTime());
        assertEquals("moved", next());
        assertFalse(timer.cancel(e));
    }

    @Test
    void anEntryMovesLater() throws Exception {
        long start = System.nanoTime();
        Timer.Entry e = entry("moved");
        meanwhile(() -> {
            timer.schedule(e, start + 100 * MILLI);
            timer.schedule(e, start + 200 * MILLI);
            timer.schedule(entry("between"), start + 150 * MILLI);
        });
        assertEquals("between", next());
        assertEquals("moved", next());
        assertTrue(System.nanoTime() - start >= 200 * MILLI);
        assertNull(fired.poll());
    }

    @Test
    void aCancelledEntryDoesNotFire() throws Exception {
        Timer.Entry e = entry("cancelled");
        long at = System.nanoTime() + 100 * MILLI;
        meanwhile(() -> {
            timer.schedule(e, at);
            timer.schedule(entry("after"), at + 1);
            assertTrue(timer.cancel(e));
            assertFalse(timer.cancel(e));
        });
        assertEquals("after", next());
        assertTrue(fired.isEmpty());
        timer.schedule(e, System.nanoTime()); // and may come again
        assertEquals("cancelled", next());
    }

    @Test
    void anEntryMayScheduleItselfAgain() throws Exception {
        AtomicInteger left = new AtomicInteger(5);
        Timer.Entry[] self = new Timer.Entry[1];
        self[0] = new TestEntry(true, () -> {
            if (left.decrementAndGet() > 0) {
                timer.schedule(self[0], System.nanoTime());
            } else {
                fired.add("done");
            }
        });
        timer.schedule(self[0], System.nanoTime());
        assertEquals("done", next());
    }

    @Test
    void anExceptionDoesNotEndTheThread() throws Exception {
        Thread before = onTimer(timer, Thread::currentThread);
        timer.schedule(new TestEntry(false, () -> {
            throw new IllegalStateException("on purpose");
        }), System.nanoTime());
        timer.schedule(new TestEntry(false, () -> {
            throw new StackOverflowError("on purpose");
        }), System.nanoTime());
        assertEquals(before, onTimer(timer, Thread::currentThread));
    }

    // ---- the thread

    /**
     * Who has the flag set does not sleep: one interrupt, from an application that interrupts all threads it finds,
     * would cost a whole processor from then on.
     */
    @Test
    void anInterruptDoesNotLetTheThreadSpinForEver() throws Exception {
        timer.schedule(entry("far"), System.nanoTime() + 3600 * SECOND);
        Thread thread = onTimer(timer, Thread::currentThread);
        thread.interrupt();
        for (long end = System.nanoTime() + PATIENCE * SECOND; thread.isInterrupted(); Thread.sleep(1)) {
            assertTrue(System.nanoTime() - end < 0, "the flag stays");
        }
        assertEquals(thread, onTimer(timer, Thread::currentThread));
    }

    /** A held call that cannot be handed over at the moment is not forgotten. */
    @Test
    void whatFailsForWantOfMemoryIsTriedAgain() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        timer.schedule(new TestEntry(false, () -> {
            if (tries.incrementAndGet() < 3) {
                throw new OutOfMemoryError("as if");
            }
            fired.add("third");
        }), System.nanoTime());
        timer.schedule(entry("another"), System.nanoTime());
        assertEquals("another", next());
        assertEquals("third", next());
    }

    @Test
    void theThreadIsADaemonAndInheritsNothing() throws Exception {
        InheritableThreadLocal<String> inheritable = new InheritableThreadLocal<>();
        inheritable.set("the application's");
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(before) { });
        try {
            assertNull(onTimer(timer, inheritable::get));
            assertNull(onTimer(timer, () -> Thread.currentThread().getContextClassLoader()));
            assertNull(onTimer(timer, () -> Thread.currentThread().getThreadGroup().getParent()));
            assertTrue(onTimer(timer, () -> Thread.currentThread().isDaemon()));
            assertTrue(onTimer(timer, timer::isCurrentThread));
            assertFalse(timer.isCurrentThread());
        } finally {
            inheritable.remove();
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** The thread could start before the timer knew it, take itself for replaced, and end. */
    @Test
    void theFirstEntryOfEachTimerFires() throws Exception {
        CountDownLatch all = new CountDownLatch(300);
        for (int i = 0; i < 300; i++) {
            new Timer().schedule(new TestEntry(false, all::countDown), System.nanoTime());
        }
        assertTrue(all.await(PATIENCE, TimeUnit.SECONDS), all.getCount() + " timers are dead");
    }

    @Test
    void theThreadKeepsTheJvmAliveWhileAnEntryAsksForItAndASecondLonger() throws Exception {
        Thread first = onTimer(timer, Thread::currentThread);
        assertTrue(first.isDaemon());
        TestEntry keeps = new TestEntry(true, () -> fired.add("kept"));
        timer.schedule(keeps, System.nanoTime() + 3600 * SECOND);
        Thread second = onTimer(timer, Thread::currentThread);
        assertNotSame(first, second);
        assertFalse(second.isDaemon());
        first.join(PATIENCE * 1000);
        assertFalse(first.isAlive());
        timer.schedule(keeps, System.nanoTime());
        assertEquals("kept", next());
        awaitDaemon();
        second.join(PATIENCE * 1000);
        assertFalse(second.isAlive());
        assertNull(onTimer(timer, () -> Thread.currentThread().getContextClassLoader()));
    }

    private void awaitDaemon() throws Exception {
        long deadline = System.nanoTime() + PATIENCE * SECOND;
        while (!onTimer(timer, () -> Thread.currentThread().isDaemon())) {
            assertTrue(System.nanoTime() < deadline, "keeps the JVM alive for ever");
            Thread.sleep(20);
        }
    }

    @Test
    void aCancelledEntryKeepsNothingAlive() throws Exception {
        TestEntry keeps = new TestEntry(true, () -> fired.add("kept"));
        timer.schedule(keeps, System.nanoTime() + 3600 * SECOND);
        timer.schedule(keeps, System.nanoTime() + 7200 * SECOND); // moved: still one
        assertFalse(onTimer(timer, () -> Thread.currentThread().isDaemon()));
        assertTrue(timer.cancel(keeps));
        awaitDaemon();
    }

    @Test
    void aThreadThatFiresWhileItIsReplacedIsStillTheTimers() throws Exception {
        CountDownLatch fires = new CountDownLatch(1);
        CountDownLatch replaced = new CountDownLatch(1);
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        timer.schedule(new TestEntry(false, () -> {
            fires.countDown();
            try {
                replaced.await(PATIENCE, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                // then the answer comes sooner
            }
            answer.complete(timer.isCurrentThread());
        }), System.nanoTime());
        assertTrue(fires.await(PATIENCE, TimeUnit.SECONDS));
        TestEntry keeps = new TestEntry(true, () -> { });
        timer.schedule(keeps, System.nanoTime() + 3600 * SECOND);
        onTimer(timer, () -> ""); // the new thread works
        replaced.countDown();
        assertTrue(answer.get(PATIENCE, TimeUnit.SECONDS));
        timer.cancel(keeps);
    }

    @Test
    void replacingTheThreadLosesNoEntry() throws Exception {
        for (int round = 0; round < 100; round++) {
            Timer t = new Timer();
            onTimer(t, () -> "");
            CountDownLatch all = new CountDownLatch(40);
            Consumer<Boolean> add = keeps -> {
                for (int i = 0; i < 20; i++) {
                    t.schedule(new TestEntry(keeps, all::countDown), System.nanoTime() + i * 100_000L);
                }
            };
            Thread other = new Thread(() -> add.accept(false));
            other.start();
            add.accept(true); // the first of them replaces the thread
            other.join();
            assertTrue(all.await(PATIENCE, TimeUnit.SECONDS), all.getCount() + " entries were lost");
        }
    }

    @Test
    void entriesThatMoveAllTheTimeFireOnceEach() throws Exception {
        int n = 1000;
        AtomicInteger[] times = new AtomicInteger[n];
        Timer.Entry[] entries = new Timer.Entry[n];
        CountDownLatch all = new CountDownLatch(n);
        for (int i = 0; i < n; i++) {
            AtomicInteger t = new AtomicInteger();
            times[i] = t;
            entries[i] = new TestEntry(i % 7 == 0, () -> {
                t.incrementAndGet();
                all.countDown();
            });
        }
        long far = System.nanoTime() + 3600 * SECOND;
        List<Thread> threads = new ArrayList<>();
        for (int k = 0; k < 3; k++) {
            Random random = new Random(k);
            Thread t = new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    Timer.Entry e = entries[random.nextInt(n)];
                    if (random.nextInt(20) == 0) {
                        timer.cancel(e);
                    } else {
                        timer.schedule(e, far + random.nextInt(1000));
                    }
                }
            });
            t.start();
            threads.add(t);
        }
        for (Thread t : threads) {
            t.join();
        }
        long now = System.nanoTime();
        for (Timer.Entry e : entries) {
            timer.schedule(e, now);
        }
        assertTrue(all.await(PATIENCE, TimeUnit.SECONDS), all.getCount() + " entries were lost");
        onTimer(timer, () -> "");
        assertTrue(Arrays.stream(times).allMatch(t -> t.get() == 1), "fired more than once");
        for (Timer.Entry e : entries) {
            assertFalse(timer.cancel(e), "a ghost stayed behind");
        }
    }
}
