package io.tempolimit.state;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.memory.Remembered;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.RandomAccessFile;
import java.io.Reader;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What keys know, in a file. Thread-safe. Three names are used beside each other: the file, {@code FILE.new} while it
 * is written, and {@code FILE.lock}, which says which JVM has it.
 */
public final class StateFile implements Closeable {
    private static final int VERSION = 1;
    /** Older entries are not taken in: a site is another one by then. */
    private static final long OLDEST = 30L * 24 * 3600 * 1000;
    /**
     * What is read takes about twice its length in memory. A file that takes more than half of the heap with that is
     * not what this program has written.
     */
    private static final long LARGEST = Runtime.getRuntime().maxMemory() / 4;

    private final File file;
    private final Limiter limiter;
    private final RandomAccessFile lockFile;
    private boolean written;
    /** {@link Limiter#changes} as they were when it was last written. */
    private long writtenChanges;
    private boolean closed;

    private StateFile(File file, Limiter limiter, RandomAccessFile lockFile) {
        this.file = file;
        this.limiter = limiter;
        this.lockFile = lockFile;
    }

    /**
     * Takes the file, and gives the limiter what is in it. One that is there and cannot be read as what it should be is
     * put aside as {@code FILE.bad}.
     *
     * @throws IOException if the file cannot be used, with the reason as one would tell it: another JVM has it, say
     */
    public static StateFile open(String path, Limiter limiter, Trouble trouble) throws IOException {
        File file = new File(path).getAbsoluteFile();
        if (file.exists() && !file.isFile()) { // to read from a pipe would wait for ever
            throw new IOException("it is no file");
        }
        RandomAccessFile lockFile = new RandomAccessFile(own(new File(file + ".lock")), "rw");
        boolean ready = false;
        try {
            if (lock(lockFile) == null) {
                throw new IOException("another JVM uses it");
            }
            limiter.remember(known(file, trouble));
            StateFile made = new StateFile(file, limiter, lockFile);
            made.tryToWrite(); // or a later failure would come as a surprise
            ready = true;
            return made;
        } finally {
            if (!ready) {
                lockFile.close();
            }
        }
    }

    private static Map<String, Remembered> known(File file, Trouble trouble) throws IOException {
        if (!file.exists()) {
            return Collections.emptyMap();
        }
        String why;
        try {
            if (file.length() > LARGEST) {
                throw new IOException("it has " + (file.length() >> 20) + " MB, which do not fit into this heap");
            }
            return read(file);
        } catch (IOException | RuntimeException e) { // the reader's own ways to say that this is other JSON
            why = e.getMessage();
        } catch (Error e) { // whatever is in it, the program starts, and is paced
            why = e.toString();
        }
        File bad = new File(file + ".bad");
        bad.delete(); // Windows does not rename onto a file
        if (!file.renameTo(bad)) { // not by java.nio.file, which some JVMs do not bear before main
            throw new IOException("it cannot be read (" + why + "), and not be renamed to " + bad.getName());
        }
        trouble.warning(file + " cannot be read (" + why + "); it is " + bad.getName() + " now, and nothing is known of any host");
        return Collections.emptyMap();
    }

    /** Hears what went wrong. */
    public interface Trouble {
        /** One line. */
        void warning(String text);
    }

    private static FileLock lock(RandomAccessFile file) throws IOException {
        try {
            return file.getChannel().tryLock();
        } catch (OverlappingFileLockException e) { // by another copy of the agent in this JVM
            return null;
        }
    }

    /** Makes a file that its owner alone can read; one that is there keeps its permissions. */
    private static File own(File file) throws IOException {
        if (file.createNewFile()) {
            file.setReadable(false, false);
            file.setWritable(false, false);
            file.setReadable(true, true);
            file.setWritable(true, true);
        }
        return file;
    }

    /** Before the program's {@code main}, so without what writes JSON: that initialises parts of the JDK for the whole JVM. */
    private void tryToWrite() throws IOException {
        File made = new File(file + ".new");
        try {
            new FileOutputStream(own(made)).close();
        } finally {
            made.delete();
        }
    }

