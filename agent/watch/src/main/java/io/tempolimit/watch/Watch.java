package io.tempolimit.watch;

import io.tempolimit.core.Fleet;
import io.tempolimit.core.FleetSettings;
import io.tempolimit.core.Hosts;
import io.tempolimit.core.Key;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.Limit;
import io.tempolimit.core.Limiter;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Policy;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.Target;
import io.tempolimit.core.ThisProcess;
import io.tempolimit.detect.Announced;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Verdict;
import io.tempolimit.jfr.FlightEvents;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sees to it that people can see what the agent does. Hears the limiter, and those who weave and configure.
 *
 * <p>Thread-safe. No method throws, waits for a lock that is held for long, or waits for a disk, but for the log's own
 * lines, which take what their stream takes. While events are off and a host's line is told, a delay allocates nothing.
 */
public final class Watch implements Listener {
    private static final long DRAIN_MILLIS = 2_000;
    /** So many hosts get a line. */
    private static final int UNSEEN_HOSTS = 20;
    private static final boolean JAVA_11 = !System.getProperty("java.specification.version").startsWith("1.")
            && Integer.parseInt(System.getProperty("java.specification.version")) >= 11;
    private final Options options;
    private final Log log;
    /** Null if {@code events} is not set. */
    private final EventLog events;
    /** Null if nobody shows them. */
    private volatile LastVerdicts verdicts;
    private final FirstDelays firstDelays;
    /** When the keys that rest began to, by the clock of {@link System#nanoTime}; core tells only when they end. */
    private final ConcurrentHashMap<Key, Long> resting = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<WovenClient> woven = new CopyOnWriteArrayList<>();
    /** Client to reason. */
    private final ConcurrentHashMap<String, String> unpaced = new ConcurrentHashMap<>();
    private final AtomicInteger unseen = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Limiter limiter;
    /** Null without a fleet. */
    private volatile FleetSettings shares;
    /** What the last event said of it; null while it decides. Only the fleet's thread uses it. */
    private String lost;
    private volatile boolean recorder;
    private volatile boolean jmxFailed;
    private volatile boolean report = true;
    private volatile String reportFile;

    /** Starts the event log's thread if {@code events} is set; else does nothing that takes time. */
    public Watch(Options options) {
        this.options = options;
        this.log = new Log(options.err, options.logLevel, options.logFile);
        this.events = options.events == null ? null : new EventLog(options, log);
        this.firstDelays = new FirstDelays(log);
    }

    /** The limiter that this listens to, which is made with it as its listener. Until then there are no statistics. */
    public void limiter(Limiter l) {
        limiter = l;
    }

    /** What holds while Redis does not decide; to be told before there is a fleet. */
    public void shares(FleetSettings by) {
        shares = by;
    }

    /**
     * What is told at the end: by default a summary on standard error, if there is anything to tell.
     *
     * @param file where all statistics go as well, as JSON; null for nowhere
     */
    public void report(boolean on, String file) {
        report = on;
        reportFile = file;
    }

    /** The agent's log. */
    public Log log() {
        return log;
    }

    /** From now on the last blocks are kept, for who shows them. */
    public void keepVerdicts() {
        verdicts = new LastVerdicts();
    }

    /** The last blocks; null unless {@link #keepVerdicts} has asked for them. */
    public LastVerdicts verdicts() {
        return verdicts;
    }

    /**
     * An operator's actions.
     *
     * @param way by which the operator comes, for the log
     */
    public LimiterControl control(String way) {
        return new Control(limiter, this, way);
    }

    // ---- from the limiter

    @Override
    public void delayed(Key key, long expectedWaitNanos, Rejection why) {
        try {
            if (!resting.containsKey(key)) { // else it waits for the end of a cooldown, which was told
                firstDelays.delayed(key, expectedWaitNanos, why, dryRun());
            }
        } catch (Throwable e) {
            trouble(e);
        }
    }

