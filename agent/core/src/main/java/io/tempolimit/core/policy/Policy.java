package io.tempolimit.core.policy;

import io.tempolimit.detect.DetectRules;

/** What holds for one host: the settings that the limiter needs, ready for use. Immutable once built. Durations are nanoseconds. */
public final class Policy implements Cloneable {
    /** For {@link Builder#maxWait}: wait as long as it takes. */
    public static final long UNLIMITED = Long.MAX_VALUE;
    /** Where {@code rate=auto} starts, in tokens per second (the contract's figure). */
    public static final double AUTO = 3;

    private static final long SECOND = 1_000_000_000L;

    // with the defaults of the contract
    private Limit limit;
    private boolean auto;
    private double ceiling = 3;
    private boolean learn = true;
    private WindowLimit[] windows = {};
    private int concurrency = Integer.MAX_VALUE;
    private boolean flightLearned;
    private double jitter;
    private boolean reject;
    private long maxWait = UNLIMITED;
    private boolean respond;
    private boolean robots;
    private int cooldownThreshold = 3;
    private long cooldownMin = 30 * SECOND;
    private long cooldownMax = 60 * SECOND;
    private long cooldownMemory = 600 * SECOND;
    private boolean global;
    private Escalation escalation = Escalation.COOLDOWNS;
    private long escalationMemory = 86_400 * SECOND;
    private boolean blocksClimb = true;
    private boolean limitsClimb;
    private boolean denied;
    private long retryAfterMax = 3600 * SECOND;
    private DetectRules detection = DetectRules.DEFAULT;
    private UserAgentCheck userAgentCheck = UserAgentCheck.WARN;
    private PathRules paths = PathRules.ALL;
    private StreamLimits streams;

    private Policy() {
    }

    /** Rate and burst as long as nothing was learnt. */
    public Limit limit() {
        return limit;
    }

    /** Whether the site's ceiling is looked for upwards ({@code rate=auto}). */
    public boolean auto() {
        return auto;
    }

    /** Tokens per second that are never exceeded; may be infinite where the rate is {@link #auto}. */
    public double ceiling() {
        return ceiling;
    }

    /** Whether the rate is held under what the site tolerated; where it is {@link #auto}, always. */
    public boolean learns() {
        return learn || auto;
    }

    /** The same with another rate and burst, which hold whatever was learnt. */
    Policy with(Limit other) {
        Policy copy = copy();
        copy.limit = other;
        copy.ceiling = other.rate();
        copy.auto = false;
        copy.learn = false;
        return copy;
    }

    /** The same with no more than so many requests in flight. */
    public Policy atMost(int inFlight) {
        if (inFlight >= concurrency) {
            return this;
        }
        Policy copy = copy();
        copy.concurrency = inFlight;
        copy.flightLearned = concurrency == Integer.MAX_VALUE;
        return copy;
    }

