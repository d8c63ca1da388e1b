package io.tempolimit.detect;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What was last seen at one place of a document, as far as a string may begin in it, in which to look for strings.
 * Memory: its size, 2 KB if nothing else is said, or four times the longest string. Nothing is allocated before the first byte.
 */
final class Window {
    private static final byte[] NONE = {};
    private static final int SIZE = 2048;
    /** For what pages have little of. */
    static final int SMALL = 1024;

    private final Strings strings;
    private final long[] found;
    private final int size;
    /** To be written to from {@link #length} on, after {@link #room}. */
    byte[] bytes = NONE;
    int length;
    /** Whether any of what came is no longer there. */
    private boolean dropped;
    private ByteBuffer view;

    Window(Strings strings, long[] found) {
        this(strings, found, SIZE);
    }

    Window(Strings strings, long[] found, int size) {
        this.strings = strings;
        this.found = found;
        this.size = size;
    }

    /** Makes room for {@code n} bytes, at most 1024, or for more; the answer is how many fit. */
    int room(int n) {
        if (bytes.length - length < n) {
            if (bytes.length == 0) {
                bytes = new byte[Math.max(size, 4 * strings.longest)];
                view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            } else {
                find();
            }
        }
        return bytes.length - length;
    }

    void put(int b) {
        if (length == bytes.length) {
            room(1);
        }
        bytes[length++] = (byte) b;
    }

    void put(byte[] b, int from, int to) {
        for (int i = from; i < to; ) {
            int n = Math.min(room(1), to - i);
            System.arraycopy(b, i, bytes, length, n);
            length += n;
            i += n;
        }
    }

    /** Puts a character as UTF-8. */
    void putCharacter(int c) {
        if (c < 0x80) {
            put(c);
            return;
        }
        if (c < 0x800) {
            put(0xc0 | c >> 6);
        } else {
            if (c < 0x10000) {
                put(0xe0 | c >> 12);
            } else {
                put(0xf0 | c >> 18);
                put(0x80 | c >> 12 & 0x3f);
            }
            put(0x80 | c >> 6 & 0x3f);
        }
        put(0x80 | c & 0x3f);
    }

    /** All that has come, with a blank at either end; null if it was more than fits. To be asked before the last {@link #find}. */
    byte[] whole() {
        if (dropped) {
            return null;
        }
        byte[] whole = new byte[length + 2];
        System.arraycopy(bytes, 0, whole, 1, length);
        whole[0] = ' ';
        whole[length + 1] = ' ';
        return whole;
    }

    /** Looks for strings in what has come, and drops what no longer matters. */
    void find() {
        if (strings.isEmpty() || length == 0) {
            length = 0;
            return;
        }
        strings.find(bytes, view, length, found);
        int kept = Math.min(length, strings.longest - 1);
        dropped |= kept < length;
        System.arraycopy(bytes, length - kept, bytes, 0, kept);
        length = kept;
    }
}
