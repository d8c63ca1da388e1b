package io.tempolimit.core.learn;

/**
 * Numbers as text with commas between, written and read by one list: each value goes through {@link #number} or {@link #whole},
 * which gives it back unchanged while writing, and gives the one that was read while reading. So what is saved and what is read
 * cannot differ in order, name or bounds.
 *
 * <p>Not thread-safe. Reading throws {@link IllegalArgumentException} at the first number that is none, or is out of its bounds.
 */
final class Numbers {
    private final StringBuilder written;
    private final String[] read;
    private int next;

    private Numbers(StringBuilder written, String[] read) {
        this.written = written;
        this.read = read;
    }

    /** Writes; {@link #toString} has the text. */
    static Numbers writing() {
        return new Numbers(new StringBuilder(200), null);
    }

    /** Reads this text. */
    static Numbers reading(String text) {
        return new Numbers(null, text.split(",", -1));
    }

    boolean reads() {
        return read != null;
    }

    /**
     * A number between bounds.
     *
     * @param name  for messages
     * @param value what is written, moved to the bound that it is beyond
     * @return the value, or the one that was read
     */
    float number(String name, float value, float least, float most) {
        if (read == null) {
            float n = value >= least ? Math.min(most, value) : least; // also where it is no number
            written.append(written.length() == 0 ? "" : ",").append(n == (int) n ? Integer.toString((int) n) : Float.toString(n));
            return value;
        }
        float n = Float.NaN;
        try {
            n = next < read.length ? Float.parseFloat(read[next]) : Float.NaN;
        } catch (NumberFormatException e) {
            // as a number out of bounds
        }
        if (!(n >= least && n <= most)) {
            throw new IllegalArgumentException(name + " is " + (next < read.length ? read[next] : "missing"));
        }
        next++;
        return n;
    }

    /** A whole number from 0 on. */
    int whole(String name, int value, int most) {
        float n = number(name, value, 0, most);
        if (n != (int) n && read != null) {
            throw new IllegalArgumentException(name + " is " + n);
        }
        return read == null ? value : (int) n;
    }

    boolean flag(String name, boolean value) {
        return whole(name, value ? 1 : 0, 1) == 1;
    }

    /** A moment, as the seconds since; {@code ago}: nanoseconds since it was written. */
    long age(String name, long time, long ago, long now) {
        float seconds = number(name, (float) ((now - time) / 1e9), 0, Learning.NEVER);
        return read == null ? time : now - ago - Math.round(seconds * 1e9);
    }

    /** The end of what was read. */
    void end() {
        if (read != null && next != read.length) {
            throw new IllegalArgumentException(read.length - next + " numbers too many");
        }
    }

    @Override
    public String toString() {
        return String.valueOf(written);
    }

    static long nanos(float seconds) {
        return Math.round(seconds * 1e9);
    }

    static float seconds(long nanos) {
        return nanos / 1e9f;
    }
}
