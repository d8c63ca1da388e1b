package io.tempolimit.gate;

import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.runtime.Threads;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The agent's thread for time: fires entries when their time has come. It starts with the first entry. What it runs must be
 * quick, must not block and must not be client or application code.
 *
 * <p>The thread is a daemon, except while an entry asks to keep the JVM alive, and a second longer; since a thread cannot
 * change that once it runs, it is then replaced by another one that takes over the queue. Thread-safe.
 */
public final class Timer {
    /** So that a thread is not replaced twice for every held call; the threads of OkHttp's own queue stay for a minute. */
    private static final long LINGER = 1_000_000_000L;
    /** Until what failed for want of memory is tried again. */
    private static final long RETRY = 100_000_000L;

    private final ConcurrentSkipListSet<Slot> queue = new ConcurrentSkipListSet<>();
    private final AtomicLong sequence = new AtomicLong();
    /** The thread, and one that was replaced and has not ended yet. */
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    // Written under this object's monitor, which is held for a few instructions only.
    private volatile Thread thread;
    private volatile int keepingAlive;
    private volatile long lastKeptAlive;

    /** Something to do at a time. */
    public abstract static class Entry {
        /** Where it is in the queue; null if it is not. Guarded by the entry's monitor. */
        private Slot slot;

        /** Whether the JVM shall not end before this has fired. */
        boolean keepsAlive() {
            return false;
        }

        /** Its time has come. An exception is dropped; for want of memory, or of threads, it is fired again a little later. */
        protected abstract void fire();
    }

    /** By time, then by the order in which they were entered. Immutable: a sorted set gets lost over elements that change. */
    private static final class Slot implements Comparable<Slot> {
        final Entry entry;
        final long at;
        final long number;

        Slot(Entry entry, long at, long number) {
            this.entry = entry;
            this.at = at;
            this.number = number;
        }

        @Override
        public int compareTo(Slot other) {
            long d = at - other.at;
            return d != 0 ? Long.signum(d) : Long.compare(number, other.number);
        }
    }

    /**
     * Enters, or moves, an entry; {@code at} by {@link Clock#SYSTEM}. Where memory or threads are wanting, an error
     * says so, and it is where it was, or nowhere.
     */
    public void schedule(Entry entry, long at) {
        Slot slot;
        synchronized (entry) {
            Slot old = entry.slot;
            if (old != null && old.at == at) {
                return;
            }
            slot = new Slot(entry, at, old != null ? old.number : sequence.getAndIncrement());
            queue.add(slot);
            entry.slot = slot;
            if (old != null) {
                queue.remove(old);
            } else if (entry.keepsAlive()) {
                keepAlive(1);
            }
            if (thread == null) {
                startFor(entry);
            }
        }
        if (first() == slot) {
            LockSupport.unpark(thread);
        }
    }

    /** Takes an entry out; whether it was in. */
    boolean cancel(Entry entry) {
        synchronized (entry) {
            if (entry.slot == null) {
                return false;
            }
            Slot old = entry.slot;
            entry.slot = null; // first, for it is this that counts
            if (entry.keepsAlive()) {
                keepAlive(-1);
            }
            queue.remove(old);
            return true;
        }
    }

    /** Whether the current thread is the timer's, where client and application code must not run. */
    boolean isCurrentThread() {
        return threads.contains(Thread.currentThread());
    }

    /** What {@link #handOver} may be given again, where it has failed: it runs once all the same. */
    Runnable once(Runnable task) {
        return new Task(task);
    }

    /**
     * Has a client's executor run a task; once, and never on this timer's thread. Where the executor does not, the
     * JVM's common pool does.
     */
    public void handOver(Executor executor, Runnable task) {
        Task once = task instanceof Task ? (Task) task : new Task(task);
        try {
            executor.execute(once);
        } catch (Throwable refused) { // shut down, or out of memory: the call must be told all the same
            CompletableFuture.runAsync(once);
        }
    }

    private final class Task implements Runnable {
        private final Runnable task;
        private final AtomicBoolean run = new AtomicBoolean();

