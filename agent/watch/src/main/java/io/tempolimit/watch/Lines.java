package io.tempolimit.watch;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;

/** Where the lines of the event log, or of a log in a file, go, each at once. Used by one thread. */
abstract class Lines {
    /**
     * Writes a whole line, with its end.
     *
     * @throws IOException if it was not written; the next one may be
     */
    abstract void write(byte[] line) throws IOException;

    /** Gives back what was opened; never throws. */
    void close() {
    }

    /** To a stream of the JVM's, which the application may be writing to as well. */
    static final class ToStream extends Lines {
        private final PrintStream stream;

        ToStream(PrintStream stream) {
            this.stream = stream;
        }

        @Override
        void write(byte[] line) throws IOException {
            stream.write(line, 0, line.length); // one call, so that nobody's text gets in between
            if (stream.checkError()) { // flushes
                throw new IOException("the stream is closed");
            }
        }
    }

    /**
     * To a file, which is put aside as {@code FILE.1} when it would get too long; the one put aside before is lost. It
     * is looked at before each line: another JVM may write to it, or have put it aside, and somebody may have moved,
     * emptied or deleted it. Then the line goes to a new one.
     */
    static final class ToFile extends Lines {
        private final String setting;
        private final File file;
        private final long maxSize;
        private final Log log;
        private FileOutputStream out;
        /** How long it was when it was looked at last; 0 for what is no file, as a pipe. */
        private long size;
        /** How long it may get. */
        private long limit;
        /** The file ends in the middle of a line, of which the rest was lost. */
        private boolean torn;
        private boolean rotationFailed;

        /**
         * @param setting that names the file, for a warning
         * @param maxSize in bytes; 0 for no limit
         * @param log     hears it if a file cannot be put aside
         * @throws IOException if the file cannot be written
         */
        ToFile(String setting, File file, long maxSize, Log log) throws IOException {
            this.setting = setting;
            this.file = file;
            this.maxSize = maxSize;
            this.log = log;
            open();
        }

        private void open() throws IOException {
            out = OwnFile.append(file);
            size = file.length();
            limit = maxSize > 0 ? maxSize : Long.MAX_VALUE;
            torn = size > 0 && !endsInNewline();
        }

        private boolean endsInNewline() {
            try (RandomAccessFile f = new RandomAccessFile(file, "r")) {
                f.seek(size - 1);
                return f.read() == '\n';
            } catch (IOException e) {
                return true; // may be written but not read: nothing is known against it
            }
        }

        @Override
        void write(byte[] line) throws IOException {
            look();
            if (size > 0 && size + line.length > limit) {
                rotate();
            }
            if (torn) {
                out.write('\n');
                torn = false;
            }
            try {
                out.write(line);
            } catch (IOException e) {
                torn = file.length() > size; // a full disk may have taken the half of it
                throw e;
            }
        }

        private void look() throws IOException {
            if (out != null) {
                long now = file.length();
                if (now >= size && (now > 0 || file.exists())) {
                    size = now;
                    return;
                }
                close();
            }
            open();
        }

        private void rotate() throws IOException {
            close();
            File old = new File(file.getPath() + ".1");
            old.delete(); // Windows does not rename onto a file
            boolean moved = file.renameTo(old);
            open();
            if (!moved) {
                limit = size + maxSize; // grows on, and is tried again after as much once more
                if (!rotationFailed) {
                    rotationFailed = true;
                    log.warn(setting + ": " + file + " cannot be renamed to " + old + "; it grows on");
                }
            }
        }

        @Override
        void close() {
            if (out != null) {
                try {
                    out.close();
                } catch (IOException e) {
                    // Each line was written already.
                }
                out = null;
            }
        }
    }
}
