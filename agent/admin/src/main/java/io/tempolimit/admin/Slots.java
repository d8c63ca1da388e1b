package io.tempolimit.admin;

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
    /** When the first slot began, by {@link System#nanoTime}. */
    private long begin;

    private Slots(int count, long[] widths, long now) {
        this.count = count;
        this.widths = widths;
        this.begin = now;
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

    /** Whether the running one is over. */
    boolean isOver(long now) {
        return now - begin >= (running + 1) * width();
    }

    /** Goes on to the slot of this time. The histories are those that were kept by these slots. */
    void goOn(long now, Iterable<History> histories) {
        long slot = (now - begin) / width();
        while (slot >= count && level + 1 < widths.length) {
            int several = (int) (widths[level + 1] / widths[level]);
            for (History history : histories) {
                history.merge(several);
            }
            level++;
            slot = (now - begin) / width();
        }
        long tooMany = Math.max(0, slot - count + 1);
        if (tooMany > 0) {
            for (History history : histories) {
                history.shift((int) Math.min(count, tooMany));
            }
            begin += tooMany * width();
        }
        running = (int) (slot - tooMany);
    }
}
