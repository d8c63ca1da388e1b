package io.tempolimit.core.policy;

/** A further cap: at most so many requests in any span of this duration. Immutable. */
public final class WindowLimit {
    /** Requests, 1 or more. */
    public final int count;
    /** Nanoseconds, above 0. */
    public final long duration;

    /**
     * @param count    requests, 1 or more
     * @param duration nanoseconds, above 0 and at most 73 years
     */
    public WindowLimit(int count, long duration) {
        if (count < 1) {
            throw new IllegalArgumentException("a window's count must be 1 or more: " + count);
        }
        if (duration < 1 || duration > Limit.HORIZON) {
            throw new IllegalArgumentException("a window's duration must be above 0: " + duration);
        }
        this.count = count;
        this.duration = duration;
    }

    /** For the one whose request is rejected: {@code 10 requests in 60 s}. */
    @Override
    public String toString() {
        long millis = Math.max(1, duration / 1_000_000);
        String span = millis % 3_600_000 == 0 ? millis / 3_600_000 + " h" : millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
        return count + " requests in " + span;
    }
}
