package io.tempolimit.admin;

import java.util.Arrays;

/**
 * How the time since the start is cut: into a fixed number of slots, which get wider as time passes. At the widest
 * ones the oldest slot is forgotten for each new one. Not thread-safe: guarded by the {@link Board}.
 */
final class Slots {
    private static final long SECOND = 1_000_000_000L;
    private static final long[] OF_AN_HOUR = {5, 15, 60};
    /** Up to two minutes more than a day are two minutes, and so on; 120 of the widest are more than three years. */
    private static final long[] OF_A_RUN = {2, 10, 30, 60, 300, 900, 3600, 21_600, 86_400, 864_000};

    private final int count;
    /** In seconds; each a multiple of the one before, by a divisor of the number of slots. */
    private final long[] widths;
    private int level;
    private int running;
    /** How much of the time each slot tells of, in nanoseconds; a slot that ended late tells of more than its width. */
    private final long[] spans;
    /** When the running slot began to be told of, by {@link System#nanoTime}. */
    private long toldFrom;
    /** When the first slot began, by {@link System#nanoTime}. */
    private long begin;

    private Slots(int count, long[] widths, long now) {
        this.count = count;
        this.widths = widths;
        this.spans = new long[count];
        this.begin = now;
        this.toldFrom = now;
    }

    /** The last hour: 60 slots of 5 s, then of 15 s, then of a minute each. */
    static Slots lastHour(long now) {
        return new Slots(60, OF_AN_HOUR, now);
    }

    /** All of a run: 24 to 120 slots, whatever its length. */
    static Slots wholeRun(long now) {
        return new Slots(120, OF_A_RUN, now);
    }

    /** How many there are at the most. */
    int count() {
        return count;
    }

    /** How long each is, in nanoseconds. */
    long width() {
        return widths[level] * SECOND;
    }

    /** The number of the one that is not over, from 0. */
    int running() {
        return running;
    }

    /** How long what happened in a slot took, in nanoseconds. The running one goes on until now. */
    long span(int slot, long now) {
        return spans[slot] + (slot == running ? now - toldFrom : 0);
    }

    /** Whether the running one is over. */
    boolean isOver(long now) {
        return now - begin >= (running + 1) * width();
    }

    /** Goes on to the slot of this time. The histories are those that were kept by these slots. */
    void goOn(long now, Iterable<History> histories) {
        spans[running] = span(running, now);
        toldFrom = now;
        long slot = (now - begin) / width();
        while (slot >= count && level + 1 < widths.length) {
            int several = (int) (widths[level + 1] / widths[level]);
            for (History history : histories) {
                history.merge(several);
            }
            for (int i = 0; i < count; i++) {
                spans[i] = Arrays.stream(spans, Math.min(count, i * several), Math.min(count, (i + 1) * several)).sum();
            }
            level++;
            slot = (now - begin) / width();
        }
        long tooMany = Math.max(0, slot - count + 1);
        if (tooMany > 0) {
            int gone = (int) Math.min(count, tooMany);
            for (History history : histories) {
                history.shift(gone);
            }
            System.arraycopy(spans, gone, spans, 0, count - gone);
            Arrays.fill(spans, count - gone, count, 0);
            begin += tooMany * width();
        }
        running = (int) (slot - tooMany);
    }
}
