package io.tempolimit.core.circuit;

import io.tempolimit.core.policy.Policy;
import io.tempolimit.detect.Announced;

/**
 * What a site's good answers say is left of its limit, as a rate to hold until there is more. What is left is not spread over a whole
 * day: it is used up at the pace that a minute of it allows, so a short crawl is done at once and a long one slows down before
 * the end. A site that says again that nothing is left, when by its own words there should be more, is not believed any more.
 * Guarded by its key's lock.
 */
public final class AnnouncedLimit {
    private static final long MINUTE = 60_000_000_000L;
    /** An interval that differs less is the same: each other one moves all who wait. */
    private static final double SAME = 0.1;

    /** What holds where the site's words do not: no limit, for ever. */
    private static final AnnouncedLimit NOT_BELIEVED = new AnnouncedLimit(0, Integer.MAX_VALUE, false, 0);

    /** Nanoseconds between requests. */
    public final long interval;
    public final int burst;
    /** Whether nothing is left. */
    public final boolean over;
    /** When there is more. */
    private long until;

    private AnnouncedLimit(long interval, int burst, boolean over, long until) {
        this.interval = interval;
        this.burst = burst;
        this.over = over;
        this.until = until;
    }

    /**
     * What holds after an answer.
     *
     * @param was  what held before; null: nothing
     * @param says what the answer says; null: nothing
     * @return {@code was} if nothing has changed; null if the site's limit is no lower than the policy's
     */
    public static AnnouncedLimit of(AnnouncedLimit was, Announced says, Policy p, long now) {
        if (says == null) {
            return was == null || was == NOT_BELIEVED || was.holds(now) || was.over ? was : null;
        }
        boolean over = says.remaining() == 0;
        if (was == NOT_BELIEVED || over && was != null && was.over && !was.holds(now)) {
            return NOT_BELIEVED;
        }
        long nanos = Math.min(over ? Circuit.withMargin(says.nanos()) : says.nanos(), p.retryAfterMax());
        long interval = over ? nanos : Math.min(nanos, MINUTE) / says.remaining();
        if (interval <= p.limit().interval) {
            return null;
        }
        long until = now + nanos;
        int burst = (int) Math.max(1, Math.min(p.limit().burst(), says.remaining()));
        boolean same = was != null && was.holds(now) && was.over == over && was.burst == burst;
        if (same && Math.abs(interval - was.interval) < SAME * was.interval) {
            was.until = until;
            return was;
        }
        return new AnnouncedLimit(interval, burst, over, until);
    }

    public boolean holds(long now) {
        return this != NOT_BELIEVED && until - now > 0;
    }
}
