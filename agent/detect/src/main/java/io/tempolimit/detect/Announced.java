package io.tempolimit.detect;

/** What a site says is left of a limit: so many requests until a moment. Immutable. */
public final class Announced {
    private final long remaining;
    private final long nanos;

    Announced(long remaining, long nanos) {
        this.remaining = remaining;
        this.nanos = nanos;
    }

    /** Requests that are left, 0 or more. */
    public long remaining() {
        return remaining;
    }

    /** Nanoseconds until there are more, above 0. */
    public long nanos() {
        return nanos;
    }
}
