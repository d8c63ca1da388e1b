package io.tempolimit.admin;

import io.tempolimit.config.Settings;
import io.tempolimit.core.Limiter;
import io.tempolimit.watch.Periodic;
import io.tempolimit.watch.Watch;
import java.io.IOException;
import java.lang.instrument.Instrumentation;

/** Opens {@code admin.port}, on a thread of its own that then looks at the keys and after the connections once a second. Links to nothing of the JDK's server, which may not be there. */
public final class Admin {
    /**
     * How often, and how long after the start: the server logs by the JDK's own logging. Whoever is the first to do so makes its log manager, and that must not be us: programs
     * choose theirs at the beginning of {@code main}.
     */
    private static final long TICK_MILLIS = 1_000;
    /** A port that was open, and cannot be opened anew so many times, is worth a warning. */
    private static final int SERIOUS = 10;

    private Admin() {
    }

    /**
     * Begins, and returns at once. What goes wrong is one warning, and the program runs without the page.
     *
     * @param settings with a port
     */
    public static void start(Settings settings, Limiter limiter, Watch watch, Instrumentation instrumentation) {
        new Periodic(new ThreadGroup("tempolimit-admin"), "tempolimit-admin", TICK_MILLIS, watch) {
            private Board board;
            private Workers workers;
            /** Null while there is none. */
            private Port port;
            /** The port's, also while there is none. */
            private int number = settings.adminPort();
            private int failures;

            @Override
            protected boolean act() {
                if (board == null) {
                    return begin();
                }
                if (port != null) {
                    board.tick();
                    workers.check();
                }
                if (port == null || port.interrupted()) {
                    reopen();
                }
                return true;
            }

            /** Here, since to load all of it takes the application's start no time then. */
            private boolean begin() {
                if (!hasServer(instrumentation)) {
                    watch.warning("there is no status page: this Java runs without its module jdk.httpserver (--add-modules jdk.httpserver, where it has one)");
                    return false;
                }
                board = new Board(limiter, settings.metricsKeys());
                workers = new Workers(watch);
                try {
                    port = Port.open(number, settings, limiter, watch, board, workers);
                } catch (Throwable t) {
                    failed(t);
                    return false;
                }
                number = port.number();
                String host = settings.adminHost();
                watch.log().info("The status page is http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + number + "/");
                return true;
            }

            /** Again and again: the old server takes its time to give the port back. */
            private void reopen() {
                if (port != null) {
                    Port old = port;
                    port = null;
                    failures = 0;
                    old.close();
                }
                try {
                    port = Port.open(number, settings, limiter, watch, board, workers);
                } catch (Throwable t) {
                    if (++failures == SERIOUS) {
                        failed(t);
                    }
                }
            }

            private void failed(Throwable t) {
                if (t instanceof IOException) {
                    watch.warning("there is no status page: admin.port=" + number + " cannot be opened on " + settings.adminHost() + ": " + t.getMessage());
                } else {
                    watch.trouble(t);
                }
            }
        }.start();
    }

    private static boolean hasServer(Instrumentation instrumentation) {
        return System.getProperty("java.specification.version").startsWith("1.") || ServerModule.open(instrumentation, Port.SERVER_PACKAGE);
    }
}
