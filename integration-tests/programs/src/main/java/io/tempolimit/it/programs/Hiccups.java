package io.tempolimit.it.programs;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how late the threads of a JVM are really woken: one thread sleeps for a moment, again and again, and notes
 * by how much it overslept. Each stretch of time keeps its largest one, for a quarter of an hour. A reader in the same
 * JVM or in another one sees them in the memory that both share.
 */
public final class Hiccups extends Thread {
    /** The memory that it needs, in bytes. */
    public static final int BYTES = 1 << 20;

    private static final int STRETCHES = BYTES / 16;
    /** A stretch is that many nanoseconds, as a power of two: 17 ms. */
    private static final int STRETCH = 24;
    /**
     * Two fifths of the time of half a request at the pace that is judged by it. Each wake costs a processor some 50
     * microseconds: a thread that wakes every five milliseconds takes a hundredth of a processor in each of many JVMs.
     */
    private static final long SLEEP = 10_000_000L;

    private final ByteBuffer memory;

    public Hiccups(ByteBuffer memory) {
        super("hiccups");
        this.memory = memory;
        setDaemon(true);
    }

    @Override
    public void run() {
        for (;;) {
            long due = System.nanoTime() + SLEEP;
            for (long left; (left = due - System.nanoTime()) > 0; ) {
                LockSupport.parkNanos(left);
            }
            note(memory, due, System.nanoTime());
        }
    }

    /** Notes that a thread was to wake then, and woke only then. */
    static void note(ByteBuffer memory, long due, long woken) {
        for (long stretch = due >> STRETCH; stretch <= woken >> STRETCH; stretch++) {
            int at = at(stretch);
            boolean begun = memory.getLong(at) == stretch;
            long known = begun ? memory.getLong(at + 8) : 0;
            memory.putLong(at + 8, Math.max(known, woken - due));
            memory.putLong(at, stretch);
        }
    }

    /**
     * The largest between these times of {@link System#nanoTime}, in nanoseconds; what is older than a quarter of an
     * hour is forgotten.
     */
    public static long largest(ByteBuffer memory, long from, long to) {
        long largest = 0;
        for (long stretch = from >> STRETCH; stretch <= to >> STRETCH; stretch++) {
            if (memory.getLong(at(stretch)) == stretch) {
                largest = Math.max(largest, memory.getLong(at(stretch) + 8));
            }
        }
        return largest;
    }

    private static int at(long stretch) {
        return (int) (stretch & STRETCHES - 1) * 16;
    }
}
