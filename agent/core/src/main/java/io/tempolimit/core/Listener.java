package io.tempolimit.core;

import io.tempolimit.core.request.Target;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.detect.Announced;
import io.tempolimit.detect.Finding;

/**
 * Hears what the limiter does. Called on the threads of requests, on the timer thread and on the fleet's, so it must be quick, never
 * block, and be thread-safe. Never called with a lock held.
 */
public interface Listener {
    /** Hears nothing. */
    Listener NONE = new Listener() { };

    /** The reason of a pause that an operator asked for. */
    String OPERATOR = "operator";

    /** The reason of a rest that another worker of the fleet began. */
    String FLEET = "fleet";

    /** The reason of a rest that is taken before the site blocks, as it gives so many pages and then none for a while. */
    String BUDGET = "page_budget";

    /** For {@link #delayed}: it waits for the end of another one. */
    long UNKNOWN = -1;
    /** A shorter wait, in nanoseconds, is no delay worth counting or telling (the contract's figure). */
    long DELAY = 10_000_000;

    /** The first request that the settings leave out, and why: it is neither paced nor judged. */
    default void leftOut(String host, String why) { }

    /**
     * The first request to this host that no woven client sends: nothing paces it. Called on the thread that sends it.
     *
     * @param by    who sends it: a class, or a thread
     * @param http2 whether it is a connection for many requests
     */
    default void unseen(String host, String by, boolean http2) { }

    /**
     * A request of this key begins to wait, this long or for {@link #UNKNOWN}; in a dry run: would.
     *
     * @param why by what it would be rejected if it did not wait
     */
    default void delayed(Key key, long expectedWaitNanos, Rejection why) { }

    /** A request of this key begins to wait, on this thread; what is given comes back with {@link #throttled}. */
    default Object waits(Key key) {
        return null;
    }

    /**
     * A request has waited this long, and is on its way now; in a dry run: would have.
     *
     * @param begun what {@link #waits} gave; null in a dry run
     */
    default void throttled(Key key, Target target, long waitedNanos, Object begun) { }

    /** An answer was a block. {@code counts}: whether it made the count rise, or belongs to an incident that is known. */
    default void blocked(Key key, Target target, Finding finding, int consecutive, boolean counts) { }

    /**
     * The key begins to rest, or rests longer.
     *
     * @param reason   a block type, a rejection's code in lower case, {@link #OPERATOR} or {@link #FLEET}
     * @param rung     of how many trips in its memory this is the last; 0 if it is no trip
     * @param refusing whether requests are rejected meanwhile instead of waiting
     */
    default void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) { }

    /** The key rejects everything until an operator resets it. */
    default void lifetimeBlocked(Key key, String reason) { }

    /** The key is open again. */
    default void cooldownEnded(Key key) { }

    /** The host's robots.txt asks for this time between requests, or, with 0, does so no longer. */
    default void crawlDelay(Key key, int millis) { }

    /** The site says what is left of its limit, and the key's rate is held under that. Once a key. */
    default void announced(Key key, Announced says) { }

    /** Blocks of this key do not come from speed: its rate, which was lowered for them, is what it was before. Once a key. */
    default void notFromSpeed(Key key) { }

    /** A request was not sent; in a dry run: would not have been. */
    default void rejected(Key key, Target target, Rejection code) { }

    /** An event stream was closed because of the settings; {@code why} names the one. */
    default void streamClosed(Key key, String why) { }

    /** A request has a user agent that sites refuse at sight; told once for each of the first thousand. {@code why} does not quote it. */
    default void suspicious(Key key, String why) { }

    /** A body came in this encoding, which is not read, so only status and headers are judged. Told once in a JVM. */
    default void unreadableEncoding(Key key, String encoding) { }

    /** What was kept of this key over a restart could not be read, or not all of it. */
    default void unreadable(Key key) { }

    /** A key was forgotten to make room, or because it was idle. */
    default void evicted(Key key) { }

    /** Nine tenths of the keys that may be remembered are in use. */
    default void nearlyFull(int keys, int maxKeys) { }

    /** The fleet does not decide; from here on each worker is alone, by the fallback. See {@link Fleet.Listener#lost}. */
    default void fleetLost(Fleet.State how, String why) { }

    /** The fleet answers again, or at last. {@code again}: whether it was lost before. */
    default void fleetRestored(boolean again) { }

    /** Something about the fleet that the user may want to change; each is told once. */
    default void fleetWarning(String text) { }

    /** An error of the agent's own, or of this listener, in what it was told. No request is lost by it. */
    default void trouble(Throwable error) { }
}
