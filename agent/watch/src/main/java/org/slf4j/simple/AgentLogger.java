package org.slf4j.simple;

import java.io.PrintStream;
import java.util.Date;

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
 * <p>Local time and the name are put in front here: slf4j-simple has no place for a name before the level, and tells
 * the time of writing. Not by a SimpleDateFormat either, whose first use searches for locale providers and costs 60 ms
 * of CPU. Filters nothing: that is done before this class is even loaded. For one thread.
 */
public final class AgentLogger extends SimpleLogger {
    private static final long serialVersionUID = 1;

    static {
        SimpleLoggerConfiguration c = CONFIG_PARAMS;
        c.showDateTime = false;
        c.showThreadName = false;
        c.showLogName = false;
        c.showShortLogName = false;
    }

    private final transient PrintStream fallback;
    private final String name;
    private transient PrintStream target;
    private transient long millis;

    /**
     * @param target   where lines go
     * @param fallback where they go once {@code target} fails, after a line that says so; may be the same
     * @param name     what {@code target} is called in that line
     */
    public AgentLogger(PrintStream target, PrintStream fallback, String name) {
        super("tempolimit");
        this.name = name;
        this.target = target;
        this.fallback = fallback;
        currentLogLevel = LOG_LEVEL_TRACE;
    }

    /** @param time when what the next lines say was so, by {@link System#currentTimeMillis} */
    public void at(long time) {
        millis = time;
    }

    @Override
    String recursivelyComputeLevelString() {
        return null; // no system property
    }

    @Override
    void write(StringBuilder line, Throwable none) {
        // With its end, in one piece: println may write twice, and others write to the same stream.
        String text = begin().append(line).append(System.lineSeparator()).toString();
        PrintStream t = target;
        t.print(text);
        if (t == fallback) {
            t.flush();
        } else if (t.checkError()) { // flushes
            target = fallback;
            warn(name + " cannot be written any more, is the disk full? Going on here");
            fallback.print(text);
            fallback.flush();
        }
    }

    /** By {@link Date}'s own fields, deprecated since 1.1 but right for this. */
    @SuppressWarnings("deprecation")
    private StringBuilder begin() {
        Date date = new Date(millis);
        StringBuilder b = new StringBuilder(200).append(date.getYear() + 1900);
        two(b, '-', date.getMonth() + 1);
        two(b, '-', date.getDate());
        two(b, ' ', date.getHours());
        two(b, ':', date.getMinutes());
        two(b, ':', date.getSeconds());
        return b.append(" [tempolimit] ");
    }

    private static void two(StringBuilder to, char before, int n) {
        to.append(before).append((char) ('0' + n / 10)).append((char) ('0' + n % 10));
    }
}
