package io.tempolimit.core.bucket;

import io.tempolimit.core.policy.Limit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A token bucket in one word, by the generic cell rate algorithm: the word is the time at which the bucket would be full
 * again. A request that would make it lie more than the limit's tolerance ahead of now has to wait for the difference,
 * and its token is taken at once; so whoever comes next waits longer, and the order of arrival holds by itself.
 *
 * <p>In any span of T seconds at most {@code burst + rate × T} of the moments handed out fall. A clock that stands still
 * for long (a suspended machine) gives at most {@code burst} at once; one that steps back a little gives nothing extra.
 *
 * <p>Thread-safe, lock-free, allocates nothing. It extends {@code AtomicLong} to be one object and not two; only the
 * methods declared here are meant to be called. The clock is read by the caller, once: reading it between the load and
 * the compare-and-set was measured 2.6 times slower under contention. Tried and lost: a count of tokens with a time
 * beside it (two words, so a lock or an object a call), and floating-point tokens (0.9999 tokens refuse a request
 * that is due).
 */
public class TokenBucket extends AtomicLong {
    /** Answer of {@link #reserve}: the wait would be too long, and no token was taken. */
    public static final long REFUSED = -1;

    private static final long serialVersionUID = 1;

    /** A full bucket. */
    public TokenBucket(long now) {
        super(now);
    }

    /**
     * Takes a token.
     *
     * @param now     time of the clock that this bucket lives by
     * @param limit   rate and burst; may differ from call to call
     * @param extra   nanoseconds to keep free before this token in addition to the limit's interval, if there is a wait
     * @param maxWait the longest wait in nanoseconds that the caller would accept
     * @return 0 to go now, else the nanoseconds to wait first, or {@link #REFUSED}
     */
    public final long reserve(long now, Limit limit, long extra, long maxWait) {
        for (;;) {
            long full = get();
            long ahead = full - now;
            if (ahead < 0) {
                ahead = 0; // idle for longer than it takes to fill: no more than burst
            }
            long wait = ahead - limit.tolerance;
            long cost = limit.interval;
            if (wait <= 0) {
                wait = 0;
            } else {
                wait += extra;
                cost += extra;
                if (wait > maxWait || ahead > Limit.HORIZON) {
                    return REFUSED;
                }
            }
            if (compareAndSet(full, now + ahead + cost)) {
                return wait;
            }
        }
    }

    /** How long a request would have to wait now, in nanoseconds; takes nothing. */
    public final long peek(long now, Limit limit) {
        return Math.max(0, get() - now - limit.tolerance);
    }

    /** Tokens in it now, between 0 and burst. */
    public final double available(long now, Limit limit) {
        double missing = (double) Math.max(0, get() - now) / limit.interval;
        return Math.max(0, limit.burst() - missing);
    }

    /** Where it has been full for long, says that it is full now, so that what is added counts from now on. */
    public final void fill(long now) {
        for (long full = get(); full - now < 0 && !compareAndSet(full, now); ) {
            full = get();
        }
    }

    /**
     * A new limit leaves the tokens in the bucket: a debt of hours at the old rate must not hold up the new one, nor the reverse fill it.
     *
     * @param reserved nanoseconds of it that waiters have reserved, which stay as they are
     */
    public final void keepTokens(Limit from, Limit to, long reserved, long now) {
        if (from.interval == to.interval && from.tolerance == to.tolerance) {
            return;
        }
        fill(now);
        long ahead = get() - reserved - now;
        double tokens = from.burst() - (double) Math.max(0, ahead) / from.interval;
        double missing = to.burst() - Math.min(tokens, to.burst());
        addAndGet((long) Math.min(Limit.HORIZON, Math.ceil(missing * to.interval)) - ahead);
    }

    /** Takes all tokens out. */
    public final void empty(long now, Limit limit) {
        set(now + limit.tolerance + limit.interval);
    }
}
