package io.tempolimit.core.store;

/**
 * The {@code redis} settings, with their defaults. Set before it is used, then only read. Durations are nanoseconds. Shows
 * nothing of itself.
 */
public final class FleetSettings {
    /** What holds while nobody answers. */
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
    /** For {@link #workers}: nobody has said. */
    public static final int UNKNOWN = 0;
    /** Of how many workers one is taken to be that does not know. */
    private static final int SUPPOSED = 10;

    private final String uri;
    private final String password;
    private final boolean cluster;
    private String prefix = "tempolimit";
    private long timeout = 50_000_000L;
    private long start = 5_000_000_000L;
    private Fallback fallback = Fallback.SHARE;
    private int workers = UNKNOWN;
    private int lease = AUTO;

    /**
     * @param uri      where the fleet meets
     * @param password overrides the URI's; may be null
     * @param cluster  whether that is a cluster
     */
    public FleetSettings(String uri, String password, boolean cluster) {
        this.uri = uri;
        this.password = password;
        this.cluster = cluster;
    }

    /** What all names there begin with. */
    public FleetSettings prefix(String text) {
        prefix = text;
        return this;
    }

    /** The longest that a request waits for an answer. */
    public FleetSettings timeout(long nanos) {
        timeout = nanos;
        return this;
    }

    /** The longest that requests wait for the first answer, from when the fleet is really asked. */
    public FleetSettings start(long nanos) {
        start = nanos;
        return this;
    }

    /** What holds while nobody answers. */
    public FleetSettings fallback(Fallback what) {
        fallback = what;
        return this;
    }

    /** How many workers there are, as long as they have not been counted; {@link #UNKNOWN} if nobody has said. */
    public FleetSettings workers(int n) {
        workers = n;
        return this;
    }

    /** {@link #AUTO}, {@link #OFF}, or how many tokens a call. */
    public FleetSettings lease(int tokens) {
        lease = tokens;
        return this;
    }

    public String uri() {
        return uri;
    }

    /** May be null. */
    public String password() {
        return password;
    }

    public boolean cluster() {
        return cluster;
    }

    public String prefix() {
        return prefix;
    }

    public long timeout() {
        return timeout;
    }

    public long start() {
        return start;
    }

    public Fallback fallback() {
        return fallback;
    }

    public int workers() {
        return workers;
    }

    public int lease() {
        return lease;
    }

    /**
     * By how much a worker that is alone divides what all may do. Others that it has counted are so many. Before that it is those that
     * {@link #workers} says, or a careful guess; but not less than it has seen.
     */
    public int parts(Fleet fleet) {
        int seen = Math.max(1, fleet.workers());
        if (fallback != Fallback.SHARE) {
            return 1;
        }
        return fleet.counted() ? seen : Math.max(seen, workers == UNKNOWN ? SUPPOSED : workers);
    }
}
