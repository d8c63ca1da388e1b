package io.tempolimit.start;

import io.tempolimit.AgentCode;
import io.tempolimit.admin.Admin;
import io.tempolimit.clients.sockets.Sockets;
import io.tempolimit.config.BadSettings;
import io.tempolimit.config.Fault;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.runtime.ProgramStart;
import io.tempolimit.core.runtime.RandomSource;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.gate.Timer;
import io.tempolimit.watch.Options;
import io.tempolimit.watch.Watch;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Transformer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.instrument.Instrumentation;

/** Puts the parts together. Made by the launcher, by name. */
public final class Start implements AgentCode {
    /** A client looks no longer for a connection, as a rule. */
    private static final long ATTACHED = 10_000_000_000L;

    /** Null while nothing runs. */
    private Background background;
    /** What the JVM's start has said; null before. */
    private Sources given;

    /**
     * The agent's start: reads the settings, and weaves. Whatever can wait waits until the first request of a woven client. A JVM
     * whose environment and command line both give the agent calls this twice. Then the later arguments are added to the earlier
     * ones, and of the same key the later one holds.
     *
     * @param arguments what stands behind {@code =} on the command line; may be null
     * @param version   of the agent
     * @throws Exception an error of ours; the launcher says so, and the application runs without the agent
     */
    @Override
    public void premain(String arguments, Instrumentation instrumentation, String version) throws Exception {
        String more = arguments == null ? "" : arguments;
        given = given == null ? Sources.ofJvm(more) : given.with(more);
        if (background == null && given.disabled()) {
            return;
        }
        Settings settings;
        try {
            if (background != null) {
                background.givenAgain(more);
                return;
            }
            settings = Settings.load(given);
        } catch (BadSettings e) {
            printFaults(e, System.err);
            System.exit(1); // a scraper that silently runs unpaced gets its address banned
            return;
        }
        if (!Bridge.define(instrumentation)) {
            System.err.println("[tempolimit] the agent is given twice; the first one holds");
            return;
        }
        ProgramStart.isToCome();
        start(settings, 0, instrumentation, new Options(System.err, System.out, version));
    }

    /** The first attach starts the agent, a later one gives it other settings. What is wrong in them is answered, and changes nothing. */
    @Override
    public void agentmain(String arguments, Instrumentation instrumentation, String version) {
        Reply reply = Reply.to(arguments);
        try {
            if (background != null) {
                background.change(reply.settings, reply);
            } else {
                attach(instrumentation, version, reply);
            }
        } catch (BadSettings e) {
            for (Fault fault : e.faults()) {
                reply.faulty(fault.toString());
            }
        } catch (Throwable t) {
            reply.failed("the agent could not start: " + t);
        }
        reply.send();
    }

    private void attach(Instrumentation instrumentation, String version, Reply reply) throws Exception {
        Sources sources = Sources.ofJvm(reply.settings);
        if (sources.disabled()) {
            if (Sources.names(reply.settings, "enabled")) {
                reply.say("enabled=false: nothing is woven");
                return;
            }
            sources = sources.with("enabled=true"); // what was left off at the start is to begin now
        }
        Settings settings = Settings.load(sources);
        if (!Bridge.define(instrumentation)) {
            reply.failed("another copy of the agent runs in that JVM");
            return;
        }
        // The application may have put other streams in the place of those that the JVM started with.
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
        Transformer transformer = start(settings, ATTACHED, instrumentation, new Options(err, out, version));
        transformer.prepare(instrumentation);
        background.started(reply);
    }

    /** @param begun for how long there may be requests on their way that began before */
    private Transformer start(Settings settings, long begun, Instrumentation instrumentation, Options options) {
        Watch watch = new Watch(options
                .log(settings.logLevel(), settings.logFile(), settings.logMaxSize())
                .events(settings.events(), settings.eventsMaxSize()));
        if (settings.adminPort() >= 0) {
            watch.keepVerdicts();
        }
        Limiter limiter = new Limiter(Clock.SYSTEM, RandomSource.SYSTEM, settings, watch);
        watch.limiter(limiter);
        FleetSettings fleet = settings.fleet();
        if (fleet != null) {
            join(fleet, limiter, watch);
        }
        if (settings.clientEnabled(Sockets.CLIENT.id())) {
            limiter.unseen().begin(begun);
        }
        if (Clients.pacesUnknown(settings)) {
            watch.pacesUnknown();
        }
        Timer timer = new Timer();
        background = new Background(watch, limiter, timer, settings);
        Transformer transformer = Transformer.install(instrumentation, Clients.enabled(settings), Clients.unwoven(),
                background.noticed(),
                new Gate(limiter, timer), background);
        background.start();
        if (settings.adminPort() >= 0) {
            Admin.start(settings, limiter, watch, instrumentation);
        }
        return transformer;
    }

    private static void join(FleetSettings fleet, Limiter limiter, Watch watch) {
        try {
            watch.shares(fleet);
            limiter.join(new RedisLoader().redis(), fleet);
        } catch (Throwable t) { // an error of ours
            watch.warning("redis is not used, and limits are not shared: " + t);
        }
    }

    @Override
    public int main(String[] arguments, String version) {
        return new Commands(System.out, System.err, version).run(arguments);
    }

    static void printFaults(BadSettings bad, PrintStream to) {
        for (Fault fault : bad.faults()) {
            to.println("[tempolimit] " + fault);
        }
    }
}
