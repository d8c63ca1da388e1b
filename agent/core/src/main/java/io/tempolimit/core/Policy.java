package io.tempolimit.core;

/** What holds for one host: the settings that the limiter needs, ready for use. Immutable. Durations are nanoseconds. */
public final class Policy {
    /** For {@link Builder#maxWait}: wait as long as it takes. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private final Limit limit;
    private final double jitter;
    private final boolean reject;
    private final long maxWait;
    private final int cooldownThreshold;
    private final long cooldownMin;
    private final long cooldownMax;
    private final long cooldownMemory;
    private final PathRules paths;

    private Policy(Builder b) {
        limit = new Limit(b.rate, b.burst);
        jitter = b.jitter;
        reject = b.reject;
        maxWait = b.maxWait;
        cooldownThreshold = b.cooldownThreshold;
        cooldownMin = b.cooldownMin;
        cooldownMax = b.cooldownMax;
        cooldownMemory = b.cooldownMemory;
        paths = b.paths;
    }

    /** Rate and burst. */
    public Limit limit() {
        return limit;
    }

    /** Up to this fraction of an interval is added at random to each delay; 0 to 1. */
    public double jitter() {
        return jitter;
    }

    /** Whether a request that would have to wait is rejected instead. */
    public boolean reject() {
        return reject;
    }

    /** The longest wait, counted from arrival, or {@link #UNLIMITED}. */
    public long maxWait() {
        return maxWait;
    }

    /** Consecutive blocks that start a cooldown. */
    public int cooldownThreshold() {
        return cooldownThreshold;
    }

    /** The shortest cooldown. */
    public long cooldownMin() {
        return cooldownMin;
    }

    /** The longest cooldown. */
    public long cooldownMax() {
        return cooldownMax;
    }

    /** After how long a count of blocks that is not added to is forgotten. */
    public long cooldownMemory() {
        return cooldownMemory;
    }

    /** Which paths are paced. */
    public PathRules paths() {
        return paths;
    }

    /** Collects a policy; starts with the defaults of the contract. Not thread-safe. */
    public static final class Builder {
        private static final long SECOND = 1_000_000_000L;

        private double rate = 3;
        private int burst = 5;
        private double jitter;
        private boolean reject;
        private long maxWait = UNLIMITED;
        private int cooldownThreshold = 3;
        private long cooldownMin = 30 * SECOND;
        private long cooldownMax = 60 * SECOND;
        private long cooldownMemory = 600 * SECOND;
        private PathRules paths = PathRules.ALL;

        public Builder rate(double tokensPerSecond) {
            rate = tokensPerSecond;
            return this;
        }

        public Builder burst(int tokens) {
            burst = tokens;
            return this;
        }

        public Builder jitter(double fraction) {
            jitter = fraction;
            return this;
        }

        public Builder reject(boolean on) {
            reject = on;
            return this;
        }

        public Builder maxWait(long nanos) {
            maxWait = nanos;
            return this;
        }

        public Builder cooldownThreshold(int blocks) {
            cooldownThreshold = blocks;
            return this;
        }

        public Builder cooldownDuration(long minNanos, long maxNanos) {
            cooldownMin = minNanos;
            cooldownMax = maxNanos;
            return this;
        }

        public Builder cooldownMemory(long nanos) {
            cooldownMemory = nanos;
            return this;
        }

        public Builder paths(PathRules rules) {
            paths = rules;
            return this;
        }

        public Policy build() {
            return new Policy(this);
        }
    }
}
