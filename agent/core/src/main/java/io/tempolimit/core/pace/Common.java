package io.tempolimit.core.pace;

import io.tempolimit.core.Listener;
import io.tempolimit.core.Streams;
import io.tempolimit.core.Unseen;
import io.tempolimit.core.circuit.Count;
import io.tempolimit.core.policy.CurrentRules;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.runtime.RandomSource;
import java.util.Collection;

/**
 * What all keys of a limiter have in common: clock, chance, listener, locks, the settings that hold, and what concerns several
 * keys at once. Thread-safe; its setters are called before the first request.
 */
public final class Common {
    /** A power of two. Keys share these locks; a lock a key would cost 48 bytes each. */
    private static final int LOCKS = 64;

    /** The last cooldown of all keys whose blocks are counted together. Immutable. */
    private static final class GlobalRest {
        final long until;
        final boolean refusing;
        final String reason;

        GlobalRest(long until, boolean refusing, String reason) {
            this.until = until;
            this.refusing = refusing;
            this.reason = reason;
        }
    }

    /** Makes what says when requests of a key go, where that is not this JVM alone. */
    public interface Pacers {
        LocalPacer of(PacedKey key, Limit limit, long now);
    }

    public final Clock clock;
    public final RandomSource random;
    public final Listener listener;
    public final CurrentRules rules;
    public final Unseen unseen;
    public final Streams streams = new Streams();
    public final Redirects redirects = new Redirects();
    public final Unread unread = new Unread();
    /** All keys there are, now and later. */
    private final Collection<? extends PacedKey> keys;
    private final KeyLock[] locks = new KeyLock[LOCKS];
    /** Null where this JVM is alone. */
    private Pacers pacers;
    /** For keys whose blocks are counted together. */
    private Count globalCount = new Count();
    private volatile GlobalRest globalRest;
    private boolean encodingTold;

    public Common(Clock clock, RandomSource random, Listener listener, CurrentRules rules, Unseen unseen,
            Collection<? extends PacedKey> keys) {
        this.clock = clock;
        this.random = random;
        this.listener = listener;
        this.rules = rules;
        this.unseen = unseen;
        this.keys = keys;
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new KeyLock(listener);
        }
    }

    /** Whether the listener has yet to hear of an encoding that is not read; true once. */
    public synchronized boolean tellsEncoding() {
        boolean first = !encodingTold;
        encodingTold = true;
        return first;
    }

    /** Limits are shared with other JVMs: who paces keys then, and what counts blocks of all keys. */
    public void share(Pacers by, Count count) {
        pacers = by;
        globalCount = count;
    }

    LocalPacer pacer(PacedKey key, Limit limit, long now) {
        return pacers == null ? new LocalPacer(key, limit, now) : pacers.of(key, limit, now);
    }

    KeyLock lockOf(String key) {
        int h = key.hashCode();
        return locks[(h ^ h >>> 16) & LOCKS - 1];
    }

    // ---- keys whose blocks are counted together

    /** Counts the blocks of all keys with {@code cooldown.scope=global}. */
    public Count globalCount() {
        return globalCount;
    }

    /**
     * A key has tripped whose blocks are counted together with others': they rest with it. Called without a lock.
     *
     * @param tripped rests already; null for one of another worker's
     */
    public void restAll(PacedKey tripped, long length, boolean refusing, String reason) {
        globalRest = new GlobalRest(clock.nanos() + length, refusing, reason);
        if (tripped != null && !rules.passing()) {
            globalCount.rest(length, refusing, clock.nanos());
        }
        for (PacedKey key : keys) {
            if (key != tripped) {
                Cooldown.join(key, length, refusing, reason);
            }
        }
    }

    /** Lets a key that was made during a cooldown of all join it. */
    void joinRest(PacedKey key, long now) {
        GlobalRest rest = globalRest;
        if (rest != null && rest.until - now > 0) {
            Cooldown.join(key, rest.until - now, rest.refusing, rest.reason);
        }
    }
}
