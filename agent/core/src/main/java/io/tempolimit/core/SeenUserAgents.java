package io.tempolimit.core;

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

    /** @param agent null if the request has none */
    boolean suspicious(String agent) {
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
    boolean news(String agent) {
        return seen.replace(agent == null ? "" : agent, SUSPICIOUS, TOLD);
    }
}
