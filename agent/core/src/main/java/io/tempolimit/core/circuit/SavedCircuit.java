package io.tempolimit.core.circuit;

import java.util.regex.Pattern;

/**
 * A circuit as a state file has it: values with commas between, written and read by one list of fields. Trips and blocks are
 * the same fields that workers exchange ({@link Incident}). The file's version is that of its format.
 */
final class SavedCircuit {
    /** What no time is longer than. */
    private static final long AGES = 2 * Circuit.LONGEST;
    private static final Pattern REASON = Pattern.compile("[a-z0-9_]{0,40}");

    /** Whether it rests, and whether it refuses meanwhile. */
    boolean rests;
    boolean refuses;
    /** What is left of the rest, in nanoseconds; 0 for none. */
    long left;
    /** When the rest began. */
    long since;
    /** How long the pause is, and how long it had to be. */
    long pause;
    long asked;
    /** Why it rests; null if that is not known. */
    String reason;
    /** Trips and blocks. */
    final Incident.Builder history;

    SavedCircuit(Incident.Builder history, long now) {
        this.history = history;
        since = now;
    }

    private void each(Text f) {
        rests = f.number("rests", rests ? 1 : 0, 1) == 1;
        refuses = f.number("refuses", refuses ? 1 : 0, 1) == 1;
        left = f.length("left", left);
        since = f.moment("since", since);
        pause = f.length("pause", pause);
        asked = f.length("asked", asked);
        history.history(f);
        reason = f.text("reason", reason);
    }

    String write(long now) {
        Text text = new Text(null, now);
        each(text);
        return text.written.toString();
    }

    /**
     * Reads what {@link #write} gave.
     *
     * @param then when it was written
     * @throws IllegalArgumentException if it is anything else
     */
    static SavedCircuit read(String text, long then) {
        Text f = new Text(text.split(",", -1), then);
        SavedCircuit saved = new SavedCircuit(new Incident.Builder(then), then);
        saved.each(f);
        if (f.next != f.read.length) {
            throw new IllegalArgumentException("saved cooldown: " + text);
        }
        return saved;
    }

    /** The text, while it is written or read. Moments are their age then. */
    private static final class Text implements Incident.Fields {
        private final StringBuilder written = new StringBuilder(80);
        /** Null while it is written. */
        private final String[] read;
        private final long then;
        private int next;

        Text(String[] read, long then) {
            this.read = read;
            this.then = then;
        }

        private String put(String value) {
            written.append(written.length() == 0 ? "" : ",").append(value);
            return value;
        }

        private String get(String name) {
            if (next == read.length) {
                throw new IllegalArgumentException(name + " is missing");
            }
            return read[next++];
        }

        private long whole(String name, long value, long most) {
            if (read == null) {
                put(Long.toString(Math.max(0, Math.min(most, value))));
                return value;
            }
            String text = get(name);
            long n = Long.parseLong(text);
            if (n < 0 || n > most) {
                throw new IllegalArgumentException(name + " is " + text);
            }
            return n;
        }

        @Override
        public int number(String name, int value, int most) {
            return (int) whole(name, value, most);
        }

        @Override
        public int any(String name, int value) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public long moment(String name, long nanos) {
            long age = whole(name, then - nanos, AGES);
            return read == null ? nanos : then - age;
        }

        @Override
        public long length(String name, long nanos) {
            return whole(name, nanos, AGES);
        }

        @Override
        public double interval(String name, double nanos) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public String text(String name, String value) {
            if (read == null) {
                put(value != null && REASON.matcher(value).matches() ? value : "");
                return value;
            }
            String text = get(name);
            if (!REASON.matcher(text).matches()) {
                throw new IllegalArgumentException(name + " is " + text);
            }
            return text.isEmpty() ? null : text;
        }
    }
}
