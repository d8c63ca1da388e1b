package io.tempolimit.watch;

import io.tempolimit.core.runtime.ProgramStart;
import io.tempolimit.core.runtime.Threads;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes lines to a sink, in their order, on a daemon thread of its own.
 *
 * <p>Nobody waits for the sink. A program's standard error may be a pipe that nobody reads: after 64 KB its writer
 * waits for ever. So a queue of bounded length lies in between. Lines that do not fit are counted, and the sink tells
 * their number once the thread has caught up. Thread-safe.
 *
 * @param <L> what a line is made of
 */
final class LineWriter<L> {
    /** Losses are told anew at this distance at the latest, even if the thread never catches up. */
    private static final long OFTEN = 60_000_000_000L;

    /** Where lines go. Called on the writer's thread only. */
    interface Sink<L> {
        /**
         * Called once, before anything else.
         *
         * @throws IOException if nothing can be written: then the writer ends
         */
        void open() throws IOException;

        /**
         * Writes a line.
         *
         * @return false if this line is lost
         * @throws IOException if all later lines would be lost, too: then the writer ends
         */
        boolean write(L line) throws IOException;

        /**
         * Tells that so many lines were lost.
         *
         * @return false if that cannot be told yet
         * @throws IOException as {@link #write}
         */
        boolean tellLost(long lines) throws IOException;

        /**
         * The writer ends.
         *
         * @param why null if it was asked to
         */
        void close(Throwable why);
    }

    private static final class Entry<L> {
        /** Null if there is none, and somebody only waits for those before. */
        final L line;
        /** Whether the writer ends after it. */
        final boolean last;
        /** Null if nobody waits for it. */
        final CountDownLatch written;

        Entry(L line, boolean last, CountDownLatch written) {
            this.line = line;
            this.last = last;
            this.written = written;
        }
    }

    private final ArrayBlockingQueue<Entry<L>> queue;
    private final AtomicLong lost = new AtomicLong();
    private final Sink<L> sink;
    private final Thread thread;
    private volatile boolean closed;
    /** The thread's own. */
    private long toldAt;

    /**
     * Starts the thread, which opens the sink.
     *
     * @param room how many lines may wait
     */
    LineWriter(String name, int room, Sink<L> sink) {
        this.queue = new ArrayBlockingQueue<>(room);
        this.sink = sink;
        this.thread = Threads.detached(name, new Runnable() {
            @Override
            public void run() {
                writeAll();
            }
        });
        thread.start();
    }

    /** Hands a line over; never waits. */
    void add(L line) {
        if (!closed && !queue.offer(new Entry<>(line, false, null))) {
            lost.incrementAndGet();
        }
    }

    /**
     * Hands a line over, and waits until it and all before it are written, but not for longer than {@code millis}.
     *
     * @param line null for none
     */
    void flush(L line, long millis) {
        CountDownLatch written = new CountDownLatch(1);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            if (offered(new Entry<>(line, false, written), millis)) {
                written.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Writes what was handed over until now, and no more.
     *
     * @return false if that takes longer than {@code millis}, and some of it may be lost
     */
    boolean close(long millis) {
        closed = true;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            if (thread.isAlive() && !offered(new Entry<>(null, true, null), millis)) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1_000_000, end - System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private boolean offered(Entry<L> entry, long millis) throws InterruptedException {
        ProgramStart.isOver(); // for this is the end
        return queue.offer(entry, millis, TimeUnit.MILLISECONDS);
    }

    private void writeAll() {
        Throwable why = null;
        try {
            // The JDK reads the time zone and the locale for a line, and makes ForkJoinPool's common pool for a wait in a queue.
            ProgramStart.await();
            sink.open();
            toldAt = System.nanoTime();
            while (writeNext()) {
                // goes on
            }
        } catch (Throwable e) {
            why = e;
        } finally {
            closed = true;
            queue.clear(); // whoever waits for room is free
            sink.close(why);
        }
    }

    /** Gives false after the last one. */
    private boolean writeNext() throws IOException {
        boolean last = false;
        try {
            Entry<L> entry = queue.take();
            last = entry.last;
            try {
                write(entry);
            } finally {
                if (entry.written != null) {
                    entry.written.countDown();
                }
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            // An application may interrupt all threads that it finds. After any other error the next line may be written again.
        }
        return !last;
    }

    private void write(Entry<L> entry) throws IOException {
        if (entry.line != null && !sink.write(entry.line)) {
            lost.incrementAndGet();
        }
        long now = System.nanoTime();
        long n = entry.last || queue.isEmpty() || now - toldAt > OFTEN ? lost.get() : 0;
        if (n > 0 && sink.tellLost(n)) {
            lost.addAndGet(-n);
            toldAt = now;
        }
    }
}
