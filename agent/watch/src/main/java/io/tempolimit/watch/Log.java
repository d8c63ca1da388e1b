package io.tempolimit.watch;

import io.tempolimit.core.runtime.Clock;
import java.io.PrintStream;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The agent's own log: {@code 2026-11-27 22:20:01 [tempolimit] WARN text}, one line each, whatever the text holds.
 *
 * <p>A {@link LineWriter} writes it, so nobody waits for it; it begins with the first line. Thread-safe, never throws.
 */
public final class Log {
    private static final long MINUTE = 60_000_000_000L;
    /** Different errors that are told apart; what comes beyond shares one line a minute. */
    private static final int KINDS = 64;
    private static final int LONGEST = 4000;
    /** Lines that wait to be written: some megabytes at the most. */
    private static final int ROOM = 1000;
    private static final int FRAMES = 60;
    private static final int CAUSES = 8;

    private final PrintStream err;
    private final String file;
    private final long maxSize;
    private final Level level;
    private final Clock clock;
    private final ConcurrentHashMap<String, Repeats> repeats = new ConcurrentHashMap<>();
    /** Null before the first line. */
    private volatile LineWriter<LogSink.Line> writer;

    /**
     * @param err     the standard error that the JVM started with
     * @param level   {@code trace}, {@code debug}, {@code info}, {@code warn}, {@code error} or {@code off}
     * @param file    a path, or null for standard error
     * @param maxSize bytes after which a file is put aside as {@code FILE.1}; 0 for never
     */
    Log(PrintStream err, String level, String file, long maxSize) {
        this(err, level, file, maxSize, Clock.SYSTEM);
    }

    Log(PrintStream err, String level, String file, long maxSize, Clock clock) {
        this.err = err;
        this.level = Level.of(level);
        this.file = file;
        this.maxSize = maxSize;
        this.clock = clock;
    }

    /** Whether {@link #debug} writes anything: ask before putting a text together. */
    boolean isDebug() {
        return writes(Level.DEBUG);
    }

    boolean isInfo() {
        return writes(Level.INFO);
    }

    void debug(String text) {
        line(Level.DEBUG, text);
    }

    public void info(String text) {
        line(Level.INFO, text);
    }

    void warn(String text) {
        line(Level.WARN, text);
    }

    void error(String text) {
        line(Level.ERROR, text);
    }

    /**
     * Tells of an error at most once a minute, and how often it happened meanwhile. The stack trace is shown at debug
     * only; else the error's class and message, without what could be a query string or user info in it.
     *
     * @param key   what is the same error; there are few of them
     * @param error may be null
     */
    void onceAMinute(String key, String text, Throwable error) {
        if (!writes(Level.ERROR)) {
            return;
        }
        try {
            long missed = repeats(key).due(clock.nanos());
            if (missed < 0) {
                return;
            }
            String line = error == null ? text : text + ": " + describe(error);
            line = oneLine(missed == 0 ? line : line + " (and " + missed + " more since the last such line)");
            write(Level.ERROR, error == null || !isDebug() ? line : line + trace(error));
        } catch (Throwable e) {
            // Whoever tells of an error has enough of them.
        }
    }

    /** An error inside the agent, which harmed nobody but the pacing of a request; told once a minute for each kind. */
    void trouble(Throwable error) {
        onceAMinute(error.getClass().getName(), "An error inside Tempolimit; the request went on", error);
    }

    private boolean writes(Level l) {
        return l.ordinal() >= level.ordinal();
    }

    private void line(Level l, String text) {
        if (!writes(l)) {
            return;
        }
        try {
            write(l, oneLine(text));
        } catch (Throwable e) {
            // A line that cannot be written is lost; the application goes on.
        }
    }

    /** Writes a text to standard error as it is, after all lines before it. Waits for all that, but not for long. */
    void print(String text, long millis) {
        writer().flush(new LogSink.Line(null, text), millis);
    }

    /** Waits until what was to be written is, but not for long. */
    void flush(long millis) {
        LineWriter<LogSink.Line> w = writer;
        if (w != null) {
            w.flush(null, millis);
        }
    }

