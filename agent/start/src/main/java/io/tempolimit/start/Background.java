package io.tempolimit.start;

import io.tempolimit.config.BadSettings;
import io.tempolimit.config.Fault;
import io.tempolimit.config.Settings;
import io.tempolimit.core.Clock;
import io.tempolimit.core.Limiter;
import io.tempolimit.gate.Timer;
import io.tempolimit.watch.Watch;
import io.tempolimit.weave.Reporter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What goes on beside requests: JMX, the sweep, the settings' file, the end. */
final class Background implements Reporter {
    /** Loads when the platform's MBean server is made. */
    static final String PLATFORM_SERVER = "com/sun/jmx/mbeanserver/JmxMBeanServer";
    /** A program that ends sooner never pays for JMX (the contract's figure). */
    private static final long JMX_AFTER = 2_000_000_000L;
    /** Until a server that is being made is there. */
    private static final long MOMENT = 100_000_000L;
    /** How often the settings' file is looked at (the contract's figure), in milliseconds. */
    private static final long FILE_EVERY = 5_000;

    private final Watch watch;
    private final Limiter limiter;
    private final Timer timer;
    private final AtomicBoolean used = new AtomicBoolean();
    private final AtomicBoolean jmx = new AtomicBoolean();
    private volatile Settings settings;

    Background(Watch watch, Limiter limiter, Timer timer, Settings settings) {
        this.watch = watch;
        this.limiter = limiter;
        this.timer = timer;
        this.settings = settings;
    }

    void start() {
        watch.started();
        for (String warning : settings.warnings()) {
            watch.warning(warning);
        }
        Runtime.getRuntime().addShutdownHook(new Thread("tempolimit-end") { // no lambdas at the start: the first of a JVM costs up to 100 ms
            @Override
            public void run() {
                watch.close();
            }
        });
        if (settings.config() != null) {
            Thread t = new Thread("tempolimit-config") {
                @Override
                public void run() {
                    watchFile();
                }
            };
            t.setDaemon(true);
            t.setContextClassLoader(null);
            t.start();
        }
    }

    Runnable platformServerExists() {
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
                    Thread t = new Thread(watch::registerJmx, "tempolimit-jmx");
                    t.setDaemon(true);
                    t.start();
                }
            }
        }, Clock.SYSTEM.nanos() + nanos);
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

    private void watchFile() {
        String said = null;
        for (;;) {
            try {
                Thread.sleep(FILE_EVERY);
                Settings now = settings.reload();
                if (now != settings) {
                    settings = now;
                    limiter.rules(now);
                    watch.configReloaded();
                    for (String key : now.restartNeeded()) {
                        watch.warning(key + " has changed in " + now.config() + "; that needs a restart");
                    }
                    for (String warning : now.warnings()) {
                        watch.warning(warning);
                    }
                }
                said = null;
            } catch (InterruptedException e) {
                return;
            } catch (BadSettings e) {
                if (!e.getMessage().equals(said)) { // it stays faulty until somebody changes it
                    said = e.getMessage();
                    watch.configRefused(lines(e));
                }
            } catch (Throwable t) {
                watch.trouble(t);
            }
        }
    }
}
