package io.tempolimit.core.fleet;

import io.tempolimit.core.store.FleetSettings;

/**
 * The slots of one key's bucket that this worker has been given and not used yet, and how many to ask for next.
 *
 * <p>A slot is a time at which a request may go, taken from the fleet's bucket. By the generic cell rate algorithm a
 * request conforms from then on until the bucket would have filled up again without it: its tolerance, {@code (burst - 1) ×
 * interval}, later. A slot that is not used by then is lost, so whatever is fetched ahead, and by how many workers, in any
 * span of T seconds at most {@code burst + rate × T} requests go. Where the tolerance is shorter than threads take to wake,
 * a millisecond holds instead. Tried by others and lost: tokens that are leased to be spent at once, or later, which burst
 * beyond the bound by all that is leased.
 *
 * <p>How many are fetched adapts: as many as were used in a hundredth of a second lately, asked for anew when half are
 * left. A key that is not hot thus has a call for each request and loses nothing; one that is makes a call for a hundred;
 * and one that falls silent loses a hundredth of a second of its bucket. Where a call takes longer, it is twice that time
 * instead: what is left when half is used then lasts until the answer.
 *
 * <p>Pure: no clock, no waiting, no I/O. Not thread-safe: guarded by its key's lock. Times are nanoseconds of any monotonic clock.
 */
final class Lease {
    /** Answer of {@link #next}: there is no slot. */
    static final long NONE = Long.MIN_VALUE;

    /** So long a thread may take to wake. */
    static final long WAKING = 1_000_000L;
    /** What is fetched ahead is used in so long. */
    private static final long SPAN = 10_000_000L;
    /** And reaches no further than this, for slots know nothing of what happens meanwhile. */
    private static final long REACH = 100_000_000L;
    /** Most that are fetched ahead, and most that are asked for in one call. */
    private static final long MOST = 128;
    private static final int MOST_A_CALL = 10_000;
    /** Longest that what a call takes is looked at. */
    private static final long LONGEST_CALL = 500_000_000L;
    /** Most runs of slots; more are lost. */
    private static final int RUNS = 16;

    private final int setting;
    private final long[] first = new long[RUNS];
    private final long[] step = new long[RUNS];
    private final int[] count = new int[RUNS];
    private final long[] late = new long[RUNS];
    /** A ring. */
    private int head;
    private int runs;
    private int spare;
    /** Slots that calls under way have asked for. */
    private int asked;
    /** How many to fetch ahead. */
    private int ahead = 1;
    private int used;
    private long measured;
    private boolean begun;
    /** How long a call takes, smoothed. */
    private long call;

    /** @param setting {@link FleetSettings#AUTO}, {@link FleetSettings#OFF}, or how many to fetch ahead */
    Lease(int setting) {
        this.setting = setting;
        if (setting > 1) {
            ahead = setting;
        }
    }

    /**
     * Takes the next slot for a request.
     *
     * @return when it may go, {@code now} or earlier or later; {@link #NONE} if there is no slot
     */
    long next(long now) {
        drop(now);
        if (runs == 0) {
            return NONE;
        }
        long slot = first[head];
        first[head] += step[head];
        used(1);
        return slot;
    }

    /** When the next slot is; {@link #NONE} if there is none. */
    long peek(long now) {
        drop(now);
        return runs == 0 ? NONE : first[head];
    }

    private void used(int n) {
        used += n;
        spare -= n;
        count[head] -= n;
        if (count[head] == 0) {
            head = (head + 1) % RUNS;
            runs--;
        }
    }

    /** Forgets slots that are over. */
    private void drop(long now) {
        while (runs > 0 && now - first[head] > late[head]) {
            long over = step[head] <= 0 ? count[head] : (now - first[head] - late[head] - 1) / step[head] + 1;
            int n = (int) Math.min(count[head], over);
            spare -= n;
            count[head] -= n;
            first[head] += n * step[head];
            if (count[head] == 0) {
                head = (head + 1) % RUNS;
                runs--;
            }
        }
    }

    /**
     * How many to ask for now; then {@link #asked} has to be called with what was.
     *
     * @param waiting  requests that wait and have no slot
     * @param interval nanoseconds from a token to the next
     */
    int wanted(int waiting, long interval, long now) {
        drop(now);
        if (setting == FleetSettings.AUTO) {
            measure(interval, now);
        }
        if (waiting + ahead / 2 <= spare + asked || asked > 0 && waiting <= asked) {
            return 0;
        }
        return setting == FleetSettings.OFF ? 1 : Math.min(MOST_A_CALL, Math.max(waiting - spare - asked, ahead));
    }

    private void measure(long interval, long now) {
        if (!begun) {
            begun = true;
            measured = now;
            return;
        }
        long span = now - measured;
        if (span < SPAN) {
            return;
        }
        long ahead = Math.max(SPAN, 2 * call);
        long lately = used * ahead / span;
        this.ahead = (int) Math.max(1, Math.min(Math.min(MOST * ahead / SPAN, lately), 1 + Math.max(REACH, ahead) / Math.max(1, interval)));
        used = 0;
        measured = now;
    }

    /** A call took so long. */
    void took(long nanos) {
        call += (Math.min(nanos, LONGEST_CALL) - call) / 4;
    }

    /** For how many calls are under way. */
    int underWay() {
        return asked;
    }

    /**
     * Drops what is there beyond what is fetched ahead, as far as it is the last that was fetched.
     *
     * @param last the last slot that was
     * @param most how many may be dropped
     * @return how many were dropped
     */
    int dropSurplus(long last, int most, long now) {
        drop(now);
        int at = (head + runs + RUNS - 1) % RUNS;
        if (runs == 0 || first[at] + (count[at] - 1) * step[at] != last) {
            return 0;
        }
        int n = Math.min(Math.min(count[at], most), ahead == 1 ? spare : spare - 2 * ahead);
        if (n <= 0) {
            return 0;
        }
        spare -= n;
        count[at] -= n;
        runs -= count[at] == 0 ? 1 : 0;
        return n;
    }

    /** A call for so many is under way. */
    void asked(int n) {
        asked += n;
    }

    /**
     * That call has brought {@code n} slots, or none. An answer takes its time: a slot that came to an end meanwhile is
     * still good for who waits for it and takes it at this very {@code now}.
     */
    void answered(int wasAsked, int n, long slot, long interval, long tolerance, long now) {
        asked -= wasAsked;
        if (n <= 0) {
            return;
        }
        if (runs == RUNS) { // hardly ever; the oldest are lost
            spare -= count[head];
            head = (head + 1) % RUNS;
            runs--;
        }
        long usable = Math.max(Math.max(tolerance, WAKING), now - slot);
        set((head + runs) % RUNS, slot, interval, n, usable);
    }

    /** Who was to use this slot will not, and whoever came later has moved up: it is the next one again. */
    void putBack(long slot, long tolerance) {
        if (runs < RUNS) {
            head = (head + RUNS - 1) % RUNS;
            set(head, slot, 0, 1, Math.max(tolerance, WAKING));
        }
    }

    private void set(int at, long slot, long interval, int n, long usable) {
        first[at] = slot;
        step[at] = interval;
        count[at] = n;
        late[at] = usable;
        runs++;
        spare += n;
    }

    /** All slots are void, for there was an incident, or there are new settings; gives how many there were. */
    int clear(long now) {
        drop(now);
        int n = spare;
        runs = 0;
        spare = 0;
        return n;
    }
}
