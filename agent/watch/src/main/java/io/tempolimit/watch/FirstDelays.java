package io.tempolimit.watch;

import io.tempolimit.core.Key;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells of the first delay of a host, or of its first rejection, once each and for so many hosts: what happens, and which setting
 * changes it. Thread-safe, without a lock; when all is told, a question costs one read.
 */
final class FirstDelays {
    private static final int HOSTS = 20;

    private final Log log;
    private final Set<String> told = Collections.newSetFromMap(new ConcurrentHashMap<String, Boolean>());
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean done;

    FirstDelays(Log log) {
        this.log = log;
        this.done = !log.isInfo();
    }

    void delayed(Key key, long waitNanos, Rejection why, boolean dryRun) {
        if (isFirst(key, why)) {
            tell(key, why, dryRun, (dryRun ? "would wait " : "waits ")
                    + (waitNanos == Listener.UNKNOWN ? "until another one is over" : Human.duration(waitNanos)));
        }
    }

    void rejected(Key key, Rejection why, boolean dryRun) {
        if (isFirst(key, why)) {
            tell(key, why, dryRun, dryRun ? "would be rejected" : "is rejected");
        }
    }

    /** Whether this is the host's first line. A cooldown has a line of its own. */
    private boolean isFirst(Key key, Rejection why) {
        return !done && !told.contains(key.name())
                && !(why == Rejection.HOST_COOLING_DOWN && key.stats().cooldownRemainingNanos > 0) && told.add(key.name());
    }

    private void tell(Key key, Rejection why, boolean dryRun, String thisOne) {
        Limit limit = key.limit();
        if (limit == null) {
            return;
        }
        int n = count.incrementAndGet();
        if (n <= HOSTS) {
            log.info(line(key, limit, thisOne, why, dryRun));
        } else if (n == HOSTS + 1) {
            done = true;
            log.info("More hosts are held, and get no line here; the report at the end, JMX and events= name them");
        }
    }

    private static String line(Key key, Limit limit, String thisOne, Rejection why, boolean dryRun) {
        String host = key.host(); // null if it may be any
        String setting = setting(key, limit, why);
        return key.name() + ": " + (dryRun ? "would be " : "") + held(key, limit, why) + ", this one " + thisOne
                + "; set " + setting + " "
                + (host == null ? "" : "or domain." + host + "." + setting + " ") + "to change that"
                + (host == null ? "" : ", exclude=" + host + " to leave it alone");
    }

    private static String held(Key key, Limit limit, Rejection why) {
        switch (why) {
            case WINDOW_EXCEEDED:
                return "held by its window";
            case CONCURRENCY_LIMIT_EXCEEDED:
                Policy policy = key.policy(); // null if it is left out by now
                return policy == null || policy.concurrency() == Integer.MAX_VALUE ? "held by the requests in flight"
                        : "held to " + Human.count(policy.concurrency()) + " in flight";
            case HOST_COOLING_DOWN: // its host does not cool down
                return "held by a redirect that asks to be followed later";
            default:
                return "held to " + Human.rate(limit.rate()) + " (burst " + Human.count(limit.burst()) + ")";
        }
    }

    /** What changes it. A limit below that of the settings does not rise with them. */
    private static String setting(Key key, Limit limit, Rejection why) {
        KeyStats stats = key.stats();
        switch (why) {
            case WINDOW_EXCEEDED:
                return "window=";
            case CONCURRENCY_LIMIT_EXCEEDED:
                return stats.learnedInFlight > 0 ? "learn=false" : "concurrency=";
            case HOST_COOLING_DOWN:
                return "retry-after.max=";
            default:
                return limit.rate() >= stats.rate ? "rate="
                        : stats.learnedRate > 0 ? "learn=false" : stats.crawlDelayMillis > 0 ? "robots=off" : "rate=";
        }
    }
}
