package io.tempolimit.core;

import java.util.Arrays;

/** How many answers had which status, in the order of the statuses. Small, since a site uses few of them. Not thread-safe. */
public final class StatusCounts {
    private int[] statuses = new int[1];
    private long[] counts = new long[1];
    private int size;

    /** Adds so many answers of a status. */
    public void add(int status, long n) {
        int at = Arrays.binarySearch(statuses, 0, size, status);
        if (at < 0) {
            at = -at - 1;
            if (size == statuses.length) {
                statuses = Arrays.copyOf(statuses, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            System.arraycopy(statuses, at, statuses, at + 1, size - at);
            System.arraycopy(counts, at, counts, at + 1, size - at);
            statuses[at] = status;
            counts[at] = 0;
            size++;
        }
        counts[at] += n;
    }

    /** Adds all of another. */
    public void add(StatusCounts other) {
        for (int i = 0; i < other.size; i++) {
            add(other.statuses[i], other.counts[i]);
        }
    }

    /** How many different statuses there were. */
    public int size() {
        return size;
    }

    /** The status at an index below {@link #size}; a higher index is a higher status. */
    public int status(int index) {
        return statuses[index];
    }

    /** How many answers had that status. */
    public long count(int index) {
        return counts[index];
    }
}
