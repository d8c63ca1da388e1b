package io.tempolimit.core.fleet;

/**
 * By how much later than slots may be used this worker pays to use them: where threads wake late, as on a machine with too little CPU,
 * most slots would be lost. A slot with a margin costs that much more of the fleet's bucket, so the next one is that much later, whoever
 * has it, and this one may be too. Who wakes in time pays nothing.
 *
 * <p>The margin is the one by which most go, as late as the last ones were: {@code share in time / (interval + margin)}. So where few are
 * late they are lost, and where most are all cost more. Where a window lets fewer go than that, it costs nothing.
 *
 * <p>Pure: no clock. Guarded by its key's lock. Times are nanoseconds.
 */
final class Margin {
    /** Most that is paid; the scripts know it as well. Who is later than that stood still. */
    static final long MOST = 500_000_000L;
    /** So many of the last ones are looked at. */
    private static final int LAST = 16;
    /** What threads need beyond how late they were. */
    private static final long MORE = 1_000_000L;
    /** Another margin has to be better by this factor, so that it does not change all the time. */
    private static final double BETTER = 1.1;

    /** How late the last ones looked at their slots; null as long as all were in time. */
    private long[] late;
    private int next;
    private int known;
    private long margin;

    /** One looks at its slot, so late. {@code allowed}: how late it may be without a margin. */
    void looked(long lateness, long allowed) {
        if (late == null && lateness > allowed) {
            late = new long[LAST];
            next = known % LAST;
        }
        known = Math.min(LAST, known + 1);
        if (late != null) {
            late[next] = lateness;
            next = (next + 1) % LAST;
        }
    }

    /**
     * What to pay for slots that are asked for now.
     *
     * @param interval from a slot to the next
     * @param slowest  the same by windows, on average
     * @param allowed  how late a slot may be without a margin
     */
    long now(long interval, long slowest, long allowed) {
        if (late == null) {
            return 0;
        }
        int inTime = inTime(allowed);
        if (inTime == known) {
            margin = 0;
            late = null;
            return 0;
        }
        double is = inTime(allowed + margin) / (double) Math.max(slowest, interval + margin);
        long best = margin;
        double most = is * BETTER;
        for (int i = -1; i < known; i++) {
            long m = i < 0 ? 0 : late[i] + late[i] / 8 + MORE - allowed;
            if (m >= 0 && m <= MOST) {
                double worth = inTime(allowed + m) / (double) Math.max(slowest, interval + m);
                if (worth > most) {
                    best = m;
                    most = worth;
                }
            }
        }
        margin = best;
        return margin;
    }

    private int inTime(long allowed) {
        int n = 0;
        for (int i = 0; i < known; i++) {
            n += late[i] <= allowed ? 1 : 0;
        }
        return n;
    }
}
