package io.tempolimit.watch;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The event log: one JSON object a line, each flushed. A {@link LineWriter} writes it, so no request waits for it.
 *
 * <p>Events are lost if they come too fast, or if the disk is full. Their number is told by a {@code warning} event and
 * a log line once there is room again; the full disk itself is one warning. A file that cannot be opened, and a stream
 * that is closed, end the event log with one warning.
 *
 * <p>Thread-safe. Made only if {@code events} is set.
 */
final class EventLog {
    private static final int ROOM = 8192;

    private final LineWriter<Event> writer;

    /** Starts the writer, which opens the target: loading and opening take the application's start no time. */
    EventLog(Options options, Log log) {
        this(options, log, ROOM);
    }

    EventLog(Options options, Log log, int room) {
        writer = new LineWriter<>("tempolimit-events", room, new Sink(options, log));
    }

    /** Hands an event over; never waits. */
    void add(Event event) {
        writer.add(event);
    }

    /**
     * Writes what was handed over until now, and no more.
     *
     * @return false if that takes longer than {@code millis}, and some of it may be lost
     */
    boolean close(long millis) {
        return writer.close(millis);
    }

    /** Turns events into JSON, and writes them to {@link Lines}. */
    private static final class Sink implements LineWriter.Sink<Event> {
        private final Options options;
        private final Log log;
        private Lines lines;
        private boolean warned;
        private boolean lastDryRun;

        Sink(Options options, Log log) {
            this.options = options;
            this.log = log;
        }

        @Override
        public void open() throws IOException {
            switch (options.events) {
                case "stdout":
                    lines = new Lines.ToStream(options.out);
                    break;
                case "stderr":
                    lines = new Lines.ToStream(options.err);
                    break;
                default:
                    lines = new Lines.ToFile("events", new File(options.events), options.eventsMaxSize, log);
            }
        }

        @Override
        public boolean write(Event e) throws IOException {
            lastDryRun = e.dryRun;
            try {
                return writeLine(e);
            } catch (RuntimeException | Error odd) { // no memory at the moment, say
                log.onceAMinute("events", "An event cannot be written: " + e.name, odd);
                return true; // and was told of
            }
        }

        @Override
        public boolean tellLost(long events) throws IOException {
            String text = (events == 1 ? "1 event was lost" : Human.count(events) + " events were lost")
                    + ": they came faster than they can be written, or the disk was full";
            boolean told = writeLine(new Event("warning", null, null, lastDryRun, "message", text));
            if (told) {
                log.warn("events: " + text);
            }
            return told;
        }

        @Override
        public void close(Throwable why) {
            if (why instanceof IOException) {
                warn((IOException) why);
            } else if (why != null) {
                log.onceAMinute("events", "The event log ends", why);
            }
            if (lines != null) {
                lines.close();
            }
        }

        private boolean writeLine(Event e) throws IOException {
            byte[] line = Json.line(e).getBytes(StandardCharsets.UTF_8);
            try {
                lines.write(line);
                return true;
            } catch (IOException failure) {
                if (lines instanceof Lines.ToStream) {
                    throw failure; // it will not get better
                }
                warn(failure);
                return false;
            }
        }

        private void warn(IOException failure) {
            if (!warned) {
                warned = true;
                log.warn("events cannot be written to " + options.events + ": " + failure.getMessage()
                        + ". Requests go on, and are not recorded");
            }
        }
    }
}