    private void write(Level l, String text) {
        writer().add(new LogSink.Line(l, text));
    }

    private LineWriter<LogSink.Line> writer() {
        LineWriter<LogSink.Line> w = writer;
        if (w == null) {
            synchronized (this) {
                w = writer;
                if (w == null) {
                    w = new LineWriter<>("tempolimit-log", ROOM, new LogSink(err, file, maxSize, this));
                    writer = w;
                }
            }
        }
        return w;
    }

    private Repeats repeats(String key) {
        Repeats found = repeats.get(key);
        if (found != null) {
            return found;
        }
        String k = repeats.size() < KINDS ? key : "";
        repeats.putIfAbsent(k, new Repeats(clock.nanos()));
        return repeats.get(k);
    }

    /** One kind of error: when it may be told again, and how often it was not. */
    private static final class Repeats {
        private final AtomicLong next;
        private final AtomicLong missed = new AtomicLong();

        Repeats(long now) {
            next = new AtomicLong(now);
        }

        /** How often it was passed over since it was told last; negative if it is not to be told now. */
        long due(long now) {
            long n = next.get();
            if (now - n < 0 || !next.compareAndSet(n, now + MINUTE)) {
                missed.incrementAndGet();
                return -1;
            }
            return missed.getAndSet(0);
        }
    }

    private static String describe(Throwable error) {
        String message;
        try {
            message = error.getMessage();
        } catch (Throwable e) { // somebody else's class
            message = null;
        }
        return error.getClass().getName() + (message == null ? "" : ": " + withoutSecrets(message));
    }

    /** The text, cut at the first query string, and without user info: errors quote URLs. */
    static String withoutSecrets(String text) {
        StringBuilder b = new StringBuilder(text);
        for (int i = 0; i + 1 < b.length(); i++) {
            if (b.charAt(i) == '?' && b.charAt(i + 1) > ' ') {
                b.replace(i + 1, b.length(), "..."); // to the end: what breaks a URL is often in its query
            }
        }
        for (int at = b.indexOf("://"); at >= 0; at = b.indexOf("://", at + 3)) {
            int user = -1;
            for (int i = at + 3; i < b.length() && b.charAt(i) != '/' && b.charAt(i) != '?'; i++) {
                user = b.charAt(i) == '@' ? i : user;
            }
            if (user >= 0) {
                b.replace(at + 3, user, "***");
            }
        }
        return b.toString();
    }

    /** Not {@link Throwable#printStackTrace}: that is the application's code if the exception is. */
    private static String trace(Throwable error) {
        String nl = System.lineSeparator();
        StringBuilder b = new StringBuilder();
        Throwable t = error;
        for (int depth = 0; t != null && depth < CAUSES; depth++, t = t.getCause()) {
            if (depth > 0) {
                b.append(nl).append("caused by ").append(oneLine(describe(t)));
            }
            StackTraceElement[] frames = t.getStackTrace();
            for (int i = 0; i < frames.length && i < FRAMES; i++) {
                b.append(nl).append("    at ").append(oneLine(frames[i].toString()));
            }
            if (frames.length > FRAMES) {
                b.append(nl).append("    ... ").append(frames.length - FRAMES).append(" more");
            }
        }
        return b.toString();
    }

    /** Nobody's host name or message makes a line of its own, hides in one, or fills the disk. */
    static String oneLine(String text) {
        if (text == null) {
            return "null";
        }
        int length = Math.min(text.length(), LONGEST);
        StringBuilder b = new StringBuilder(length + 3);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7f) {
                b.append(c);
            } else {
                int type = Character.getType(c);
                boolean bad = type == Character.CONTROL || type == Character.FORMAT || type == Character.LINE_SEPARATOR
                        || type == Character.PARAGRAPH_SEPARATOR;
                b.append(!bad ? c : c == '\n' || c == '\r' || c == '\t' ? ' ' : '?');
            }
        }
        return text.length() > LONGEST ? b.append("...").toString() : b.toString();
    }
}
