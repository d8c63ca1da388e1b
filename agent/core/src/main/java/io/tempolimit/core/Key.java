package io.tempolimit.core;

import io.tempolimit.core.memory.Evictable;
import io.tempolimit.core.policy.Keying;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;

/**
 * What has a bucket and a cooldown of its own (a host, unless {@link Keying} says otherwise), with its statistics: what those
 * see of it who watch and operate it. Thread-safe.
 */
public abstract class Key extends Evictable {
    /** The canonical host, or, where {@code key} says so, more or less than that: see {@link Keying}. */
    public abstract String name();

    /** The host whose settings are its own; its hosts' domain, if that is what they share; null if hosts have no part in it. */
    public abstract String host();

    /** The settings that hold for it now; null if it is not paced. */
    public abstract Policy policy();

    /** Rate and burst that hold now: the policy's, or less by what was learnt; null if it was never paced. */
    public abstract Limit limit();

    /** Its statistics now. */
    public abstract KeyStats stats();

    /** Whether requests in flight are limited. */
    public final boolean limitsFlight() {
        Policy p = policy();
        return p != null && p.concurrency() < Integer.MAX_VALUE;
    }

    // ---- for an operator

    /**
     * No request goes for this long, but for rounds on connections that are leased already; by {@code on-limit} and {@code
     * max-wait} they wait or are rejected. Then the key is open again, from an empty bucket. A pause that is there already is
     * replaced; a cooldown that a site has asked for is not shortened, and has its probe.
     *
     * @param nanos above zero, and up to ten years
     * @return false if its cooldown is longer than that already
     * @throws IllegalStateException if it is blocked for good
     */
    public abstract boolean pause(long nanos);

    /**
     * Ends a pause or a cooldown without a probe; who waits goes on at the bucket's pace. Blocks and trips are remembered, so
     * the next block may be the next trip.
     *
     * @throws IllegalStateException if it is blocked for good
     */
    public abstract void resume();

    /** Another limit than the settings', until {@link #reset}; it stays when the settings change or the key is forgotten. */
    public abstract void limit(Limit limit);

    /** Forgets what was counted; what is remembered of the site's behaviour stays. */
    public abstract void resetStats();

    /** Forgets blocks, trips, pauses, what was learnt, and another limit than the settings'; who waits goes on at the bucket's pace. */
    public abstract void reset();
}
