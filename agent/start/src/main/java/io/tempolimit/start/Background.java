package io.tempolimit.start;

import io.tempolimit.admin.RunReport;
import io.tempolimit.config.BadSettings;
import io.tempolimit.config.Fault;
import io.tempolimit.config.Setting;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.gate.Timer;
import io.tempolimit.state.StateFile;
import io.tempolimit.watch.Periodic;
import io.tempolimit.watch.Watch;
import io.tempolimit.weave.Reporter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** What goes on beside requests: JMX, the sweep, the settings' file, the end. */
final class Background implements Reporter {
    /** Loads when the platform's MBean server is made. */
    private static final String PLATFORM_SERVER = "com/sun/jmx/mbeanserver/JmxMBeanServer";
    /** Loads when Flight Recorder is first used. */
    private static final String RECORDER = "jdk/jfr/internal/PlatformRecorder";
    /** A program that ends sooner never pays for JMX (the contract's figure). */
    private static final long JMX_AFTER = 2_000_000_000L;
    /** Until it is tried again where it has failed, in milliseconds. */
    private static final long JMX_AGAIN = 5_000;
    /** Until a server that is being made is there. */
    private static final long MOMENT = 100_000_000L;
    /** How often the settings' file is looked at (the contract's figure), in milliseconds. */
    private static final long FILE_EVERY = 5_000;
    /** How often the file of the state is written, if anything has changed (the contract's figure), in milliseconds. */
    private static final long STATE_EVERY = 10_000;

    private final Watch watch;
    private final Limiter limiter;
    private final Timer timer;
    private final AtomicBoolean used = new AtomicBoolean();
    private final AtomicBoolean jmx = new AtomicBoolean();
    /** Changed under the lock, by the file or an attach. */
    private volatile Settings settings;
    /** Null if nothing is kept over restarts. */
    private volatile StateFile state;
    private volatile boolean stateFailed;
    /** Null unless the report is a page. */
    private RunReport page;

    Background(Watch watch, Limiter limiter, Timer timer, Settings settings) {
        this.watch = watch;
        this.limiter = limiter;
        this.timer = timer;
        this.settings = settings;
    }

    void start() {
        watch.started();
        report(settings);
        for (String warning : settings.warnings()) {
            watch.warning(warning);
        }
        // no lambdas at the start: the first of a JVM costs up to 100 ms
        Runtime.getRuntime().addShutdownHook(new Thread("tempolimit-end") {
            @Override
            public void run() {
                leaveFleet();
                keepState();
                watch.close();
            }
        });
        if (settings.state() != null && settings.fleet() == null) {
            openState(settings.state());
        }
        if (settings.config() != null) {
            new Periodic("tempolimit-config", FILE_EVERY, watch) {
                private String said;

                @Override
                protected boolean act() {
                    try {
                        reload();
                        if (said != null) {
                            said = null;
                            watch.configRestored();
                        }
                    } catch (BadSettings e) {
                        if (!e.getMessage().equals(said)) { // it stays faulty until somebody changes it
                            said = e.getMessage();
                            watch.configRefused(lines(e));
                        }
                    }
                    return true;
                }
            }.start();
        }
    }

    /** What there is to tell at the end. A page needs to see the run from its beginning, or from when it is asked for. */
    private void report(Settings now) {
        String file = now.reportFile();
        boolean html = file != null && (file.endsWith(".html") || file.endsWith(".htm"));
        if (html && page == null) {
            page = new RunReport(limiter, watch);
        }
        watch.report(now.report(), file, html ? page : null);
    }

    /** On this thread: what is in it holds for the first request. */
    private void openState(String path) {
        try {
            state = StateFile.open(path, limiter, new StateFile.Trouble() {
                @Override
                public void warning(String text) {
                    watch.warning(text);
                }
            });
        } catch (IOException e) {
            watch.warning("state=" + path + " is not used, and nothing is kept over a restart: " + e.getMessage());
            return;
        }
        new Periodic("tempolimit-state", STATE_EVERY, watch) {
            @Override
            protected boolean act() {
                try {
                    state.write();
                    stateFailed = false;
                } catch (IOException | RuntimeException e) {
                    stateFailed(e);
                }
                return true;
            }
        }.start();
    }

    private void leaveFleet() {
        try {
            limiter.leaveFleet();
        } catch (Throwable t) {
            watch.trouble(t);
        }
    }

    /** At the end. */
    private void keepState() {
        StateFile s = state;
        if (s != null) {
            try {
                s.close();
            } catch (IOException | RuntimeException e) {
                stateFailed(e);
            } catch (Error e) {
                watch.trouble(e);
            }
        }
    }

    /** Says it once, until it has worked again. */
    private void stateFailed(Exception e) {
        if (!stateFailed) {
            stateFailed = true;
            watch.warning("state=" + settings.state() + " cannot be written, the last state stays: " + e.getMessage());
        }
    }

    /** Classes whose loading is worth an action. */
    Map<String, Runnable> noticed() {
        Map<String, Runnable> noticed = new HashMap<>();
        noticed.put(PLATFORM_SERVER, platformServerExists());
        noticed.put(RECORDER, new Runnable() {
            @Override
            public void run() {
                watch.flightRecorderExists();
            }
        });
        return noticed;
    }

    private Runnable platformServerExists() {
        return new Runnable() {
            @Override
            public void run() {
                registerSoon(MOMENT);
            }
        };
    }

