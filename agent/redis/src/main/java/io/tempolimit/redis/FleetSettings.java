package io.tempolimit.redis;

import java.util.UUID;

/** The {@code redis} settings, with their defaults. Set before {@link Fleet#start}, then only read. Durations are nanoseconds. */
public final class FleetSettings {
    /** What holds while Redis does not answer. */
    public enum Fallback {
        /** Each worker takes its part: rate and burst divided by the workers last seen alive. */
        SHARE,
        /** The full rate in each worker. */
        LOCAL,
        /** Nothing is sent. */
        REJECT
    }

    /** For {@link #lease}: as many tokens a call as are used in a hundredth of a second. */
    public static final int AUTO = 0;
    /** For {@link #lease}: a call for each token. */
    public static final int OFF = 1;

    final Address address;
    String prefix = "tempolimit";
    long timeout = 50_000_000L;
    long start = 5_000_000_000L;
    Fallback fallback = Fallback.SHARE;
    int workers = 1;
    int lease = AUTO;
    String worker = UUID.randomUUID().toString();

    /**
     * @param uri      {@code redis://}, {@code rediss://} or {@code redis-sentinel://}
     * @param password overrides the URI's; may be null
     * @param cluster  whether it is a cluster
     * @throws IllegalArgumentException with a message that quotes nothing of either
     */
    public FleetSettings(String uri, String password, boolean cluster) {
        address = Address.parse(uri, password, cluster);
    }

    /** What all keys begin with. */
    public FleetSettings prefix(String text) {
        prefix = text;
        return this;
    }

    /** The longest that a request waits for Redis. */
    public FleetSettings timeout(long nanos) {
        timeout = nanos;
        return this;
    }

    /** The longest that requests wait for Redis's first answer, from the first of them. */
    public FleetSettings start(long nanos) {
        start = nanos;
        return this;
    }

    /** What holds while Redis does not answer. */
    public FleetSettings fallback(Fallback what) {
        fallback = what;
        return this;
    }

    /** How many workers there are, as long as none has been counted. */
    public FleetSettings workers(int n) {
        workers = n;
        return this;
    }

    /** {@link #AUTO}, {@link #OFF}, or how many tokens a call. */
    public FleetSettings lease(int tokens) {
        lease = tokens;
        return this;
    }

    /** Names this worker in place of a random name; no two may be alike. */
    FleetSettings worker(String name) {
        worker = name;
        return this;
    }
}
