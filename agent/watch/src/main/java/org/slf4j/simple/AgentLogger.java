package org.slf4j.simple;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * slf4j-simple's logger as the agent wants it: one line form, one stream, and nothing of it configured by the application.
 *
 * <p>It lives in slf4j's package (and is relocated with it) because slf4j-simple's only ways to be configured are system
 * properties and a file {@code simplelogger.properties} on the application's class path, both of them the application's:
 * its {@code org.slf4j.simpleLogger.logFile} would take our lines, its level silence our warnings. What those set is
 * package-private: the settings ({@code CONFIG_PARAMS}, of which {@code init()}, the reader of both sources, is never
 * called) and {@link #write}, where the stream is chosen. The stream must be the one that the JVM started with, while
 * slf4j-simple knows only {@code System.err} at the moment of its own initialization, or of each line. For the same
 * reason neither LoggerFactory nor the service provider is used: they look at properties and for services.
 *
 * <p>Filters nothing: that is done before this class is even loaded. Thread-safe.
 */
public final class AgentLogger extends SimpleLogger {
    private static final long serialVersionUID = 1;

    static {
        SimpleLoggerConfiguration c = CONFIG_PARAMS;
        c.showDateTime = true;
        c.dateFormatter = new AgentDate();
        c.showThreadName = false;
        c.showLogName = false;
        c.showShortLogName = false;
    }

    private final transient PrintStream fallback;
    private final transient AtomicBoolean broken = new AtomicBoolean();
    private transient volatile PrintStream target;

    /**
     * @param target   where lines go
     * @param fallback where they go once {@code target} fails, after a line that says so; may be the same
     */
    public AgentLogger(PrintStream target, PrintStream fallback) {
        super("tempolimit");
        this.target = target;
        this.fallback = fallback;
        currentLogLevel = LOG_LEVEL_TRACE;
    }

    @Override
    String recursivelyComputeLevelString() {
        return null; // no system property
    }

    @Override
    void write(StringBuilder line, Throwable none) {
        PrintStream t = target;
        // With its end, in one piece: println may write twice, and others write to the same stream.
        String text = line.append(System.lineSeparator()).toString();
        t.print(text);
        if (t == fallback) {
            t.flush();
        } else if (t.checkError()) { // flushes
            target = fallback;
            if (broken.compareAndSet(false, true)) {
                warn("log.file cannot be written any more, is the disk full? Going on here");
            }
            fallback.print(text);
            fallback.flush();
        }
    }
}
