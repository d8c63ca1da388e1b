package io.tempolimit.core.limiter;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.pace.Arrival;
import io.tempolimit.core.pace.PacedKey;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.UserAgents;
import java.util.concurrent.ConcurrentHashMap;

/** User agents that requests had so far, so that each is looked at once and told once. Thread-safe; remembers a thousand. */
final class SeenUserAgents {
    /** A scraper has a handful; one that makes them up must not fill the heap. */
    private static final int MOST = 1_000;
    private static final int FINE = 0;
    private static final int SUSPICIOUS = 1;
    private static final int TOLD = 2;

    private final ConcurrentHashMap<String, Integer> seen = new ConcurrentHashMap<>();

    /**
     * Tells of a request's user agent if sites refuse it at sight.
     *
     * @throws RequestRejectedException if the settings reject it for that
     */
    void check(PacedKey key, Target target, Policy policy) throws RequestRejectedException {
        String agent = target.header("User-Agent");
        if (agent == Target.UNKNOWN || !suspicious(agent)) {
            return;
        }
        if (news(agent)) {
            key.common.listener.suspicious(key, UserAgents.suspicious(agent));
        }
        if (policy.userAgentCheck() == Policy.UserAgentCheck.REJECT && !key.common.rules.dryRun()) {
            throw Arrival.refused(key, target, Rejection.SUSPICIOUS_USER_AGENT);
        }
    }

    /** @param agent null if the request has none */
    private boolean suspicious(String agent) {
        String name = agent == null ? "" : agent;
        Integer known = seen.get(name);
        if (known == null) {
            known = UserAgents.suspicious(agent) == null ? FINE : SUSPICIOUS;
            if (seen.size() < MOST) {
                seen.putIfAbsent(name, known);
            }
        }
        return known != FINE;
    }

    /** Whether this suspicious one was not told yet. */
    private boolean news(String agent) {
        return seen.replace(agent == null ? "" : agent, SUSPICIOUS, TOLD);
    }
}