    @Override
    public void leftOut(String host, String why) {
        log.info(host + " is not paced: " + why);
    }

    @Override
    public void unseen(String host, String by, boolean http2) {
        try {
            if (events != null) {
                events.add(new Event("unseen", null, host, dryRun(), "by", by, "http2", http2 ? Boolean.TRUE : null));
            }
            int n = unseen.incrementAndGet();
            if (n <= UNSEEN_HOSTS) {
                log.warn("not paced: " + (http2 ? "HTTP/2 connection to " : "") + host + ", by " + by
                        + "; Tempolimit does not weave what sends this. exclude=" + host + " or clients=-watch silences this");
            } else if (n == UNSEEN_HOSTS + 1) {
                log.warn("not paced: further hosts, which are not told here (the status page, JMX and events= tell)");
            }
        } catch (Throwable e) {
            trouble(e);
        }
    }

    @Override
    public Object waits(Key key) {
        try {
            return recorder ? FlightEvents.waits() : null;
        } catch (Throwable e) {
            noRecorder(e);
            return null;
        }
    }

    @Override
    public void throttled(Key key, Target target, long waitedNanos, Object begun) {
        if (events != null) {
            event("throttled", key, target, "wait_ms", (waitedNanos + 500_000) / 1_000_000);
        }
        if (recorder) {
            try {
                FlightEvents.waited(begun, key.name(), host(key, target), waitedNanos, dryRun());
            } catch (Throwable e) {
                noRecorder(e);
            }
        }
    }

    @Override
    public void blocked(Key key, Target target, Finding finding, int consecutive, boolean counts) {
        try {
            if (events != null) {
                event("blocked", key, target, "type", finding.verdict().type(), "counts", counts, "vendor", finding.vendor(),
                        "rule", finding.rule(), "evidence", finding.evidence(), "status", finding.status(),
                        "url", target.url(), "consecutive", consecutive);
            }
            if (recorder && FlightEvents.blocks()) {
                FlightEvents.blocked(key.name(), host(key, target), finding.verdict().type(), counts, finding.vendor(), finding.rule(),
                        finding.evidence(), finding.status(), target.url(), consecutive, dryRun());
            }
            LastVerdicts last = verdicts;
            if (last != null) {
                last.add(key, target, finding, consecutive, counts);
            }
            if (log.isDebug()) {
                log.debug(key.name() + ": " + finding.verdict().type() + " (" + (counts ? consecutive + " in a row" : "does not count")
                        + (finding.rule() == null ? "" : "; rule " + finding.rule() + ", " + finding.evidence()) + "): " + target.url());
            }
        } catch (Throwable e) {
            trouble(e);
        }
    }

