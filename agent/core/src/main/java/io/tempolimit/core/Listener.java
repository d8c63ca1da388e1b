package io.tempolimit.core;

/**
 * Hears what the limiter does. Called on the threads of requests and on the timer thread, so it must be quick, never
 * block, and be thread-safe. Never called with a lock held.
 */
public interface Listener {
    /** Hears nothing. */
    Listener NONE = new Listener() { };

    /** A request of this key begins to wait; in a dry run: would. */
    default void delayed(Key key, long expectedWaitNanos) { }

    /** A request has waited this long, and is on its way now; in a dry run: would have. */
    default void throttled(Key key, Target target, long waitedNanos) { }

    /** An answer was a block. {@code counts}: whether it made the count rise, or belongs to an incident that is known. */
    default void blocked(Key key, Target target, Verdict verdict, int status, int consecutive, boolean counts) { }

    /** The key begins to rest. */
    default void cooldownStarted(Key key, long durationNanos, String reason) { }

    /** The key is open again. */
    default void cooldownEnded(Key key) { }

    /** A request was not sent; in a dry run: would not have been. */
    default void rejected(Key key, Target target, Rejection code) { }

    /** A key was forgotten to make room, or because it was idle. */
    default void evicted(Key key) { }

    /** Nine tenths of the keys that may be remembered are in use. */
    default void nearlyFull(int keys, int maxKeys) { }
}
