package io.tempolimit.core.bucket;

import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.WindowLimit;
import java.util.Arrays;

/**
 * A sliding cap: at most so many requests in any span of this duration, never more. One a key and {@code window} setting.
 *
 * <p>Up to {@value #EXACT} requests it remembers each one's time, and a request may go the moment the oldest has left the span. Larger
 * caps are remembered in cells, each a thirtieth of the duration long at the most, with a count and the time of the
 * cell's last request, for which all of them are taken. So none leaves the span too early, and some up to a thirtieth
 * too late: at least 96% of the cap is reached under any load, and all of it where requests come at once. It grows
 * with what is in it, to 600 bytes at the most: 500 for {@code 10000/24h}, 150 for {@code 10/60s}.
 *
 * <p><b>How the key uses it.</b> Only what really went is in it: {@link #take} when a request goes, {@link #giveBack} if it then was
 * not sent. Turns of those who wait, as many as there are, are planned in a copy ({@link #Window(Window, WindowLimit, long)}): for
 * each, in order, {@link #earliest} and {@link #take}; when turns are handed out anew, the copy is thrown away and made again.
 * With several windows a request may go at the latest of their {@code earliest}. Tried and lost: to put reservations into the
 * window itself. They either grow without bound or push out what really went, and when one that did is given back, the
 * cap is exceeded.
 *
 * <p>Pure: no clock, no waiting. Not thread-safe: guarded by its key's lock. Times are nanoseconds of any monotonic clock,
 * negative ones and overflow included; one that steps back a little counts as the latest time seen.
 */
public final class Window {
    /** Up to here each request has a cell of its own. */
    public static final int EXACT = 60;
    /** Cells of a larger cap. */
    private static final int CELLS = 32;
    /** Cells that it begins with; it grows to what it needs. */
    private static final int FEW = 2;

    private final WindowLimit limit;
    /** A ring of cells, oldest first: time of the last request, and how many; null while that is one each. */
    private long[] last = new long[FEW];
    private int[] count;
    private int first;
    private int cells;
    /** Requests in all cells. */
    private int total;
    /** When the newest cell began. */
    private long began;
    /** The latest time that was taken, once there is one. */
    private long latest;
    private boolean begun;

    /** An empty window. */
    public Window(WindowLimit limit) {
        this.limit = limit;
    }

    /**
     * A window that has what another one has: a copy to plan in, or the same requests under new settings (what had left the old
     * span is not known any more).
     */
    public Window(Window other, WindowLimit limit, long now) {
        this(limit);
        if (limit.count == other.limit.count && limit.duration == other.limit.duration) {
            last = other.last.clone();
            count = other.count == null ? null : other.count.clone();
            first = other.first;
            cells = other.cells;
            total = other.total;
            began = other.began;
            latest = other.latest;
            begun = other.begun;
        } else {
            for (int i = 0; i < other.cells; i++) {
                int cell = other.cell(i);
                add(other.last[cell], other.count(cell), now);
            }
        }
    }

    public WindowLimit limit() {
        return limit;
    }

    /** Requests that count now. */
    public int used(long now) {
        int used = total;
        for (int i = 0; i < cells && left(cell(i), now); i++) {
            used -= count(cell(i));
        }
        return used;
    }

    /** When nothing counts any more; now, if that is so already. */
    public long emptyAt(long now) {
        return cells == 0 || left(cell(cells - 1), now) ? now : last[cell(cells - 1)] + limit.duration;
    }

    /** When the next request may go: {@code now}, or later. Never before one that was taken already. */
    public long earliest(long now) {
        long time = notBefore(now);
        int used = total;
        for (int i = 0; i < cells; i++) {
            int cell = cell(i);
            if (!left(cell, time)) {
                if (used < limit.count) {
                    break;
                }
                time = last[cell] + limit.duration;
            }
            used -= count(cell);
        }
        return time;
    }

    private long notBefore(long time) {
        return begun && latest - time > 0 ? latest : time;
    }

    /** A request goes at this time, which is not before {@link #earliest}. */
    public void take(long time) {
        add(time, 1, time);
    }

