package io.tempolimit.watch;

import io.tempolimit.core.ProgramStart;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The event log: one JSON object a line, each flushed, written by a daemon thread of its own.
 *
 * <p>A request never waits for it: a queue of bounded length lies in between, and what does not fit is counted; the count
 * is told by a {@code warning} event and a log line once the writer has caught up. The same holds for events lost to a
 * full disk, once there is room again; the disk itself is one warning. A file that cannot be opened, and a stream that is
 * closed, end the event log with one warning.
 *
 * <p>Thread-safe. Made only if {@code events} is set.
 */
final class EventLog {
    private static final int ROOM = 8192;
    /** Told anew at this distance at the latest, even if the writer never catches up. */
    private static final long OFTEN = 60_000_000_000L;
    private static final Event END = new Event("end", null, null, false);

    private final ArrayBlockingQueue<Event> queue;
    private final AtomicLong lost = new AtomicLong();
    private final String target;
    private final long maxSize;
    private final PrintStream out;
    private final PrintStream err;
    private final Log log;
    private final Thread thread;
    private volatile boolean closed;

    // The writer's own.
    private boolean warned;
    private boolean lastDryRun;
    private long lastTold;

    /** Starts the writer, which opens the target: loading and opening take the application's start no time. */
    EventLog(Options options, Log log) {
        this(options, log, ROOM);
    }

    EventLog(Options options, Log log, int room) {
        this.queue = new ArrayBlockingQueue<>(room);
        this.target = options.events;
        this.maxSize = options.eventsMaxSize;
        this.out = options.out;
        this.err = options.err;
        this.log = log;
        thread = new Thread("tempolimit-events") {
            @Override
            public void run() {
                write();
            }
        };
        thread.setDaemon(true);
        thread.setContextClassLoader(null); // keeps no class loader of the application alive
        thread.start();
    }

    /** Hands an event over; never waits. */
    void add(Event event) {
        if (!closed && !queue.offer(event)) {
            lost.incrementAndGet();
        }
    }

    /**
     * Writes what was handed over until now, and no more.
     *
     * @return false if that took longer than {@code millis}, and some of it may be lost
     */
    boolean close(long millis) {
        closed = true;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            ProgramStart.isOver(); // for this is the end
            if (thread.isAlive() && !queue.offer(END, millis, TimeUnit.MILLISECONDS)) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1_000_000, end - System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private void write() {
        Lines lines = null;
        try {
            ProgramStart.await(); // java.time reads the locale, and a queue that is waited in makes ForkJoinPool's common pool
            lines = open();
            lastTold = System.nanoTime();
            while (drain(lines)) {
                // An application that interrupts all threads it can find does not end this one.
            }
        } catch (IOException e) {
            warn(e);
        } catch (Throwable e) {
            log.onceAMinute("events", "The event log ends", e);
        } finally {
            closed = true;
            queue.clear(); // and whoever waits for room is free
            if (lines != null) {
                lines.close();
            }
        }
    }

    private Lines open() throws IOException {
        if (target.equals("stdout")) {
            return new Lines.ToStream(out);
        }
        return target.equals("stderr") ? new Lines.ToStream(err) : new Lines.ToFile(new File(target), maxSize, log);
    }

    /** Writes until the end ({@code false}), or an interrupt. */
    private boolean drain(Lines lines) throws IOException {
        try {
            for (Event e = queue.take(); e != END; e = queue.take()) {
                write(lines, e);
                tellLost(lines, queue.isEmpty() || System.nanoTime() - lastTold > OFTEN);
            }
            tellLost(lines, true);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void write(Lines lines, Event e) throws IOException {
        lastDryRun = e.dryRun;
        try {
            if (!writeLine(lines, e)) {
                lost.incrementAndGet();
            }
        } catch (RuntimeException | Error odd) { // no memory at the moment, say
            log.onceAMinute("events", "An event cannot be written: " + e.name, odd);
        }
    }

    private boolean writeLine(Lines lines, Event e) throws IOException {
        byte[] line = Json.line(e).getBytes(StandardCharsets.UTF_8);
        try {
            lines.write(line);
            return true;
        } catch (IOException failure) {
            if (lines instanceof Lines.ToStream) {
                throw failure; // it will not get better
            }
            warn(failure);
            return false;
        }
    }

    private void warn(IOException failure) {
        if (!warned) {
            warned = true;
            log.warn("events cannot be written to " + target + ": " + failure.getMessage() + ". Requests go on without");
        }
    }

    private void tellLost(Lines lines, boolean now) throws IOException {
        long n = now ? lost.get() : 0;
        if (n == 0) {
            return;
        }
        String text = n == 1 ? "1 event was lost" : Human.count(n) + " events were lost";
        text += ": they came faster than they can be written, or the disk was full";
        if (writeLine(lines, new Event("warning", null, null, lastDryRun, "message", text))) {
            lost.addAndGet(-n);
            lastTold = System.nanoTime();
            log.warn("events: " + text);
        }
    }
}