    @Override
    public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
        try {
            boolean rested = resting.putIfAbsent(key, System.nanoTime()) != null;
            boolean dry = dryRun();
            if (events != null) {
                event((dry ? "would_" : "") + (refusing ? "circuit_opened" : "cooldown_started"), key, null,
                        "duration_ms", durationNanos / 1_000_000, "reason", reason, "rung", rung);
            }
            if (recorder) {
                FlightEvents.cooldown(key.name(), refusing ? "circuit_open" : "cooling_down", durationNanos, reason, rung, dry);
            }
            log.warn(key.name() + ": " + (dry ? "would rest " : "rests ") + Human.duration(durationNanos) + " ("
                    + because(key, reason, rested) + ")"
                    + (refusing ? "; requests are rejected until then" : ""));
        } catch (Throwable e) {
            trouble(e);
        }
    }

    @Override
    public void lifetimeBlocked(Key key, String reason) {
        try {
            resting.putIfAbsent(key, System.nanoTime());
            boolean dry = dryRun();
            if (events != null) {
                event(dry ? "would_lifetime_blocked" : "lifetime_blocked", key, null, "reason", reason);
            }
            if (recorder) {
                FlightEvents.cooldown(key.name(), "lifetime_blocked", 0, reason, 0, dry);
            }
            log.warn(key.name() + ": " + (dry ? "would be blocked" : "is blocked") + " for good (" + because(key, reason, false)
                    + "); each request is rejected until the JMX operation reset");
        } catch (Throwable e) {
            trouble(e);
        }
    }

    private static String host(Key key, Target target) {
        String host = target == null ? null : Hosts.canonical(target.host());
        return host != null ? host : key.name();
    }

    private static String because(Key key, String reason, boolean rested) {
        if (reason.equals(OPERATOR)) {
            return "an operator has paused it";
        }
        if (reason.equals(FLEET)) {
            return "another program that shares this limit was blocked";
        }
        if (reason.equals(BUDGET)) {
            return "before the site blocks: it gives so many pages, and then none for a while";
        }
        for (Verdict verdict : Verdict.values()) {
            if (verdict.trouble() && reason.equals(verdict.type())) {
                return rested ? "once more: the request sent to see whether it is over got " + reason : "it failed: " + reason;
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

    @Override
    public void cooldownEnded(Key key) {
        try {
            Long since = resting.remove(key);
            boolean dry = dryRun();
            if (events != null) {
                event(dry ? "would_cooldown_ended" : "cooldown_ended", key, null);
            }
            if (log.isInfo()) {
                log.info(key.name() + ": " + (dry ? "would be open again" : "is open again")
                        + (since == null ? "" : " after " + Human.duration(System.nanoTime() - since)) + learned(key));
            }
        } catch (Throwable e) {
            trouble(e);
        }
    }

    @Override
    public void streamClosed(Key key, String why) {
        if (log.isDebug()) {
            log.debug(key.name() + ": an event stream was " + why);
        }
    }

    @Override
    public void suspicious(Key key, String why) {
        warning(key.name() + ": a user agent that many sites refuse at sight (" + why
                + "); one that names a contact is fine. user-agent.check= changes that");
    }

    /** What was learnt of the site's limit, if that is less than what the settings allow. */
    private static String learned(Key key) {
        Policy policy = key.policy();
        Limit limit = key.limit();
        return policy == null || limit == policy.limit() ? "" : ", at " + Human.rate(limit.rate()) + ", which it seems to tolerate (learn=)";
    }

    @Override
    public void crawlDelay(Key key, int millis) {
        try {
            if (log.isInfo()) {
                log.info(key.name() + ": its robots.txt asks for " + (millis == 0 ? "no delay any more" : Human.duration(millis * 1_000_000L) + " between requests")
                        + "; held to " + Human.rate(key.limit().rate()) + (millis == 0 ? "" : ". robots=off changes that"));
            }
        } catch (Throwable e) {
            trouble(e);
        }
    }

    @Override
    public void announced(Key key, Announced says) {
        try {
            if (log.isInfo()) {
                log.info(key.name() + ": the site allows " + says.remaining() + (says.remaining() == 1 ? " more request" : " more requests")
                        + " in the next " + Human.duration(says.nanos()) + "; held to " + Human.rate(key.limit().rate())
                        + ". learn=false or retry-after.max=0 changes that");
            }
        } catch (Throwable e) {
            trouble(e);
        }
    }

    @Override
    public void notFromSpeed(Key key) {
        warning(key.name() + ": blocks come as often at a lower rate, so they do not come from speed; the rate is " + Human.rate(key.limit().rate())
                + " again. learn=false keeps it from being lowered at all");
    }

    @Override
    public void rejected(Key key, Target target, Rejection code) {
        if (events != null) {
            event("rejected", key, target, "code", code.name());
        }
        if (recorder) {
            try {
                FlightEvents.rejected(key.name(), host(key, target), code.name(), dryRun());
            } catch (Throwable e) {
                noRecorder(e);
            }
        }
    }

    @Override
    public void evicted(Key key) {
        resting.remove(key);
        if (events != null) {
            event("evicted", key, null);
        }
    }

    @Override
    public void unreadable(Key key) {
        warning(key.name() + ": what was kept of it over the restart cannot be read, or not all; that part begins anew");
    }

    @Override
    public void nearlyFull(int keys, int maxKeys) {
        warning(Human.count(keys) + " of " + Human.count(maxKeys)
                + " hosts are remembered; beyond that the longest unused are forgotten. max-keys= changes that");
    }

    @Override
    public void fleetLost(Fleet.State how, String why) {
        if (events != null && !why.equals(lost)) {
            event("redis_lost", null, null, "reason", why);
        }
        lost = why;
        if (how == Fleet.State.REFUSED) {
            log.error("Redis cannot be used: " + why + ". Until that is changed, this JVM is alone: " + holds());
        } else if (how == Fleet.State.CONNECTING) {
            log.warn("Redis is not reached yet (" + why + "). Until it is, this JVM is alone: " + holds()
                    + ". redis.start= makes requests wait for longer");
        } else {
            log.warn("Redis does not answer (" + why + "). Until it does, this JVM is alone: " + holds()
                    + ". redis.fallback= changes that");
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
                    + " of each rate and no burst, for it does not know how many share it; redis.workers= says so";
        }
        return (parts == 1 ? "it takes the whole of each rate" : "it takes a share of each rate, that of one worker in " + parts)
                + (counted ? "" : ", and no burst");
    }

    @Override
    public void fleetRestored(boolean again) {
        lost = null;
        if (!again) {
            log.debug("Redis answers; limits are shared");
            return;
        }
        if (events != null) {
            event("redis_restored", null, null);
        }
        log.info("Redis answers again; limits are shared");
    }

    @Override
    public void fleetWarning(String text) {
        warning(text);
    }

    // ---- from the rest of the agent

    /** Flight Recorder is in use in this JVM; before, to ask whether it records would load it, which takes as long as a program's start. */
    public void flightRecorderExists() {
        recorder = JAVA_11;
    }

    private void noRecorder(Throwable e) {
        recorder = false;
        log.onceAMinute("recorder", "Flight Recorder is told of nothing more", e);
    }

    /** The agent is ready. */
    public void started() {
        if (events != null) {
            event("started", null, null, "version", options.version, "java", System.getProperty("java.version"), "pid",
                    ThisProcess.pidOnLinux());
        }
        if (log.isDebug()) {
            log.debug("Tempolimit " + options.version + " on Java " + System.getProperty("java.version"));
        }
    }

    /**
     * A client's requests go through the gate; told once for each version.
     *
     * @param version may be null
     */
    public void clientWoven(String client, String version) {
        if (!woven.addIfAbsent(new WovenClient(client, version))) {
            return;
        }
        if (events != null) {
            event("client_woven", null, null, "client", client, "version", version);
        }
        if (log.isDebug()) {
            log.debug(client + (version == null ? "" : " " + version) + " is paced");
        }
    }

    /** A client is not paced; told once for each client. */
    public void notPaced(String client, String reason) {
        if (unpaced.putIfAbsent(String.valueOf(client), reason) == null) {
            warning(client + " is not paced: " + reason);
        }
    }

    /** A client is left alone, for it is part of another agent. */
    public void spared(String client) {
        if (log.isDebug()) {
            log.debug(client + " belongs to another agent and is left alone");
        }
    }

    /** An error inside the agent, which harmed nobody but the pacing of a request; told once a minute for each kind. */
    public void trouble(Throwable error) {
        log.onceAMinute(error.getClass().getName(), "An error inside Tempolimit; the request went on", error);
    }

    /**
     * New settings hold.
     *
     * @param how     where they come from
     * @param changes what is another one by them, secrets masked; may be empty
     */
    public void configReloaded(String how, List<String> changes) {
        if (events != null) {
            event("config_reloaded", null, null, "changes", new ArrayList<>(changes));
        }
        log.info(how + (changes.isEmpty() ? "; all settings that can change now are as they were" : ": " + String.join(", ", changes)));
    }

    /**
     * The configuration file was read anew, and refused whole.
     *
     * @param faults a line each, secrets masked
     */
    public void configRefused(List<String> faults) {
        if (events != null) {
            event("config_refused", null, null, "faults", new ArrayList<>(faults));
        }
        StringBuilder text = new StringBuilder("config has changed and is refused; the settings before it stay");
        String separator = ": ";
        for (String fault : faults) {
            text.append(separator).append(fault);
            separator = "; ";
        }
        log.warn(text.toString());
    }

    /** What the user should know, and who reads events as well. */
    public void warning(String text) {
        if (events != null) {
            event("warning", null, null, "message", text);
        }
        log.warn(text);
    }

    /**
     * Puts the statistics on the platform's MBean server. May take long, so call it on a thread that nobody waits for; where
     * there is no module {@code java.management}, or no right to do so, does nothing.
     *
     * @return false if it may be tried again, for memory was short, say. The first such failure is told
     */
    public boolean registerJmx() {
        try {
            Jmx.register(limiter, this);
            return true;
        } catch (LinkageError e) {
            log.debug("No JMX: there is no java.management here");
            return true;
        } catch (Throwable e) {
            boolean again = !(e instanceof SecurityException);
            if (!jmxFailed) {
                jmxFailed = true;
                log.onceAMinute("jmx", again ? "The statistics cannot be shown by JMX yet" : "The statistics cannot be shown by JMX", e);
            }
            return !again;
        }
    }

    /** The JVM ends: writes the events that are still queued, waiting 2 s at most, and the report. Later calls do nothing. */
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            if (events != null && !events.close(DRAIN_MILLIS)) {
                log.warn("events: not all were written, it took too long");
            }
            Limiter l = limiter;
            String file = reportFile;
            if (file != null && l != null) {
                writeReport(new File(file), StatsJson.of(l, this));
            }
            if (report && l != null) {
                String report = Report.notPaced(l.unseen()) + Report.of(stats(l), l.evictions(), l.leftOut(), l.dryRun());
                if (!report.isEmpty()) {
                    log.print(report, DRAIN_MILLIS);
                }
            }
        } catch (Throwable e) {
            log.onceAMinute("report", "There is no report", e);
        }
        log.flush(DRAIN_MILLIS);
    }

    private void writeReport(File file, String statistics) {
        try {
            OwnFile.replace(file, statistics + '\n');
        } catch (IOException e) {
            log.warn("report cannot be written to " + file + ": " + e.getMessage());
        }
    }

    /** The statistics of all keys, each as of its own moment. */
    static List<KeyStats> stats(Limiter limiter) {
        List<KeyStats> all = new ArrayList<>();
        for (Key key : limiter.keys()) {
            all.add(key.stats());
        }
        return all;
    }

    /** The agent's version. */
    public String version() {
        return options.version;
    }

    List<WovenClient> wovenClients() {
        return woven;
    }

    /** The clients whose requests go through the gate, with their versions, in the order in which they were met. */
    public List<String> woven() {
        List<String> names = new ArrayList<>();
        for (WovenClient client : woven) {
            names.add(client.toString());
        }
        return names;
    }

    /** The clients that were met and are not paced, and why. */
    public Map<String, String> unpaced() {
        return new TreeMap<>(unpaced);
    }

    private boolean dryRun() {
        Limiter l = limiter;
        return l != null && l.dryRun();
    }

    /** Call it only if there are events: what is passed costs, too. */
    private void event(String name, Key key, Target target, Object... fields) {
        try {
            String host = target == null ? null : Hosts.canonical(target.host());
            events.add(new Event(name, key == null ? null : key.name(),
                    host != null ? host : key == null ? null : key.host(), dryRun(), fields));
        } catch (Throwable e) {
            trouble(e);
        }
    }
}
