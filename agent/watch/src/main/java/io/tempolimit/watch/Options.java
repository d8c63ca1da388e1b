package io.tempolimit.watch;

import java.io.PrintStream;

/**
 * What there is to see, and where: the settings {@code events*} and {@code log.*}, which need a restart
 * to change. Immutable; the methods give a changed copy.
 */
public final class Options {
    final PrintStream err;
    final PrintStream out;
    final String version;
    final String logLevel;
    /** Null: standard error. */
    final String logFile;
    /** In bytes. */
    final long logMaxSize;
    /** A path, {@code stdout} or {@code stderr}; null: no events. */
    final String events;
    /** In bytes. */
    final long eventsMaxSize;

    /**
     * The contract's defaults.
     *
     * @param err     the standard error that the JVM started with; the application may replace {@link System#err} later
     * @param out     the standard output that the JVM started with
     * @param version the agent's own
     */
    public Options(PrintStream err, PrintStream out, String version) {
        this(err, out, version, "info", null, 100L << 20, null, 100L << 20);
    }

    private Options(PrintStream err, PrintStream out, String version, String logLevel, String logFile, long logMaxSize,
            String events, long eventsMaxSize) {
        this.err = err;
        this.out = out;
        this.version = version;
        this.logLevel = logLevel;
        this.logFile = logFile;
        this.logMaxSize = logMaxSize;
        this.events = events;
        this.eventsMaxSize = eventsMaxSize;
    }

    /**
     * The agent's own log.
     *
     * @param level   {@code trace}, {@code debug}, {@code info}, {@code warn}, {@code error} or {@code off}
     * @param file    a path, or null for standard error
     * @param maxSize bytes after which a file is put aside as {@code FILE.1}; 0 for never
     */
    public Options log(String level, String file, long maxSize) {
        return new Options(err, out, version, level, file, maxSize, events, eventsMaxSize);
    }

    /**
     * The event log.
     *
     * @param target  a path, {@code stdout} or {@code stderr}; null for none
     * @param maxSize bytes after which a file is put aside as {@code FILE.1}; 0 for never
     */
    public Options events(String target, long maxSize) {
        return new Options(err, out, version, logLevel, logFile, logMaxSize, target, maxSize);
    }
}
