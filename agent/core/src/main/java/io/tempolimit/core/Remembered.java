package io.tempolimit.core;

import java.util.Collections;
import java.util.List;

/** What a key knows of its site at one moment, to be kept over a restart: made by {@link Limiter#remembered}, taken in by {@link Limiter#remember}. Immutable. */
public final class Remembered {
    private final long time;
    private final long bucket;
    private final String circuit;
    private final String learned;
    private final List<String> windows;

    /**
     * Texts are what a key has given; if they are anything else, that part is ignored when a key takes it in.
     *
     * @param time    when this was so, in milliseconds since 1970
     * @param bucket  in how many nanoseconds from then the bucket would be full
     * @param circuit blocks, pauses and trips; null for none
     * @param learned what the site tolerates; null for nothing
     * @param windows what went, one text a window
     */
    public Remembered(long time, long bucket, String circuit, String learned, List<String> windows) {
        this.time = time;
        this.bucket = bucket;
        this.circuit = circuit;
        this.learned = learned;
        this.windows = Collections.unmodifiableList(windows);
    }

    /** Milliseconds since 1970. */
    public long time() {
        return time;
    }

    /** Nanoseconds. */
    public long bucket() {
        return bucket;
    }

    /** Null for none. */
    public String circuit() {
        return circuit;
    }

    /** Null for nothing. */
    public String learned() {
        return learned;
    }

    /** Empty for none. */
    public List<String> windows() {
        return windows;
    }

    /** Nanoseconds from then to now; a wall clock that was set back counts as no time at all. */
    long ago(long nowMillis) {
        return Math.max(0, Math.min(nowMillis - time, Limit.HORIZON / 1_000_000)) * 1_000_000;
    }
}
