package io.tempolimit.core;

/** The last rest of all keys whose blocks are counted together. Immutable. */
final class GlobalRest {
    private final long until;
    private final boolean refusing;
    private final String reason;

    GlobalRest(long until, boolean refusing, String reason) {
        this.until = until;
        this.refusing = refusing;
        this.reason = reason;
    }

    /** Lets a key rest with the others, if it is not over: also one that was made meanwhile. */
    void join(PacedKey key, long now) {
        if (until - now > 0) {
            Cooldown.join(key, until - now, refusing, reason);
        }
    }
}