    /**
     * Writes it, if anything has changed.
     *
     * @throws IOException if that fails; then the old one is still there
     */
    public synchronized void write() throws IOException {
        if (closed) {
            return;
        }
        long changes = limiter.changes();
        if (written && changes == writtenChanges) {
            return;
        }
        byte[] now = bytes(limiter.remembered());
        File made = new File(file + ".new");
        if (made.exists() && !made.delete()) {
            throw new IOException(made + " cannot be replaced");
        }
        try {
            try (FileOutputStream out = new FileOutputStream(own(made))) {
                out.write(now);
                out.getFD().sync();
            }
            try {
                Files.move(made.toPath(), file.toPath(), StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException e) {
                Files.move(made.toPath(), file.toPath(), StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            made.delete(); // the half of it that a full disk has taken; it is not there any more if all went well
        }
        written = true;
        writtenChanges = changes;
    }

    /** Writes it for the last time, and gives it free. */
    @Override
    public synchronized void close() throws IOException {
        try {
            write();
        } finally {
            closed = true;
            lockFile.close();
        }
    }

    // ---- what is in it

    private static byte[] bytes(Map<String, Remembered> all) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256 + 256 * all.size());
        try (JsonWriter w = new JsonWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8))) {
            w.beginObject().name("version").value(VERSION).name("keys").beginArray();
            for (Map.Entry<String, Remembered> e : all.entrySet()) {
                Remembered r = e.getValue();
                w.beginObject().name("key").value(e.getKey()).name("time").value(r.time()).name("bucket").value(r.bucket());
                if (r.circuit() != null) {
                    w.name("circuit").value(r.circuit());
                }
                if (r.learned() != null) {
                    w.name("learned").value(r.learned());
                }
                if (!r.windows().isEmpty()) {
                    w.name("windows").beginArray();
                    for (String window : r.windows()) {
                        w.value(window);
                    }
                    w.endArray();
                }
                w.endObject();
            }
            w.endArray().endObject();
        }
        return bytes.toByteArray();
    }

    private static Map<String, Remembered> read(File file) throws IOException {
        Map<String, Remembered> all = new LinkedHashMap<>();
        long now = System.currentTimeMillis();
        try (Reader in = new InputStreamReader(new FileInputStream(file), StandardCharsets.UTF_8); JsonReader r = new JsonReader(in)) {
            r.beginObject();
            while (r.hasNext()) {
                String name = r.nextName();
                if (name.equals("version")) {
                    int version = r.nextInt();
                    if (version != VERSION) {
                        throw new IOException("version " + version + ", and not " + VERSION);
                    }
                } else if (name.equals("keys")) {
                    r.beginArray();
                    while (r.hasNext()) {
                        readKey(r, now, all);
                    }
                    r.endArray();
                } else {
                    r.skipValue();
                }
            }
            r.endObject();
            if (r.peek() != JsonToken.END_DOCUMENT) {
                throw new IOException("something follows its end");
            }
        }
        return all;
    }

    private static void readKey(JsonReader r, long now, Map<String, Remembered> all) throws IOException {
        String key = null;
        long time = 0;
        long bucket = 0;
        String circuit = null;
        String learned = null;
        List<String> windows = new ArrayList<>();
        r.beginObject();
        while (r.hasNext()) {
            switch (r.nextName()) {
                case "key":
                    key = r.nextString();
                    break;
                case "time":
                    time = r.nextLong();
                    break;
                case "bucket":
                    bucket = r.nextLong();
                    break;
                case "circuit":
                    circuit = r.nextString();
                    break;
                case "learned":
                    learned = r.nextString();
                    break;
                case "windows":
                    r.beginArray();
                    while (r.hasNext()) {
                        windows.add(r.nextString());
                    }
                    r.endArray();
                    break;
                default:
                    r.skipValue();
            }
        }
        r.endObject();
        if (key != null && now - time <= OLDEST) {
            all.put(key, new Remembered(time, bucket, circuit, learned, windows));
        }
    }
}
