package io.tempolimit.core.policy;

/** How many event streams may be open, and for how long. Immutable. */
public final class StreamLimits {
    /** For any of the numbers: as many as come. */
    public static final int ANY = Integer.MAX_VALUE;
    /** For {@link #timeout}: as long as they like. */
    public static final long FOREVER = Long.MAX_VALUE;

    public static final StreamLimits NONE = new StreamLimits(ANY, ANY, ANY, false, FOREVER);

    public final int perKey;
    public final int perUrl;
    public final int inAll;
    public final boolean evictsOldest;
    public final long timeout;

    /**
     * @param perKey       open streams of a key, above 0, or {@link #ANY}
     * @param perUrl       of a URL, without its query
     * @param inAll        of all keys together that have limits of their own
     * @param evictsOldest whether a newcomer too many closes the oldest one; else it is turned away itself
     * @param timeout      nanoseconds after which an open stream is closed, or {@link #FOREVER}
     */
    public StreamLimits(int perKey, int perUrl, int inAll, boolean evictsOldest, long timeout) {
        this.perKey = perKey;
        this.perUrl = perUrl;
        this.inAll = inAll;
        this.evictsOldest = evictsOldest;
        this.timeout = timeout;
    }
}