    private void add(long when, int requests, long now) {
        long time = notBefore(when);
        while (cells > 0 && left(first, time)) {
            total -= count(first);
            first = cell(1);
            cells--;
        }
        if (now - time >= limit.duration) {
            return; // has left the span
        }
        latest = time;
        begun = true;
        total += requests;
        if (cells > 0 && (time - began <= grain() || cells == most())) {
            int newest = cell(cells - 1);
            last[newest] = time;
            count(newest, count(newest) + requests);
            return;
        }
        if (cells == last.length) {
            grow();
        }
        int newest = cell(cells++);
        began = time;
        last[newest] = time;
        if (count != null || requests > 1) {
            count(newest, requests);
        }
    }

    /** Requests no further apart than this share a cell; below 0 for none. */
    private long grain() {
        return limit.count <= EXACT ? -1 : (limit.duration - 1) / (CELLS - 2) + 1; // so wide that cells which have not left the span fit
    }

    private int most() {
        return limit.count <= EXACT ? limit.count : CELLS;
    }

    private void grow() {
        int size = Math.min(2 * cells, most());
        long[] times = new long[size];
        int[] counts = count == null ? null : new int[size];
        for (int i = 0; i < cells; i++) {
            times[i] = last[cell(i)];
            if (counts != null) {
                counts[i] = count[cell(i)];
            }
        }
        last = times;
        count = counts;
        first = 0;
    }

    private int count(int cell) {
        return count == null ? 1 : count[cell];
    }

    private void count(int cell, int requests) {
        if (count == null) {
            count = new int[last.length];
            Arrays.fill(count, 1);
        }
        count[cell] = requests;
    }

    /** The request that was taken for this time was not sent. Does nothing once that has left the span. */
    public void giveBack(long time) {
        if (latest - time >= limit.duration) {
            return;
        }
        for (int i = 0; i < cells; i++) {
            int cell = cell(i);
            if (last[cell] - time >= 0) {
                total--;
                if (count(cell) == 1) {
                    remove(i);
                } else {
                    count[cell]--;
                }
                return;
            }
        }
    }

    private void remove(int index) {
        for (int i = index; i + 1 < cells; i++) {
            last[cell(i)] = last[cell(i + 1)];
            if (count != null) {
                count[cell(i)] = count[cell(i + 1)];
            }
        }
        cells--;
        if (index == cells && cells > 0) {
            began = last[cell(cells - 1)] - grain() - 1; // what comes next has a cell of its own again
        }
    }

    private int cell(int index) {
        int at = first + index;
        return at < last.length ? at : at - last.length;
    }

    private boolean left(int cell, long time) {
        return time - last[cell] >= limit.duration;
    }

    // ---- state file

    /** The cells as {@code milliseconds ago x count}, oldest first, with commas between; empty if nothing counts. */
    public String save(long now) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cells; i++) {
            int cell = cell(i);
            if (!left(cell, now)) {
                long age = Math.max(0, now - last[cell]) / 1_000_000;
                text.append(text.length() > 0 ? "," : "").append(age).append('x').append(count(cell));
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
    public void restore(String saved, long ago, long now) {
        if (saved.isEmpty()) {
            return;
        }
        String[] parts = saved.split(",", -1);
        long[] ages = new long[parts.length];
        int[] counts = new int[parts.length];
        long all = 0;
        for (int i = 0; i < parts.length; i++) {
            int x = parts[i].indexOf('x');
            try {
                ages[i] = Long.parseLong(parts[i].substring(0, Math.max(0, x)));
                counts[i] = Integer.parseInt(parts[i].substring(x + 1));
            } catch (NumberFormatException e) {
                counts[i] = 0;
            }
            all += counts[i];
            if (counts[i] < 1 || all > Integer.MAX_VALUE || ages[i] < 0 || ages[i] > Limit.HORIZON / 1_000_000 || i > 0
                    && ages[i] > ages[i - 1]) {
                throw new IllegalArgumentException("saved window: " + parts[i]);
            }
        }
        for (int i = 0; i < parts.length; i++) {
            long age = ages[i] * 1_000_000 + Math.min(ago, Limit.HORIZON);
            if (age < limit.duration) {
                add(now - age, counts[i], now);
            }
        }
    }
}
