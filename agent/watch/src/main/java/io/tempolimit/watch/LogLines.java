package io.tempolimit.watch;

import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.detect.Announced;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Verdict;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What happens, as lines for the agent's {@link Log}. */
final class LogLines implements Listener {
    /** So many hosts get a line. */
    private static final int UNSEEN_HOSTS = 20;
    /** A rest that is shorter is over when somebody reads of it. */
    private static final long SHORTEST_REST = 1_000_000;
    /** Several answers that were on their way together bring the same rest, each a little later. That is told once. */
    private static final long SAME_END = 1_000_000_000;

    private final Log log;
    /** Null before the first of them. */
    private volatile FirstDelays firstDelays;
    /** The same for requests that are rejected for a limit. */
    private volatile FirstDelays firstRejections;
    /** The cooldowns of keys; core tells only when they end. */
    private final ConcurrentHashMap<Key, Rest> cooling = new ConcurrentHashMap<>();
    private final AtomicInteger unseen = new AtomicInteger();
    private volatile Limiter limiter;
    /** Null without a fleet. */
    private volatile FleetSettings shares;
    private volatile boolean pacesUnknown;

    LogLines(Log log) {
        this.log = log;
    }

    /** A cooldown, or a shorter rest. Times are by {@link System#nanoTime}. */
    private static final class Rest {
        final long since = System.nanoTime();
        volatile long until = since;
    }

    void limiter(Limiter l) {
        limiter = l;
    }

    void shares(FleetSettings by) {
        shares = by;
    }

    void pacesUnknown() {
        pacesUnknown = true;
    }

    // ---- from the limiter: waits and blocks

    @Override
    public void leftOut(String host, String why) {
        log.info(host + " is not paced: " + why);
    }

    @Override
    public void unseen(String host, String by, boolean http2) {
        int n = unseen.incrementAndGet();
        if (n <= UNSEEN_HOSTS) {
            log.warn((http2 ? "HTTP/2 connection to " + host + " by " + by + ": not paced"
                    : "not paced: " + host + ", by " + by + (pacesUnknown ? "; clients=unknown cannot hold its thread or channel"
                    : "; clients=unknown paces it where its thread may wait"))
                    + "; exclude=" + host + " or clients=-watch silences this");
        } else if (n == UNSEEN_HOSTS + 1) {
            log.warn("not paced: more hosts, which get no line here; the status page, JMX and events= name them");
        }
    }

    @Override
    public void delayed(Key key, long expectedWaitNanos, Rejection why) {
        boolean delay = expectedWaitNanos == UNKNOWN || expectedWaitNanos >= DELAY;
        if (delay && !cooling.containsKey(key)) { // else it waits for the end of a cooldown, which was told
            FirstDelays delays = firstDelays;
            (delays != null ? delays : firstDelays()).delayed(key, expectedWaitNanos, why, dryRun());
        }
    }

    @Override
    public void rejected(Key key, Target target, Rejection code) {
        if (code.ofLimit()) { // a cooldown was told, and what deny says is meant
            FirstDelays rejections = firstRejections;
            (rejections != null ? rejections : firstRejections()).rejected(key, code, dryRun());
        }
    }

    private synchronized FirstDelays firstRejections() {
        if (firstRejections == null) {
            firstRejections = new FirstDelays(log);
        }
        return firstRejections;
    }

    private synchronized FirstDelays firstDelays() {
        if (firstDelays == null) {
            firstDelays = new FirstDelays(log);
        }
        return firstDelays;
    }

    @Override
    public void blocked(Key key, Target target, Finding finding, int consecutive, boolean counts) {
        if (log.isDebug()) {
            String count = counts ? consecutive + " in a row" : "does not count";
            String rule = finding.rule() == null ? "" : "; rule " + finding.rule() + ", " + finding.evidence();
            log.debug(key.name() + ": " + finding.verdict().type() + " (" + count + rule + "): " + target.url());
        }
    }

    @Override
    public void streamClosed(Key key, String why) {
        if (log.isDebug()) {
            log.debug(key.name() + ": an event stream was " + why);
        }
    }

    // ---- from the limiter: cooldowns