        Task(Runnable task) {
            this.task = task;
        }

        /** An executor may run its tasks on the thread that brings them; or run them, and fail with their exception. */
        @Override
        public void run() {
            if (isCurrentThread()) {
                CompletableFuture.runAsync(this);
            } else if (run.compareAndSet(false, true)) {
                task.run();
            }
        }
    }

    private synchronized void startFor(Entry entry) {
        if (thread == null) {
            try {
                replace();
            } catch (Throwable outOfThreads) {
                cancel(entry); // who called does without, and is not called back
                throw outOfThreads;
            }
        }
    }

    private synchronized void keepAlive(int change) {
        keepingAlive += change;
        if (keepingAlive > 0) {
            if (thread != null && thread.isDaemon()) {
                try {
                    replace();
                } catch (Throwable outOfThreads) {
                    // the one that there is goes on; the next call that asks for it tries again
                }
            }
        } else {
            lastKeptAlive = Clock.SYSTEM.nanos();
        }
    }

    private synchronized void endLinger() {
        if (keepingAlive == 0 && Thread.currentThread() == thread) {
            replace();
        }
    }

    private void replace() {
        Thread old = thread;
        Thread t = newThread();
        thread = t; // before it starts, for it ends when it finds another one here
        try {
            t.start();
        } catch (Throwable outOfThreads) {
            thread = old;
            throw outOfThreads;
        }
        LockSupport.unpark(old); // it sees that it was replaced, and ends
    }

    private void run() {
        Thread me = Thread.currentThread();
        threads.add(me);
        try {
            fireUntilReplaced(me);
        } finally {
            threads.remove(me);
        }
    }

    private void fireUntilReplaced(Thread me) {
        while (thread == me) {
            try {
                fireOrSleep(me);
            } catch (Throwable t) { // out of memory, say: whoever is held needs this thread
                LockSupport.parkNanos(this, RETRY);
            }
            Thread.interrupted(); // an application may interrupt all threads that it finds; who has the flag set does not sleep
        }
    }

    private void fireOrSleep(Thread me) {
        Slot next = first();
        long nanos = next == null ? Long.MAX_VALUE : next.at - Clock.SYSTEM.nanos();
        if (nanos > 0) {
            if (!me.isDaemon() && keepingAlive == 0) {
                long linger = lastKeptAlive + LINGER - Clock.SYSTEM.nanos();
                if (linger <= 0) {
                    endLinger();
                    return;
                }
                nanos = Math.min(nanos, linger);
            }
            LockSupport.parkNanos(this, nanos);
            return;
        }
        Entry entry = next.entry;
        boolean due;
        synchronized (entry) {
            due = entry.slot == next; // else it was moved or cancelled meanwhile
            if (due) {
                entry.slot = null; // its hold on the JVM ends only after it has fired
            }
        }
        try {
            queue.remove(next);
        } finally {
            if (due) {
                fire(entry);
            }
        }
    }

    private void fire(Entry entry) {
        try {
            while (!fires(entry)) {
                LockSupport.parkNanos(this, RETRY);
            }
        } finally {
            if (entry.keepsAlive()) {
                keepAlive(-1);
            }
        }
    }

    /** False if it has to be tried again. */
    private boolean fires(Entry entry) {
        try {
            entry.fire();
        } catch (OutOfMemoryError e) {
            return again(entry);
        } catch (Throwable t) {
            // an entry reports its own trouble; the thread must live
        }
        return true;
    }

    /** False if there is not even the memory to enter it. */
    private boolean again(Entry entry) {
        try {
            schedule(entry, Clock.SYSTEM.nanos() + RETRY);
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    private Slot first() {
        Iterator<Slot> i = queue.iterator();
        return i.hasNext() ? i.next() : null;
    }

    private Thread newThread() {
        Thread t = Threads.detached("tempolimit-timer", new Runnable() {
            @Override
            public void run() {
                Timer.this.run();
            }
        });
        t.setDaemon(keepingAlive == 0);
        return t;
    }
}
