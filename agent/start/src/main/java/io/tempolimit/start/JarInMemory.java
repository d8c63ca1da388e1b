package io.tempolimit.start;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A jar as bytes, whose entries are inflated when they are asked for: {@link java.util.zip.ZipFile} wants a file,
 * {@link java.util.zip.ZipInputStream} inflates all there is. For jars of our own build: with no comment at their end,
 * nothing encrypted, and less than 4 GB. Thread-safe.
 */
final class JarInMemory {
    /** Lengths of the three kinds of records without what is of any length. */
    private static final int END = 22;
    private static final int ENTRY = 46;
    private static final int LOCAL = 30;

    private final byte[] jar;
    /** Where the central record of each begins. */
    private final Map<String, Integer> entries = new HashMap<>();

    JarInMemory(byte[] jar) throws IOException {
        this.jar = jar;
        int end = jar.length - END;
        if (end < 0 || four(end) != 0x06054b50) {
            throw new IOException("not a jar");
        }
        int at = four(end + 16);
        for (int n = two(end + 10); n > 0; n--) {
            int name = two(at + 28);
            entries.put(name(at + ENTRY, name), at);
            at += ENTRY + name + two(at + 30) + two(at + 32);
        }
    }

    /** The entry's content; null if there is none of this name. */
    byte[] read(String name) throws IOException {
        Integer at = entries.get(name);
        if (at == null) {
            return null;
        }
        int local = four(at + 42);
        int from = local + LOCAL + two(local + 26) + two(local + 28);
        byte[] content = new byte[four(at + 24)];
        if (two(at + 10) == 0) {
            System.arraycopy(jar, from, content, 0, content.length);
            return content;
        }
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(jar, from, four(at + 20));
            for (int n = 0, r; n < content.length; n += r) {
                r = inflater.inflate(content, n, content.length - n);
                if (r == 0) {
                    throw new IOException(name + " is cut short");
                }
            }
            return content;
        } catch (DataFormatException e) {
            throw new IOException(name + " is broken", e);
        } finally {
            inflater.end();
        }
    }

    /** ASCII, as all our names are. */
    @SuppressWarnings("deprecation")
    private String name(int from, int length) {
        return new String(jar, 0, from, length);
    }

    private int two(int at) {
        return jar[at] & 255 | (jar[at + 1] & 255) << 8;
    }

    private int four(int at) {
        return two(at) | two(at + 2) << 16;
    }
}