    private Policy copy() {
        try {
            return (Policy) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Whether only what was learnt limits requests in flight. Then an answer's head ends the request: who has set no such limit
     * may leave bodies unread.
     */
    public boolean flightLearned() {
        return flightLearned;
    }

    /** Sliding caps; may be empty. Not to be changed. */
    public WindowLimit[] windows() {
        return windows;
    }

    /** Requests in flight at the most; {@link Integer#MAX_VALUE} for no limit. */
    public int concurrency() {
        return concurrency;
    }

    /** Whether anything but the bucket caps its requests. */
    public boolean capped() {
        return windows.length > 0 || concurrency < Integer.MAX_VALUE;
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

    /** Whether a robots.txt that the application fetches may lower the rate. */
    public boolean robots() {
        return robots;
    }

    /** Whether a rejected request gets a response, where its client's types let one be made, and not an exception. */
    public boolean respond() {
        return respond;
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

    /** Whether blocks of all such hosts are counted together, and all of them rest. */
    public boolean global() {
        return global;
    }

    /** What each further trip brings. */
    public Escalation escalation() {
        return escalation;
    }

    /** After how long without a trip the first rung is next again. */
    public long escalationMemory() {
        return escalationMemory;
    }

    /** Whether blocks count towards a trip. */
    public boolean blocksClimb() {
        return blocksClimb;
    }

    /** Whether rejections for a limit count towards a trip, and a request that is let through resets that count. */
    public boolean limitsClimb() {
        return limitsClimb;
    }

    /** Whether every request is rejected. */
    public boolean denied() {
        return denied;
    }

    /**
     * The longest time that a site may ask for and that requests wait; a longer one opens the circuit. 0: what the
     * site asks for is ignored.
     */
    public long retryAfterMax() {
        return retryAfterMax;
    }

    /** What is a block here. */
    public DetectRules detection() {
        return detection;
    }

    /** What happens to requests whose user agent sites refuse at sight. */
    public UserAgentCheck userAgentCheck() {
        return userAgentCheck;
    }

    /** Which paths are paced. */
    public PathRules paths() {
        return paths;
    }

    /** How many event streams may be open; null: they are neither counted nor closed. */
    public StreamLimits streams() {
        return streams;
    }

    /** What happens to requests whose user agent sites refuse at sight. */
    public enum UserAgentCheck { OFF, WARN, REJECT }

    /** Collects a policy; starts with the defaults of the contract. Not thread-safe. */
    public static final class Builder {
        private final Policy made = new Policy();
        private int burst = 5;

        public Builder rate(double tokensPerSecond) {
            made.ceiling = tokensPerSecond;
            made.auto = false;
            return this;
        }

        /** {@code rate=auto}; {@code ceiling} in tokens per second, infinite for none. */
        public Builder auto(double ceiling) {
            made.ceiling = ceiling;
            made.auto = true;
            return this;
        }

        public Builder learn(boolean on) {
            made.learn = on;
            return this;
        }

        public Builder windows(WindowLimit... limits) {
            made.windows = limits;
            return this;
        }

        public Builder concurrency(int requests) {
            made.concurrency = requests;
            return this;
        }

        public Builder burst(int tokens) {
            burst = tokens;
            return this;
        }

        public Builder jitter(double fraction) {
            made.jitter = fraction;
            return this;
        }

        public Builder reject(boolean on) {
            made.reject = on;
            return this;
        }

        public Builder maxWait(long nanos) {
            made.maxWait = nanos;
            return this;
        }

        public Builder robots(boolean on) {
            made.robots = on;
            return this;
        }

        public Builder respond(boolean on) {
            made.respond = on;
            return this;
        }

        public Builder cooldownThreshold(int blocks) {
            made.cooldownThreshold = blocks;
            return this;
        }

        public Builder cooldownDuration(long minNanos, long maxNanos) {
            made.cooldownMin = minNanos;
            made.cooldownMax = maxNanos;
            return this;
        }

        public Builder cooldownMemory(long nanos) {
            made.cooldownMemory = nanos;
            return this;
        }

        public Builder global(boolean on) {
            made.global = on;
            return this;
        }

        public Builder escalation(Escalation ladder) {
            made.escalation = ladder;
            return this;
        }

        public Builder escalationMemory(long nanos) {
            made.escalationMemory = nanos;
            return this;
        }

        public Builder escalationOn(boolean blocks, boolean limits) {
            made.blocksClimb = blocks;
            made.limitsClimb = limits;
            return this;
        }

        public Builder denied(boolean on) {
            made.denied = on;
            return this;
        }

        public Builder retryAfterMax(long nanos) {
            made.retryAfterMax = nanos;
            return this;
        }

        public Builder detection(DetectRules rules) {
            made.detection = rules;
            return this;
        }

        public Builder userAgentCheck(UserAgentCheck check) {
            made.userAgentCheck = check;
            return this;
        }

        public Builder paths(PathRules rules) {
            made.paths = rules;
            return this;
        }

        public Builder streams(StreamLimits limits) {
            made.streams = limits;
            return this;
        }

        public Policy build() {
            Policy policy = made.copy();
            policy.limit = new Limit(made.auto ? Math.min(AUTO, made.ceiling) : made.ceiling, burst);
            return policy;
        }
    }
}
