package io.tempolimit.core.memory;

/**
 * What the order of eviction knows of a key, and the key's place in it. The key extends it, for an object of its own would cost each host
 * 16 bytes more. The fields are guarded by the lock of {@code Keys}.
 */
public abstract class Evictable {
    /** What would be lost with the key; the higher ones are evicted later. Nothing: */
    public static final int IDLE = 0;
    /** A bucket that is not full, or a window that is not empty. */
    public static final int OWES = 1;
    /** A rest that still runs. */
    public static final int RESTS = 2;
    /** A block for good. */
    public static final int BLOCKED = 3;
    /** Somebody waits or is in flight: it is never evicted. */
    public static final int IN_USE = 4;

    /** Null while it is in none, and is forgotten or about to be. Read without the lock as well. */
    public volatile EvictionOrder order;
    /** Its last request, as of when it was looked at. */
    long used;
    /** Where it is among those of its standing, and among those whose standing will fall; -1 for nowhere. */
    int place = -1;
    int placeByChange = -1;
    /** As of when it was looked at. */
    byte standing;
    /** Of the hosts of its registrable domain; -1 if that was never asked. */
    short group = -1;

    /** Whether it is forgotten, or about to be. */
    public final boolean isGone() {
        return order == null;
    }

    /** When its last request was. */
    public abstract long lastRequest();

    /** What would be lost with it now. */
    public abstract int standing(long now);

    /** When {@link #OWES} or {@link #RESTS} will be over. */
    public abstract long standingEnds(long now);
}
