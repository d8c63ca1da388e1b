package io.tempolimit.watch;

import io.tempolimit.core.Key;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.Listener;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.store.FleetSettings;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sees to it that people can see what the agent does. Hears the limiter, and those who weave and configure.
 *
 * <p>What the limiter tells goes on to one listener for each place where people look: {@link LogLines},
 * {@link EventLines}, {@link FlightRecorder} and {@link LastVerdicts}. What the user should know, and who reads events
 * as well, is a {@link #warning}.
 *
 * <p>Thread-safe. No method throws, waits for a lock that is held for long, or waits for a disk. While events are off
 * and a host's line is told, a delay allocates nothing.
 */
public final class Watch extends FanOut {
    private static final long DRAIN_MILLIS = 2_000;
    private final Options options;
    private final Log log;
    private final LogLines lines;
    /** Null if {@code events} is not set. */
    private final EventLines events;
    /** Null if nobody shows them. */
    private volatile LastVerdicts verdicts;
    private final CopyOnWriteArrayList<WovenClient> woven = new CopyOnWriteArrayList<>();
    /** Client to reason. */
    private final ConcurrentHashMap<String, String> unpaced = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Limiter limiter;
    /** Flight Recorder is in use, and its listener is still to be made. */
    private volatile boolean recorderToCome;
    private volatile boolean jmxFailed;
    private volatile boolean report = true;
    private volatile String reportFile;
    /** Null for JSON. */
    private volatile ReportPage reportPage;
    private final long started = System.currentTimeMillis();
    private final Health health = new Health();

    /** Starts the event log's thread if {@code events} is set; else does nothing that takes time. */
    public Watch(Options options) {
        this.options = options;
        this.log = new Log(options.err, options.logLevel, options.logFile, options.logMaxSize);
        this.lines = new LogLines(log);
        this.events = options.events == null ? null : new EventLines(new EventLog(options, log), log);
        if (events != null) {
            add(events);
        }
        add(lines);
    }

    /** The limiter that this listens to, which is made with it as its listener. Until then there are no statistics. */
    public void limiter(Limiter l) {
        limiter = l;
        lines.limiter(l);
        if (events != null) {
            events.limiter(l);
        }
    }

    /** What holds while Redis does not decide; to be told before there is a fleet. */
    public void shares(FleetSettings by) {
        lines.shares(by);
    }

    /** Requests of unknown clients are paced where they can be, so no line advises that. To be told before there are requests. */
    public void pacesUnknown() {
        lines.pacesUnknown();
    }

    /**
     * What is told at the end: by default a summary on standard error, if there is anything to tell.
     *
     * @param file where all statistics go as well; null for nowhere
     * @param page what is written there; null for JSON
     */
    public void report(boolean on, String file, ReportPage page) {
        report = on;
        reportFile = file;
        reportPage = page;
    }

    /** The agent's log. */
    public Log log() {
        return log;
    }

    /** From now on the last blocks are kept, for who shows them. */
    public synchronized void keepVerdicts() {
        if (verdicts == null) {
            LastVerdicts kept = new LastVerdicts();
            verdicts = kept;
            add(kept);
        }
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
    Listener[] hearers() {
        if (recorderToCome) {
            addRecorder();
        }
        return super.hearers();
    }

    private synchronized void addRecorder() {
        Limiter l = limiter;
        if (recorderToCome && l != null) {
            recorderToCome = false;
            add(new FlightRecorder(l, log));
        }
    }

    @Override
    public void suspicious(Key key, String why) {
        warning(key.name() + ": a user agent that many sites refuse (" + why
                + "); name your scraper and a contact in it, or set user-agent.check=off");
    }

    @Override
    public void notFromSpeed(Key key) {
        warning(key.name() + ": blocks come as often at a lower rate, so they do not come from speed; the rate is "
                + Human.rate(key.limit().rate()) + " again. learn=false never lowers it");
    }

    @Override
    public void unreadable(Key key) {
        warning(key.name() + ": some of what was kept of it over the restart cannot be read, and begins anew");
    }

    @Override
    public void nearlyFull(int keys, int maxKeys) {
        warning(Human.count(keys) + " of " + Human.count(maxKeys)
                + " hosts are remembered; beyond that Tempolimit forgets those that were unused for longest. max-keys changes that");
    }

    @Override
    public void fleetWarning(String text) {
        warning(text);
    }

    // ---- from the rest of the agent

    /**
     * Flight Recorder is in use in this JVM. Before that, to ask whether it records would load it, which takes as long
     * as a program's start. Loads nothing.
     */
    public void flightRecorderExists() {
        recorderToCome = true;
    }

    /** The agent is ready. */
    public void started() {
        if (events != null) {
            events.started(options.version);
        }
        lines.started(options.version);
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
            events.clientWoven(client, version);
        }
        lines.clientWoven(client, version);
    }

    /** A client is not paced; told once for each client. */
    public void notPaced(String client, String reason) {
        if (unpaced.putIfAbsent(String.valueOf(client), reason) == null) {
            warning(client + " is not paced: " + reason);
        }
    }

    /** What other clients send is not counted. To be told once. */
    public void notCounted(String what, String reason) {
        warning(what + " is not counted: " + reason);
    }

    /** A client is left alone, for it is part of another agent. */
    public void spared(String client) {
        if (log.isDebug()) {
            log.debug(client + " belongs to another agent and is left alone");
        }
    }

    /** An error inside the agent, which harmed nobody but the pacing of a request; told once a minute for each kind. */
    @Override
    public void trouble(Throwable error) {
        health.error();
        log.trouble(error);
    }

    /**
     * New settings hold.
     *
     * @param how     where they come from
     * @param changes what is another one by them, secrets masked; may be empty
     */
    public void configReloaded(String how, List<String> changes) {
        health.loaded();
        if (events != null) {
            events.configReloaded(changes);
        }
        lines.configReloaded(how, changes);
    }

    /**
     * The configuration file was read anew, and refused whole.
     *
     * @param faults a line each, secrets masked
     */
    public void configRefused(List<String> faults) {
        health.refuse();
        if (events != null) {
            events.configRefused(faults);
        }
        lines.configRefused(faults);
    }

    /** The configuration file was refused, and is again what it was before. */
    public void configRestored() {
        health.loaded();
    }

    /** What the user should know, and who reads events as well. */
    public void warning(String text) {
        if (events != null) {
            events.warning(text);
        }
        log.warn(text);
    }

    /**
     * Puts the statistics on the platform's MBean server. May take long, so call it on a thread that nobody waits for;
     * where there is no module {@code java.management}, or no right to do so, does nothing.
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

    /**
     * The JVM ends: writes the events that are still queued, waiting 2 s at most, and the report. Later calls do
     * nothing.
     */
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
                writeReport(new File(file), l);
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

    private void writeReport(File file, Limiter l) {
        ReportPage page = reportPage;
        try {
            OwnFile.replace(file, page == null ? StatsJson.of(l, this) + '\n' : page.html());
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

    /** When the agent began, in milliseconds since 1970. */
    public long startedMillis() {
        return started;
    }

    /** How the agent itself is. */
    public Health health() {
        return health;
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
}
