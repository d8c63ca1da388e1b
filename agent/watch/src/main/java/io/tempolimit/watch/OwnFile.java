package io.tempolimit.watch;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Files of the agent: readable by their owner alone if the agent made them. */
final class OwnFile {
    private OwnFile() {
    }

    /**
     * Opens a file to append to it. One that exists keeps its permissions: they are somebody's choice.
     *
     * @throws IOException if it cannot be written; the message says why
     */
    static FileOutputStream append(File file) throws IOException {
        boolean made = !file.exists();
        if (made && file.createNewFile()) { // not so behind a link to a file that is not there
            own(file);
        }
        FileOutputStream out = new FileOutputStream(file, true);
        if (made) {
            own(file);
        }
        return out;
    }

    /**
     * Writes a file whole, or not at all: who reads it never sees the half of it.
     *
     * @throws IOException if it cannot be written; the message says why, and what was there before is there still
     */
    static void replace(File file, String text) throws IOException {
        if (file.exists() && !file.isFile()) { // a device, a pipe: there is nothing to put in its place
            write(file, text);
            return;
        }
        File part = File.createTempFile("tempolimit", ".part", file.getAbsoluteFile().getParentFile());
        try {
            own(part);
            write(part, text);
            if (!part.renameTo(file)) {
                file.delete(); // Windows does not rename onto a file
                if (!part.renameTo(file)) {
                    throw new IOException(part + " cannot be renamed");
                }
            }
        } finally {
            part.delete();
        }
    }

    private static void write(File file, String text) throws IOException {
        try (OutputStream out = new FileOutputStream(file)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** With java.io, since java.nio.file would cost more than all else here. The file is empty until this is done. */
    private static void own(File file) {
        file.setReadable(false, false);
        file.setWritable(false, false);
        file.setReadable(true, true);
        file.setWritable(true, true);
    }
}
