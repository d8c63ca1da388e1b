package io.tempolimit.watch;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;

/** Files of the agent: appended to, and readable by their owner alone if the agent made them. */
final class OwnFile {
    private OwnFile() {
    }

    /**
     * Opens a file to append to it. One that exists keeps its permissions: they are somebody's choice.
     *
     * @throws IOException if it cannot be written; the message says why
     */
    static FileOutputStream append(File file) throws IOException {
        if (!file.exists() && file.createNewFile()) {
            // java.io, since java.nio.file would cost more than all else here. The file is empty until this is done.
            file.setReadable(false, false);
            file.setWritable(false, false);
            file.setReadable(true, true);
            file.setWritable(true, true);
        }
        return new FileOutputStream(file, true);
    }
}
