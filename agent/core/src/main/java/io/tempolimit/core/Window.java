package io.tempolimit.core;

/**
 * A sliding cap: at most so many requests in any span of this duration, never more. One a key and {@code window} setting.
 *
 * <p>Up to {@value #EXACT} requests it remembers each one's time, and a request may go the moment the oldest has left the span. Larger
 * caps are remembered in cells, each a thirtieth of the duration long at the most, with a count and the time of the
 * cell's last request, for which all of them are taken. So none leaves the span too early, and some up to a thirtieth
 * too late: at least 96% of the cap is reached under any load, and all of it where requests come at once. Up to 850 bytes,
 * 500 for {@code 10000/24h}, 250 for {@code 10/60s}.
 *
 * <p><b>How the key uses it.</b> Only what really went is in it: {@link #take} when a request goes, {@link #giveBack} if it then was
 * not sent. Turns of those who wait, as many as there are, are planned in a copy ({@link #Window(Window, int, long, long)}): for
 * each, in order, {@link #earliest} and {@link #take}; when turns are handed out anew, the copy is thrown away and made again.
 * With several windows a request may go at the latest of their {@code earliest}. Tried and lost: to put reservations into the
 * window itself. They either grow without bound or push out what really went, and when one that did is given back, the
 * cap is exceeded.
 *
 * <p>Pure: no clock, no waiting. Not thread-safe: guarded by its key's lock. Times are nanoseconds of any monotonic clock,
 * negative ones and overflow included; one that steps back a little counts as the latest time seen.
 */
final class Window {
    /** Up to here each request has a cell of its own. */
    static final int EXACT = 60;
    /** Cells of a larger cap. */
    private static final int CELLS = 32;

    private final int limit;
    private final long duration;
    /** Requests no further apart than this share a cell. */
    private final long grain;
    /** A ring of cells, oldest first: time of the last request, and how many. */
    private final long[] last;
    private final int[] count;
    private int first;
    private int cells;
    /** Requests in all cells. */
    private long total;
    /** When the newest cell began. */
    private long began;
    /** The latest time that was taken, once there is one. */
    private long latest;
    private boolean begun;

    /**
     * An empty window.
     *
     * @param limit    requests, 1 or more
     * @param duration nanoseconds, above 0 and at most {@link Limit#HORIZON}
     */
    Window(int limit, long duration) {
        if (limit < 1) {
            throw new IllegalArgumentException("a window's count must be 1 or more: " + limit);
        }
        if (duration < 1 || duration > Limit.HORIZON) {
            throw new IllegalArgumentException("a window's duration must be above 0: " + duration);
        }
        this.limit = limit;
        this.duration = duration;
        grain = limit <= EXACT ? 0 : (duration - 1) / (CELLS - 2) + 1; // so wide that cells which have not left the span fit
        last = new long[limit <= EXACT ? limit : CELLS];
        count = new int[last.length];
    }

    /**
     * A window that has what another one has: a copy to plan in, or the same requests under new settings (what had left the old
     * span is not known any more).
     */
    Window(Window other, int limit, long duration, long now) {
        this(limit, duration);
        if (limit == other.limit && duration == other.duration) {
            System.arraycopy(other.last, 0, last, 0, last.length);
            System.arraycopy(other.count, 0, count, 0, count.length);
            first = other.first;
            cells = other.cells;
            total = other.total;
            began = other.began;
            latest = other.latest;
            begun = other.begun;
        } else {
            for (int i = 0; i < other.cells; i++) {
                int cell = other.cell(i);
                add(other.last[cell], other.count[cell], now);
            }
        }
    }

    int limit() {
        return limit;
    }

    /** Nanoseconds. */
    long duration() {
        return duration;
    }

    /** For the one whose request is rejected: {@code 10 requests in 60 s}. */
    @Override
    public String toString() {
        long millis = Math.max(1, duration / 1_000_000);
        String span = millis % 3_600_000 == 0 ? millis / 3_600_000 + " h" : millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
        return limit + " requests in " + span;
    }

