package io.tempolimit.start;

import io.tempolimit.AgentCode;
import io.tempolimit.config.BadSettings;
import io.tempolimit.config.Fault;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import io.tempolimit.core.Clock;
import io.tempolimit.core.Limiter;
import io.tempolimit.gate.Timer;
import io.tempolimit.watch.Options;
import io.tempolimit.watch.Watch;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Transformer;
import java.io.PrintStream;
import java.lang.instrument.Instrumentation;
import java.util.Collections;

/** Puts the parts together. Made by the launcher, by name. */
public final class Start implements AgentCode {
    /**
     * The agent's start: reads the settings, and weaves. Whatever can wait waits until the first request of a woven client.
     *
     * @param arguments what stands behind {@code =} on the command line; may be null
     * @param version   of the agent
     * @throws Exception an error of ours; the launcher says so, and the application runs without the agent
     */
    @Override
    public void premain(String arguments, Instrumentation instrumentation, String version) throws Exception {
        Sources sources = Sources.ofJvm(arguments);
        if (Settings.disabled(sources)) {
            return;
        }
        Settings settings;
        try {
            settings = Settings.load(sources);
        } catch (BadSettings e) {
            printFaults(e, System.err);
            System.exit(1); // a scraper that silently runs unpaced gets its address banned
            return;
        }
        if (!Bridge.define(instrumentation)) {
            System.err.println("[tempolimit] the agent is given twice; the first one holds");
            return;
        }
        Watch watch = new Watch(new Options(System.err, System.out, version)
                .log(settings.logLevel(), settings.logFile())
                .events(settings.events(), settings.eventsMaxSize())
                .report(settings.report()));
        Limiter limiter = new Limiter(Clock.SYSTEM, settings, watch);
        watch.limiter(limiter);
        Timer timer = new Timer();
        Background background = new Background(watch, limiter, timer, settings);
        Transformer.install(instrumentation, Clients.enabled(settings), Clients.unwoven(),
                Collections.singletonMap(Background.PLATFORM_SERVER, background.platformServerExists()),
                new Gate(limiter, timer), background);
        background.start();
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
