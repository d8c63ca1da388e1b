package io.tempolimit.core.key;

import io.tempolimit.core.circuit.AnnouncedLimit;
import io.tempolimit.core.pace.LocalPacer;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.detect.Announced;
import io.tempolimit.detect.Robots;

/**
 * What a site itself says of its limit: what its answers say is left, and the crawl delay of its robots.txt. Made for the
 * first site's word; most sites say nothing. All under the key's lock, but for {@link #announced()}, and what takes it itself.
 */
final class SiteLimits {
    private final HostKey key;
    /** What the site says is left; null for nothing that matters. Read without the lock as well. */
    private volatile AnnouncedLimit announced;
    private boolean toldOfLimit;
    /** Milliseconds between requests that the host's robots.txt asks for; 0 for none. */
    private int crawlDelay;

    SiteLimits(HostKey key) {
        this.key = key;
    }

    /** Milliseconds between requests that the host's robots.txt asks for, if that is observed; else 0. */
    int crawlDelay(Policy p) {
        return p.robots() ? crawlDelay : 0;
    }

    /** The limit, or what the site's words leave of it. */
    Limit lower(Limit limit, Policy p, long now) {
        Limit to = limit;
        if (crawlDelay(p) > 0) { // a time between any two requests, so nothing goes at once
            to = Limit.of(Math.min(to.rate(), 1000.0 / crawlDelay), 1, key.limit());
        }
        AnnouncedLimit a = announced;
        if (a != null && a.holds(now) && p.learns()) {
            to = Limit.of(Math.min(to.rate(), 1e9 / a.interval), Math.min(to.burst(), a.burst), key.limit());
        }
        return to;
    }

    /** A good answer says what is left of the site's limit, or, with null, says nothing of it. Takes the lock where it has to. */
    static void announced(HostKey key, Announced says, long now) {
        SiteLimits known = key.siteLimits();
        AnnouncedLimit was = known == null ? null : known.announced;
        Policy p = key.policy();
        if (says == null && was == null || p == null || was == null && (!p.learns() || AnnouncedLimit.of(null, says, p, now) == null)) {
            return;
        }
        key.lock().lock();
        try {
            if (key.madeVerdicts().madeSiteLimits().takeIn(says, p, now)) {
                key.tell(() -> key.common.listener.announced(key, says));
            }
        } finally {
            key.lock().unlock();
        }
    }

    /** Whether it is the first limit that the site announces. */
    private boolean takeIn(Announced says, Policy p, long now) {
        AnnouncedLimit was = announced;
        AnnouncedLimit is = p.learns() ? AnnouncedLimit.of(was, says, p, now) : null;
        if (is == was) {
            return false;
        }
        announced = is;
        boolean first = is != null && !toldOfLimit;
        toldOfLimit |= first;
        if (key.pacer.takeOver(p, now)) {
            if (is != null && is.over && !key.pacer.together()) {
                LocalPacer pacer = key.pacer; // no token is left; what waiters have reserved stays reserved
                pacer.bucket.addAndGet(Math.max(0, pacer.limit().tolerance + pacer.limit().interval - pacer.ahead(now)));
            }
            key.pacer.replan(now);
        }
        return first;
    }

    /** The host's robots.txt asks for this time between requests, in nanoseconds; 0 for none. Takes the lock. */
    static void crawlDelay(HostKey key, long nanos) {
        if (nanos == Robots.UNKNOWN) {
            return;
        }
        int millis = (int) ((nanos + 999_999) / 1_000_000);
        key.lock().lock();
        try {
            Policy p = key.policy();
            SiteLimits known = key.siteLimits();
            if (p == null || millis == (known == null ? 0 : known.crawlDelay)) {
                return;
            }
            key.madeVerdicts().madeSiteLimits().crawlDelay = millis;
            long now = key.now();
            if (key.pacer.takeOver(p, now)) {
                key.pacer.replan(now);
            }
            key.tell(() -> key.common.listener.crawlDelay(key, millis));
        } finally {
            key.lock().unlock();
        }
    }
}
