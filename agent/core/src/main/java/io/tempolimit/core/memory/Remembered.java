package io.tempolimit.core.memory;

import io.tempolimit.core.policy.Limit;
import java.util.Collections;
import java.util.List;

/**
 * What a key knows of its site at one moment, to be kept over a restart: made by {@code Limiter.remembered}, taken in by {@code
 * Limiter.remember}. Immutable.
 */
public final class Remembered {
    private final long time;
    private final long bucket;
    private final String circuit;
    private final String learned;
    private final List<String> windows;
    /** When this was so by this run's clock, if that is known; and whether it was blocked for good, which a run's end ends. */
    private final boolean here;
    private final long nanos;
    private final boolean forLife;

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
        this(time, bucket, circuit, learned, windows, false, 0, false);
    }

    /** The same of a key of this run: if it is taken in here again, a wall clock that is set has no part in it. */
    public Remembered(long time, long bucket, String circuit, String learned, List<String> windows, long nanos, boolean forLife) {
        this(time, bucket, circuit, learned, windows, true, nanos, forLife);
    }

    private Remembered(long time, long bucket, String circuit, String learned, List<String> windows, boolean here, long nanos,
            boolean forLife) {
        this.time = time;
        this.here = here;
        this.nanos = nanos;
        this.forLife = forLife;
        this.bucket = bucket;
        this.circuit = circuit;
        this.learned = learned;
        this.windows = Collections.unmodifiableList(windows);
    }

    /** The same, read back at that time by the wall clock and by this run's: from then on a wall clock that is set has no part in it. */
    public Remembered readBack(long nowMillis, long now) {
        return new Remembered(time, bucket, circuit, learned, windows, true, now - ago(nowMillis, now), forLife);
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

    /** Whether it was blocked for good, in this run. */
    public boolean forLife() {
        return forLife;
    }

    /** Nanoseconds from then to now; a wall clock that was set back counts as no time at all. */
    public long ago(long nowMillis, long now) {
        return here ? Math.max(0, now - nanos) : Math.max(0, Math.min(nowMillis - time, Limit.HORIZON / 1_000_000)) * 1_000_000;
    }
}
