package io.tempolimit.core;

/** A further cap: at most so many requests in any span of this duration. Immutable. */
public final class WindowLimit {
    /** Requests, 1 or more. */
    final int count;
    /** Nanoseconds, above 0. */
    final long duration;

    /**
     * @param count    requests, 1 or more
     * @param duration nanoseconds, above 0
     */
    public WindowLimit(int count, long duration) {
        this.count = count;
        this.duration = duration;
    }

    /** Requests. */
    public int count() {
        return count;
    }

    /** Nanoseconds. */
    public long duration() {
        return duration;
    }
}
