package io.tempolimit.admin;

import io.tempolimit.config.Settings;
import io.tempolimit.core.Limiter;
import io.tempolimit.watch.Watch;
import java.lang.instrument.Instrumentation;

/** Opens {@code admin.port}, on a thread of its own that then looks at the keys and after the connections once a second. Links to nothing of the JDK's server, which may not be there. */
public final class Admin {
    /**
     * The server logs by the JDK's own logging. Whoever is the first to do so makes its log manager, and that must not be us: programs choose theirs at the beginning
     * of {@code main}.
     */
    private static final long AFTER_MILLIS = 1_000;
    private static final long TICK_MILLIS = 1_000;

    private Admin() {
    }

    /**
     * Begins, and returns at once. What goes wrong is one warning, and the program runs without the page.
     *
     * @param settings with a port
     */
    public static void start(Settings settings, Limiter limiter, Watch watch, Instrumentation instrumentation) {
        Thread thread = new Thread("tempolimit-admin") {
            @Override
            public void run() {
                try {
                    Board board = new Board(limiter);
                    sleep(AFTER_MILLIS);
                    Workers workers = new Workers();
                    if (!hasServer(instrumentation)) {
                        watch.warning("there is no status page: this Java runs without its module jdk.httpserver (--add-modules jdk.httpserver, where it has one)");
                    } else if (Port.open(settings, limiter, watch, board, workers)) {
                        for (;;) {
                            board.tick();
                            workers.check();
                            sleep(TICK_MILLIS);
                        }
                    }
                } catch (InterruptedException e) {
                    // somebody wants this thread to end
                } catch (Throwable t) {
                    watch.trouble(t);
                }
            }
        };
        thread.setDaemon(true); // and so are those that it starts
        thread.setContextClassLoader(null);
        thread.start();
    }

    private static boolean hasServer(Instrumentation instrumentation) {
        return System.getProperty("java.specification.version").startsWith("1.") || ServerModule.open(instrumentation, Port.SERVER_PACKAGE);
    }
}