    /** Requests that count now. */
    int used(long now) {
        long used = total;
        for (int i = 0; i < cells && left(cell(i), now); i++) {
            used -= count[cell(i)];
        }
        return (int) Math.min(Integer.MAX_VALUE, used);
    }

    /** When the next request may go: {@code now}, or later. Never before one that was taken already. */
    long earliest(long now) {
        long time = begun && latest - now > 0 ? latest : now;
        long used = total;
        for (int i = 0; i < cells; i++) {
            int cell = cell(i);
            if (!left(cell, time)) {
                if (used < limit) {
                    break;
                }
                time = last[cell] + duration;
            }
            used -= count[cell];
        }
        return time;
    }

    /** A request goes at this time, which is not before {@link #earliest}. */
    void take(long time) {
        add(time, 1, time);
    }

    private void add(long when, int requests, long now) {
        long time = begun && latest - when > 0 ? latest : when;
        while (cells > 0 && left(first, time)) {
            total -= count[first];
            first = cell(1);
            cells--;
        }
        if (now - time >= duration) {
            return; // has left the span
        }
        if (cells == 0 || cells < last.length && time - began > grain) {
            began = time;
            count[cell(cells++)] = 0;
        }
        int newest = cell(cells - 1);
        last[newest] = time;
        count[newest] += requests;
        total += requests;
        latest = time;
        begun = true;
    }

    /** The request that was taken for this time was not sent. Does nothing once that has left the span. */
    void giveBack(long time) {
        if (latest - time >= duration) {
            return;
        }
        for (int i = 0; i < cells; i++) {
            int cell = cell(i);
            if (last[cell] - time >= 0) {
                total--;
                if (--count[cell] == 0) {
                    remove(i);
                }
                return;
            }
        }
    }

    private void remove(int index) {
        for (int i = index; i + 1 < cells; i++) {
            last[cell(i)] = last[cell(i + 1)];
            count[cell(i)] = count[cell(i + 1)];
        }
        cells--;
        if (index == cells && cells > 0) {
            began = last[cell(cells - 1)] - grain - 1; // what comes next has a cell of its own again
        }
    }

    private int cell(int index) {
        int at = first + index;
        return at < last.length ? at : at - last.length;
    }

    private boolean left(int cell, long time) {
        return time - last[cell] >= duration;
    }

    // ---- state file

    /** The cells as {@code milliseconds ago x count}, oldest first, with commas between; empty if nothing counts. */
    String save(long now) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cells; i++) {
            int cell = cell(i);
            if (!left(cell, now)) {
                long age = Math.max(0, now - last[cell]) / 1_000_000;
                text.append(text.length() > 0 ? "," : "").append(age).append('x').append(count[cell]);
            }
        }
        return text.toString();
    }

    /**
     * Takes in what {@link #save} gave, perhaps under other settings, into a window in which nothing was taken yet.
     *
     * @param ago nanoseconds since then, 0 or more
     * @throws IllegalArgumentException if it is anything else; then nothing has changed
     */
    void restore(String saved, long ago, long now) {
        if (saved.isEmpty()) {
            return;
        }
        String[] parts = saved.split(",", -1);
        long[] ages = new long[parts.length];
        int[] counts = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            int x = parts[i].indexOf('x');
            try {
                ages[i] = Long.parseLong(parts[i].substring(0, Math.max(0, x)));
                counts[i] = Integer.parseInt(parts[i].substring(x + 1));
            } catch (NumberFormatException e) {
                counts[i] = 0;
            }
            if (counts[i] < 1 || ages[i] < 0 || ages[i] > Limit.HORIZON / 1_000_000 || i > 0 && ages[i] > ages[i - 1]) {
                throw new IllegalArgumentException("saved window: " + parts[i]);
            }
        }
        for (int i = 0; i < parts.length; i++) {
            long age = ages[i] * 1_000_000 + Math.min(ago, Limit.HORIZON);
            if (age < duration) {
                add(now - age, counts[i], now);
            }
        }
    }
}
