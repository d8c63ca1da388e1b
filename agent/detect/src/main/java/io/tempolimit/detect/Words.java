package io.tempolimit.detect;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What block pages speak of: the subjects of {@code words.txt}. Immutable. */
final class Words {
    /** Names of the subjects, in the order of their bits. */
    final List<String> names;
    /** What they are, in plain words. */
    final List<String> meanings;
    /** In text, whose signs are made blanks. */
    private final Strings strings;
    /** In data, as it is. */
    private final Strings signs;
    private final Map<String, Long> bits = new HashMap<>();
    /** What walls say, as bits. */
    private final long[] walls;

    Words(String[] names, String[] meanings, Strings strings, Strings signs) {
        this.names = Arrays.asList(names);
        this.meanings = Arrays.asList(meanings);
        this.strings = strings;
        this.signs = signs;
        for (int i = 0; i < names.length; i++) {
            bits.put(names[i], 1L << i);
        }
        walls = Walls.of(this);
    }

    /** The bits of these subjects. One that is unknown has the highest, which is never found. */
    long bits(String... subjects) {
        long all = 0;
        for (String name : subjects) {
            Long its = bits.get(name);
            all |= its == null ? Long.MIN_VALUE : its;
        }
        return all;
    }

    /** Whether all subjects of one of the walls are found. */
    boolean isWall(long found) {
        for (long wall : walls) {
            if ((found & wall) == wall) {
                return true;
            }
        }
        return false;
    }

    /** Which subjects a text, as {@link Page#whole} gives it, speaks of: a bit for each. */
    long in(byte[] text) {
        long[] found = new long[1];
        signs.find(text, ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN), text.length, found);
        byte[] words = blanks(text);
        strings.find(words, ByteBuffer.wrap(words).order(ByteOrder.LITTLE_ENDIAN), words.length, found);
        if (parts(words)) {
            strings.find(words, ByteBuffer.wrap(words).order(ByteOrder.LITTLE_ENDIAN), words.length, found);
        }
        return found[0];
    }

    /** Takes words with hyphens apart: a web-browser is a browser. Whether there were any. */
    private static boolean parts(byte[] words) {
        boolean any = false;
        for (int i = 1; i + 1 < words.length; i++) {
            if (words[i] == '-' && words[i - 1] != ' ' && words[i + 1] != ' ') {
                words[i] = ' ';
                any = true;
            }
        }
        return any;
    }

    /** A text whose signs are blanks, one for all that stand together: ASCII's, Latin-1's such as ¿, and general punctuation. */
    static byte[] blanks(byte[] text) {
        byte[] to = new byte[text.length];
        int n = 0;
        for (int i = 0; i < text.length; i++) {
            int c = text[i];
            boolean sign = c >= 0 && c < '0' && c != '-' || c > '9' && c < 'A' || c > 'Z' && c < 'a' && c != '_' || c > 'z';
            if (c == (byte) 0xc2 && i + 1 < text.length) {
                sign = true;
                i++;
            } else if (c == (byte) 0xe2 && i + 2 < text.length && text[i + 1] == (byte) 0x80) {
                sign = true;
                i += 2;
            }
            if (!sign || n == 0 || to[n - 1] != ' ') {
                to[n++] = sign ? (byte) ' ' : (byte) c;
            }
        }
        return Arrays.copyOf(to, n);
    }

    /** The same of a title. */
    long in(String title) {
        return title == null ? 0 : in((' ' + title + ' ').getBytes(StandardCharsets.UTF_8));
    }
}
