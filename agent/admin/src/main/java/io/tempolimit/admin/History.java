package io.tempolimit.admin;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;

/** Requests, blocks and waits of the last hour, a minute each, in a ring of fixed size. Not thread-safe: guarded by the {@link Board}. */
final class History {
    static final int MINUTES = 60;
    /** Where in {@link #slots} each kind begins. */
    private static final int REQUESTS = 0;
    private static final int BLOCKS = MINUTES;
    private static final int WAITS = 2 * MINUTES;

    private final int[] slots = new int[3 * MINUTES];
    private long last;

    /** @param minute the one before the first that is kept */
    History(long minute) {
        last = minute;
    }

    /** Keeps a minute that is over. Each comes after the one before; what was left out was quiet. */
    void keep(long minute, Tally of) {
        for (long m = Math.max(last + 1, minute - MINUTES + 1); m < minute; m++) {
            set(m, 0, 0, 0);
        }
        set(minute, of.requests, of.blocks, of.waitMillis);
        last = minute;
    }

    private void set(long minute, long requests, long blocks, long waits) {
        int i = (int) (minute % MINUTES);
        slots[REQUESTS + i] = narrow(requests);
        slots[BLOCKS + i] = narrow(blocks);
        slots[WAITS + i] = narrow(waits);
    }

    private static int narrow(long n) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, n));
    }

    /**
     * The last hour, the oldest minute first, and what there is of the running one.
     *
     * @param history null if there is none yet
     */
    static void write(JsonWriter w, History history, long runningMinute, Tally running) throws IOException {
        w.beginObject();
        write(w, "requests", history, REQUESTS, runningMinute, running.requests);
        write(w, "blocks", history, BLOCKS, runningMinute, running.blocks);
        write(w, "wait_ms", history, WAITS, runningMinute, running.waitMillis);
        w.endObject();
    }

    private static void write(JsonWriter w, String name, History history, int from, long runningMinute, long running) throws IOException {
        w.name(name).beginArray();
        for (long m = runningMinute - MINUTES + 1; m < runningMinute; m++) {
            boolean kept = history != null && m <= history.last && m > history.last - MINUTES && m >= 0;
            w.value(kept ? history.slots[from + (int) (m % MINUTES)] : 0);
        }
        w.value(running).endArray();
    }

    /** What happened between two looks at the statistics. */
    static final class Tally {
        long requests;
        long blocks;
        long waitMillis;

        void add(Tally other) {
            requests += other.requests;
            blocks += other.blocks;
            waitMillis += other.waitMillis;
        }

        boolean quiet() {
            return requests == 0 && blocks == 0 && waitMillis == 0;
        }
    }
}
