package io.tempolimit.watch;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import org.slf4j.simple.AgentLogger;

/**
 * Where the log's lines go: to {@code log.file} or to standard error. Loads slf4j and opens the file with the first
 * line.
 */
final class LogSink implements LineWriter.Sink<LogSink.Line> {
    private final PrintStream err;
    private final String file;
    private final long maxSize;
    private final Log log;
    /** Null before the first line. */
    private AgentLogger logger;

    /** What is to be written, and when it was said. */
    static final class Line {
        /** Null for a text that goes to standard error as it is. */
        final Level level;
        final String text;
        final long millis = System.currentTimeMillis();

        Line(Level level, String text) {
            this.level = level;
            this.text = text;
        }
    }

    /**
     * @param file    null for standard error
     * @param maxSize bytes after which it is put aside
     * @param log     to which it belongs
     */
    LogSink(PrintStream err, String file, long maxSize, Log log) {
        this.err = err;
        this.file = file;
        this.maxSize = maxSize;
        this.log = log;
    }

    @Override
    public void open() {
        // The first line opens it: a program that is told of nothing gets no file.
    }

    @Override
    public boolean write(Line line) {
        if (line.level == null) {
            err.print(line.text);
            err.flush();
            return true;
        }
        if (logger == null) {
            logger = opened(line.millis);
        }
        logger.at(line.millis);
        switch (line.level) {
            case ERROR:
                logger.error(line.text);
                break;
            case WARN:
                logger.warn(line.text);
                break;
            case INFO:
                logger.info(line.text);
                break;
            default:
                logger.debug(line.text);
        }
        return true;
    }

    @Override
    public boolean tellLost(long lines) {
        String many = Human.count(lines) + (lines == 1 ? " line" : " lines");
        return write(new Line(Level.WARN, many + " of this log could not be written in time"));
    }

    @Override
    public void close(Throwable why) {
        // Nobody asks for it: the log goes on for as long as the JVM does.
    }

    /** What is printed between two flushes is one line. */
    private static final class WholeLines extends ByteArrayOutputStream {
        private final Lines lines;

        WholeLines(Lines lines) {
            this.lines = lines;
        }

        @Override
        public void flush() throws IOException {
            if (size() > 0) {
                byte[] line = toByteArray();
                reset();
                lines.write(line);
            }
        }
    }

    /** On the writer's thread, which has no program on the stack that could lack a right. */
    private AgentLogger opened(long millis) {
        IOException fault = null;
        PrintStream target = err;
        try {
            if (file != null) {
                Lines lines = new Lines.ToFile("log.file", new File(file), maxSize, log);
                target = new PrintStream(new WholeLines(lines), false, "UTF-8");
            }
        } catch (IOException e) {
            fault = e;
        }
        AgentLogger made = new AgentLogger(target, err, "log.file=" + file);
        made.at(millis);
        if (fault != null) {
            String text = "log.file=" + file + " cannot be written: " + fault.getMessage() + ". The log goes to standard error";
            made.warn(Log.oneLine(text));
        }
        return made;
    }
}