    @Override
    public void woven(String client, String version) {
        watch.clientWoven(client, version);
        begin();
    }

    @Override
    public void looksOn() {
        begin();
    }

    private void begin() {
        if (used.compareAndSet(false, true)) {
            registerSoon(JMX_AFTER);
            new Sweep().again();
        }
    }

    @Override
    public void notPaced(String client, String reason) {
        watch.notPaced(client, reason);
    }

    @Override
    public void notCounted(String what, String reason) {
        watch.notCounted(what, reason);
    }

    @Override
    public void spared(String client) {
        watch.spared(client);
    }

    @Override
    public void trouble(Throwable error) {
        watch.trouble(error);
    }

    private void registerSoon(long nanos) {
        timer.schedule(new Timer.Entry() {
            @Override
            protected void fire() {
                if (jmx.compareAndSet(false, true)) { // it takes longer than held calls may be kept waiting
                    try {
                        Thread t = new Thread(Background.this::registerJmx, "tempolimit-jmx");
                        t.setDaemon(true);
                        t.start();
                    } catch (Throwable noThread) {
                        jmx.set(false);
                        throw noThread; // for want of memory, or of threads, the timer fires this again
                    }
                }
            }
        }, Clock.SYSTEM.nanos() + nanos);
    }

    private void registerJmx() {
        while (!watch.registerJmx()) {
            try {
                Thread.sleep(JMX_AGAIN);
            } catch (InterruptedException e) {
                // then a little earlier: an application may interrupt all threads it finds
            }
        }
    }

    private final class Sweep extends Timer.Entry {
        @Override
        protected void fire() {
            limiter.sweep();
            again();
        }

        void again() {
            timer.schedule(this, Clock.SYSTEM.nanos() + settings.sweep());
        }
    }

    private static List<String> lines(BadSettings bad) {
        List<String> lines = new ArrayList<>();
        for (Fault fault : bad.faults()) {
            lines.add(fault.toString());
        }
        return lines;
    }

    private synchronized void reload() throws BadSettings {
        Settings now = settings.reload();
        if (now != settings) {
            List<String> changes = now.changesFrom(settings);
            settings = now;
            limiter.rules(now);
            report(now);
            watch.configReloaded("config has changed", changes);
            for (String key : now.restartNeeded()) {
                watch.warning(key + " has changed in " + now.config() + "; that needs a restart");
            }
            for (String warning : now.warnings()) {
                watch.warning(warning);
            }
        }
    }

    /**
     * An attach brings more arguments.
     *
     * @throws BadSettings if something is wrong in them, and then nothing changes
     */
    synchronized void change(String arguments, Reply reply) throws BadSettings {
        Settings before = settings;
        Settings now = add(arguments);
        reply.say("The agent runs in that JVM already.");
        List<String> changes = now.changesFrom(before);
        for (String change : changes) {
            reply.say("changed:     " + change);
        }
        boolean kept = false;
        for (String key : now.restartNeeded()) {
            if (Sources.names(arguments, key) || !before.restartNeeded().contains(key)) { // else it was told before
                kept = true;
                reply.say("not changed: " + key + ", which needs a restart");
            }
        }
        if (changes.isEmpty() && !kept) {
            reply.say("Nothing has changed.");
        }
        if (!changes.isEmpty()) {
            watch.configReloaded("An attach has brought other settings", changes);
        }
        tell(now, reply);
    }

    /**
     * The JVM's start brings more arguments: the agent is given twice, in the environment and on the command line. No request was
     * sent before.
     *
     * @throws BadSettings if something is wrong in them
     */
    synchronized void givenAgain(String arguments) throws BadSettings {
        Settings before = settings;
        Settings now = add(arguments);
        if (!now.restartNeeded().isEmpty()) {
            watch.warning("the agent is given twice (environment and command line). The second one cannot set "
                    + String.join(", ", now.restartNeeded()) + ": set that where the first one is given, or by -Dtempolimit.KEY");
        }
        for (String warning : now.warnings()) {
            if (!before.warnings().contains(warning)) {
                watch.warning(warning);
            }
        }
    }

    private Settings add(String arguments) throws BadSettings {
        Settings now = settings.with(arguments);
        settings = now;
        limiter.rules(now);
        report(now);
        // What an operator has said by JMX is stronger than settings, but not than what he says now.
        if (Sources.names(arguments, "enabled")) {
            limiter.setEnabled(now.enabled());
        }
        if (Sources.names(arguments, "dry-run")) {
            limiter.setDryRun(now.dryRun());
        }
        return now;
    }

    /** What the first attach has done. */
    void started(Reply reply) {
        reply.say("The agent runs in that JVM now.");
        for (Setting s : settings.describe()) {
            if (!s.isDefault()) {
                reply.say("setting:     " + s.key() + "=" + s.value() + " (" + s.source() + ")");
            }
        }
        tell(settings, reply);
    }

    private void tell(Settings now, Reply reply) {
        for (String client : watch.woven()) {
            reply.say("woven:       " + client);
        }
        for (Map.Entry<String, String> e : watch.unpaced().entrySet()) {
            reply.say("not paced:   " + e.getKey() + ": " + e.getValue());
        }
        for (String warning : now.warnings()) {
            reply.say("warning:     " + warning);
        }
        if (!limiter.enabled()) {
            reply.say("Nothing is paced: enabled=false");
        } else if (limiter.dryRun()) {
            reply.say("Nothing is held: dry-run=true");
        }
    }
}
