package io.tempolimit.it.programs;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Notes what the gate lets go, and when, by the gate's own clock. The finished jar has no such thing: the harness puts
 * this class into a copy of it, and calls of it into the copy's {@code Key}. It writes to memory that it shares with
 * the test, named by the property {@value #FILE}: no lock, no I/O, no garbage, for its caller holds the key's lock.
 */
public final class Recorder {
    /** The system property that names the file behind the memory. */
    public static final String FILE = "it.record";
    /** The file's length: first {@link Hiccups}, then records. */
    public static final int BYTES = Hiccups.BYTES + (1 << 23);
    /** A record: what happened, the length of the key's name, when, the name's last bytes. */
    public static final int RECORD = 64;
    /** The longest name, in bytes; of a longer one its end. */
    public static final int NAME = RECORD - 16;
    /** What happened: a request was let go; the one that was let go then was not sent after all. */
    public static final int DEPARTED = 1;
    public static final int UNUSED = 2;

    private static final MappedByteBuffer MEMORY = map(System.getProperty(FILE));
    private static final AtomicInteger NEXT = new AtomicInteger(Hiccups.BYTES);

    static {
        new Hiccups(MEMORY).start();
    }

    private Recorder() {
    }

    private static MappedByteBuffer map(String file) {
        try (RandomAccessFile f = new RandomAccessFile(file, "rw")) {
            return f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A request of this key goes. */
    public static void departed(String key, long now) {
        record(DEPARTED, key, now);
    }

    /** A request of this key that was let go then, if it was, is not sent. */
    public static void unused(boolean granted, String key, long departed) {
        if (granted) {
            record(UNUSED, key, departed);
        }
    }

    private static void record(int what, String key, long nanos) {
        int at = NEXT.getAndAdd(RECORD);
        if (at < 0 || at > BYTES - RECORD) {
            return; // the reader sees that it is full
        }
        int length = Math.min(NAME, key.length());
        MEMORY.putInt(at + 4, length);
        MEMORY.putLong(at + 8, nanos);
        for (int i = 0; i < length; i++) {
            MEMORY.put(at + 16 + i, (byte) key.charAt(key.length() - length + i));
        }
        NEXT.get(); // what stands above is written before what says that it is there
        MEMORY.putInt(at, what);
    }
}
