package io.tempolimit.admin;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.Arrays;

/** What happened in each slot of {@link Slots}, the oldest first. Not thread-safe: guarded by the {@link Board}. */
final class History {
    private static final int REQUESTS = 0;
    private static final int BLOCKS = 1;
    private static final int WAITS = 2;
    private static final int COOLDOWNS = 3;
    private static final int LEARNED = 4;
    private static final String[] NAMES = {"requests", "blocks", "wait_ms", "cooldown_ms", "learned"};
    /** Learned rates are kept in thousandths of a request a second. */
    private static final double THOUSANDTHS = 1000;

    private final int[][] values;

    /** @param slots how many */
    History(int slots) {
        values = new int[NAMES.length][slots];
    }

    /** Keeps a slot that is over. */
    void keep(int slot, Tally of) {
        for (int kind = 0; kind < values.length; kind++) {
            values[kind][slot] = of.value(kind);
        }
    }

    /** So many slots become one, everywhere. */
    void merge(int slots) {
        for (int kind = 0; kind < values.length; kind++) {
            int[] of = values[kind];
            for (int i = 0; i < of.length; i++) {
                long merged = 0;
                for (int j = i * slots; j < Math.min(of.length, (i + 1) * slots); j++) {
                    merged = kind == LEARNED ? of[j] : merged + of[j];
                }
                of[i] = narrow(merged);
            }
        }
    }

    /** The oldest slots are forgotten, and the others move into their place. */
    void shift(int slots) {
        for (int[] of : values) {
            System.arraycopy(of, slots, of, 0, of.length - slots);
            Arrays.fill(of, of.length - slots, of.length, 0);
        }
    }

    private static int narrow(long n) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, n));
    }

    /**
     * Writes an object with an array for each kind, up to the running slot.
     *
     * @param history null if there is none
     * @param now     until when the running slot is told of, by {@link System#nanoTime}
     */
    static void write(JsonWriter w, History history, Slots slots, Tally running, long now) throws IOException {
        w.beginObject();
        w.name("slots").value(slots.count());
        w.name("slot_ms").value(slots.width() / 1_000_000);
        w.name("span_ms").beginArray();
        for (int i = 0; i <= slots.running(); i++) {
            w.value(slots.span(i, now) / 1_000_000);
        }
        w.endArray();
        for (int kind = 0; kind < NAMES.length; kind++) {
            w.name(NAMES[kind]).beginArray();
            for (int i = 0; i < slots.running(); i++) {
                write(w, kind, history == null ? 0 : history.values[kind][i]);
            }
            write(w, kind, running.value(kind));
            w.endArray();
        }
        w.endObject();
    }

    private static void write(JsonWriter w, int kind, int value) throws IOException {
        if (kind == LEARNED && value > 0) {
            w.value(value / THOUSANDTHS);
        } else {
            w.value(value);
        }
    }

    /** What happened between two looks at the statistics. */
    static final class Tally {
        /** Those that went to the network. */
        long requests;
        long blocks;
        long waitMillis;
        long cooldownMillis;
        /** The learned rate at the end, in requests a second; 0 for none, and of several keys. */
        double learned;

        void add(Tally other) {
            requests += other.requests;
            blocks += other.blocks;
            waitMillis += other.waitMillis;
            cooldownMillis += other.cooldownMillis;
        }

        boolean quiet() {
            return requests == 0 && blocks == 0 && waitMillis == 0 && cooldownMillis == 0;
        }

        private int value(int kind) {
            switch (kind) {
                case REQUESTS:
                    return narrow(requests);
                case BLOCKS:
                    return narrow(blocks);
                case WAITS:
                    return narrow(waitMillis);
                case COOLDOWNS:
                    return narrow(cooldownMillis);
                default:
                    return narrow(Math.round(learned * THOUSANDTHS));
            }
        }
    }
}