    @Override
    public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
        Rest rest = new Rest();
        Rest before = cooling.putIfAbsent(key, rest);
        long until = rest.since + durationNanos;
        boolean again = before != null;
        boolean other = !again || Math.abs(until - before.until) >= SAME_END;
        (again ? before : rest).until = until;
        // A shorter rest, after a first block or a 5xx, is no cooldown for the statistics either.
        boolean cooldown = rung > 0 || reason.equals(OPERATOR);
        String why = cooldown || !reason.equals(FLEET) ? because(key, reason, again) : "another program that shares this limit pauses";
        String line = key.name() + ": " + (dryRun() ? "would be " : "") + (cooldown ? "in cooldown " : "held ")
                + (durationNanos < SHORTEST_REST ? "until a request has shown that it is over" : "for " + Human.duration(durationNanos))
                + " (" + why + ")" + (refusing ? "; requests are rejected until then" : "");
        if (cooldown) {
            log.warn(line);
        } else if (other) {
            log.info(line);
        }
    }

    @Override
    public void lifetimeBlocked(Key key, String reason) {
        cooling.putIfAbsent(key, new Rest());
        log.warn(key.name() + ": " + (dryRun() ? "would be blocked" : "is blocked") + " for good ("
                + because(key, reason, false) + "); each request is rejected until the JMX operation reset");
    }

    private static String because(Key key, String reason, boolean again) {
        if (reason.equals(OPERATOR)) {
            return "an operator has paused it";
        }
        if (reason.equals(FLEET)) {
            return "another program that shares this limit was blocked";
        }
        if (reason.equals(BUDGET)) {
            return "before the site blocks: it gives a number of pages, and then none for a while";
        }
        for (Verdict verdict : Verdict.values()) {
            if (verdict.trouble() && reason.equals(verdict.type())) {
                return (again ? "once more: the probe " : "a request ") + met(verdict);
            }
        }
        for (Rejection code : Rejection.values()) {
            if (code.ofLimit() && reason.equalsIgnoreCase(code.name())) {
                return "its requests were rejected again and again";
            }
        }
        int n = key.stats().consecutiveBlocks;
        return n <= 1 ? "blocked: " + reason : n + " blocks in a row, last " + reason;
    }

    private static String met(Verdict trouble) {
        return trouble == Verdict.SERVER_OVERLOAD ? "got a 5xx"
                : trouble == Verdict.TIMEOUT ? "got no answer in time" : "failed on its connection";
    }

    @Override
    public void cooldownEnded(Key key) {
        Rest rest = cooling.remove(key);
        if (log.isInfo()) {
            log.info(key.name() + ": " + (dryRun() ? "would be open again" : "is open again")
                    + (rest == null ? "" : " after " + Human.duration(System.nanoTime() - rest.since)) + learned(key));
        }
    }

    /** What was learnt of the site's limits, if that is less than what the settings allow. */
    private static String learned(Key key) {
        Policy policy = key.policy();
        if (policy == null) {
            return "";
        }
        Limit limit = key.limit();
        String what = (limit == policy.limit() ? "" : ", at " + Human.rate(limit.rate()) + ", which it seems to tolerate")
                + (policy.flightLearned() ? ", with at most " + policy.concurrency() + " in flight, since it refused more" : "");
        return what.isEmpty() ? "" : what + " (see help learn)";
    }

    @Override
    public void evicted(Key key) {
        cooling.remove(key);
    }

    // ---- from the limiter: what sites say

    @Override
    public void crawlDelay(Key key, int millis) {
        if (log.isInfo()) {
            String delay = millis == 0 ? "no delay any more" : Human.duration(millis * 1_000_000L);
            log.info(key.name() + ": its robots.txt asks for " + delay + " between requests; held to "
                    + Human.rate(key.limit().rate()) + (millis == 0 ? "" : ". robots=off changes that"));
        }
    }

    @Override
    public void unreadableEncoding(Key key, String encoding) {
        String name = encoding.length() <= 20 && encoding.chars().allMatch(c -> c > ' ' && c < 0x7f) ? encoding : "an unknown encoding";
        log.info(key.name() + ": its answers come in " + name + ", which Tempolimit does not read. Blocks are told by status and headers"
                + " there. Accept-Encoding: gzip, deflate, br changes that");
    }

    @Override
    public void announced(Key key, Announced says) {
        if (log.isInfo()) {
            String requests = says.remaining() + (says.remaining() == 1 ? " more request" : " more requests");
            log.info(key.name() + ": the site allows " + requests + " in the next " + Human.duration(says.nanos())
                    + "; held to " + Human.rate(key.limit().rate()) + ". learn=false or retry-after.max=0 changes that");
        }
    }

    // ---- from the limiter: the fleet

    @Override
    public void fleetLost(Fleet.State how, String why) {
        if (how == Fleet.State.REFUSED) {
            log.error("Redis cannot be used: " + why + ". Until that is changed, this JVM is alone: " + holds());
        } else if (how == Fleet.State.CONNECTING) {
            log.warn("Redis is not reached yet (" + why + "). Until it is, this JVM is alone: " + holds()
                    + ". redis.start makes requests wait for longer");
        } else {
            log.warn("Redis does not answer (" + why + "). Until it does, this JVM is alone: " + holds()
                    + ". redis.fallback changes that");
        }
    }

    private String holds() {
        Limiter l = limiter;
        Fleet fleet = l == null ? null : l.fleet();
        FleetSettings by = shares;
        if (by.fallback() == FleetSettings.Fallback.REJECT) {
            return "requests are rejected";
        }
        boolean counted = fleet != null && fleet.counted();
        int parts = fleet == null ? 1 : by.parts(fleet);
        if (by.fallback() == FleetSettings.Fallback.SHARE && !counted && by.workers() == FleetSettings.UNKNOWN) {
            return "it takes " + (parts <= 10 ? "a tenth" : "one part in " + parts)
                    + " of each rate and no burst, because it does not know how many share it; set redis.workers";
        }
        return (parts == 1 ? "it takes the whole of each rate" : "it takes a share of each rate, that of one worker in " + parts)
                + (counted ? "" : ", and no burst");
    }

    @Override
    public void fleetRestored(boolean again) {
        if (again) {
            log.info("Redis answers again; limits are shared");
        } else {
            log.debug("Redis answers; limits are shared");
        }
    }

    // ---- from the rest of the agent

    void started(String version) {
        if (log.isDebug()) {
            log.debug("Tempolimit " + version + " on Java " + System.getProperty("java.version"));
        }
    }

    void clientWoven(String client, String version) {
        if (log.isDebug()) {
            log.debug(client + (version == null ? "" : " " + version) + " is paced");
        }
    }

    void configReloaded(String how, List<String> changes) {
        log.info(how + (changes.isEmpty() ? ", but no setting changes now"
                : ": " + String.join(", ", changes)));
    }

    void configRefused(List<String> faults) {
        log.warn("config has changed and is refused; the settings before it stay"
                + (faults.isEmpty() ? "" : ": " + String.join("; ", faults)));
    }

    private boolean dryRun() {
        Limiter l = limiter;
        return l != null && l.dryRun();
    }
}
