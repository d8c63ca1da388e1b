package io.tempolimit.admin;

import io.tempolimit.config.Settings;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.watch.Periodic;
import io.tempolimit.watch.Watch;
import java.io.IOException;
import java.lang.instrument.Instrumentation;

/** Opens the port, keeps it open, and once a second looks at the keys and after the connections. */
final class PortKeeper extends Periodic {
    /**
     * How often, and how long after the start. The server logs by the JDK's own logging. Whoever is the first to do so
     * makes its log manager, and that must not be us: programs choose theirs at the beginning of {@code main}.
     */
    private static final long TICK_MILLIS = 1_000;
    /** A port that was open, and cannot be opened anew so many times, is worth a warning. */
    private static final int SERIOUS = 10;

    private final Settings settings;
    private final Limiter limiter;
    private final Watch watch;
    private final Instrumentation instrumentation;
    private Board board;
    private Workers workers;
    /** Null while there is none. */
    private Port port;
    /** The port's, also while there is none. */
    private int number;
    private int failures;
    /** Whether the log has its address. */
    private boolean told;

    PortKeeper(Settings settings, Limiter limiter, Watch watch, Instrumentation instrumentation) {
        super(new ThreadGroup("tempolimit-admin"), "tempolimit-admin", TICK_MILLIS, watch);
        this.settings = settings;
        this.limiter = limiter;
        this.watch = watch;
        this.instrumentation = instrumentation;
        this.number = settings.adminPort();
    }

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
        if (!hasServer()) {
            watch.warning("there is no status page: this Java runs without its module jdk.httpserver"
                    + " (--add-modules jdk.httpserver, where it has one)");
            return false;
        }
        board = Board.lastHour(limiter, settings.metricsKeys());
        workers = new Workers(watch);
        failures = SERIOUS - 1; // what fails at first is told at once
        return open();
    }

    /** Whether it is worth another try, if it failed: the program's own predecessor may have the port still. */
    private boolean open() {
        try {
            port = Port.open(number, settings, limiter, watch, board, workers);
            if (!told) {
                tell();
            }
        } catch (Throwable t) {
            if (++failures == SERIOUS) {
                failed(t);
            }
            return t instanceof IOException;
        }
        return true;
    }

    private void tell() {
        told = true;
        number = port.number();
        String host = settings.adminHost();
        String written = host.indexOf(':') < 0 ? host : "[" + host + "]";
        watch.log().info("The status page is http://" + written + ":" + number + "/");
    }

    private boolean hasServer() {
        return System.getProperty("java.specification.version").startsWith("1.")
                || ServerModule.open(instrumentation, Port.SERVER_PACKAGE);
    }

    /** Again and again: the old server takes its time to give the port back. */
    private void reopen() {
        if (port != null) {
            Port old = port;
            port = null;
            failures = 0;
            old.close();
        }
        open();
    }

    /** Another port helps only where the host is this machine's. */
    static String trouble(int number, String host, String problem) {
        return "there is no status page: admin.port=" + number + " cannot be opened on " + host + ": " + problem
                + ". Tempolimit tries again each second; " + (Port.isHere(host) ? "admin.port=0 takes a free port"
                : "admin.host must be an address of this machine, such as 127.0.0.1 or 0.0.0.0");
    }

    private void failed(Throwable t) {
        if (t instanceof IOException) {
            watch.warning(trouble(number, settings.adminHost(), t.getMessage()));
        } else {
            watch.trouble(t);
        }
    }
}
