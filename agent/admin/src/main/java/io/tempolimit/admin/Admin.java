package io.tempolimit.admin;

import io.tempolimit.config.Settings;
import io.tempolimit.core.Limiter;
import io.tempolimit.watch.Periodic;
import io.tempolimit.watch.Watch;
import java.lang.instrument.Instrumentation;

/** Opens {@code admin.port}, on a thread of its own that then looks at the keys and after the connections once a second. Links to nothing of the JDK's server, which may not be there. */
public final class Admin {
    /**
     * How often, and how long after the start: the server logs by the JDK's own logging. Whoever is the first to do so makes its log manager, and that must not be us: programs
     * choose theirs at the beginning of {@code main}.
     */
    private static final long TICK_MILLIS = 1_000;

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
            private Port port;

            @Override
            protected boolean act() {
                if (port == null) {
                    return open();
                }
                board.tick();
                workers.check();
                return !port.interrupted() || reopen();
            }

            /** Here, since to load all of it takes the application's start no time then. */
            private boolean open() {
                if (!hasServer(instrumentation)) {
                    watch.warning("there is no status page: this Java runs without its module jdk.httpserver (--add-modules jdk.httpserver, where it has one)");
                    return false;
                }
                board = new Board(limiter);
                workers = new Workers(watch);
                if (!open(settings.adminPort())) {
                    return false;
                }
                String host = settings.adminHost();
                watch.log().info("The status page is http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port.number() + "/");
                return true;
            }

            private boolean reopen() {
                int number = port.number();
                port.close();
                return open(number);
            }

            private boolean open(int number) {
                try {
                    port = Port.open(number, settings, limiter, watch, board, workers);
                } catch (Throwable t) {
                    watch.trouble(t);
                    return false;
                }
                return port != null;
            }
        }.start();
    }

    private static boolean hasServer(Instrumentation instrumentation) {
        return System.getProperty("java.specification.version").startsWith("1.") || ServerModule.open(instrumentation, Port.SERVER_PACKAGE);
    }
}
