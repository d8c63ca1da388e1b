package io.tempolimit.detect;

import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link Preparation} has written: numbers of two bytes, and texts. A JVM that has just started runs loops a hundred times
 * slower than later, so nothing is looked for in it. Not safe for use by several threads.
 */
final class Prepared {
    /** Added to a text's length, if all its characters are of ASCII. */
    private static final int ASCII = 0x8000;

    private final byte[] bytes;
    private int at;

    private Prepared(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A file beside this class. */
    static Prepared read(String file) throws IOException {
        try (InputStream in = Prepared.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException(file + " is missing");
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream(Math.max(32, in.available()));
            byte[] buffer = new byte[8192];
            for (int n; (n = in.read(buffer)) >= 0; ) {
                out.write(buffer, 0, n);
            }
            return new Prepared(out.toByteArray());
        }
    }

    /** From 0 to 65,535. */
    int number() {
        byte[] b = bytes;
        int i = at;
        at = i + 2;
        return (b[i] & 255) << 8 | b[i + 1] & 255;
    }

    int[] numbers(int count) {
        int[] numbers = new int[count];
        byte[] b = bytes;
        for (int i = 0, j = at; i < count; i++, j += 2) {
            numbers[i] = (b[j] & 255) << 8 | b[j + 1] & 255;
        }
        at += count * 2;
        return numbers;
    }

    byte[] bytes(int count) {
        at += count;
        return Arrays.copyOfRange(bytes, at - count, at);
    }

    @SuppressWarnings("deprecation") // right for ASCII, and fast before there is compiled code
    String text() {
        int length = number();
        int from = at;
        if (length >= ASCII) {
            at = from + length - ASCII;
            return new String(bytes, 0, from, length - ASCII);
        }
        at = from + length;
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    /** As many as the number before them says. */
    String[] texts() {
        String[] texts = new String[number()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = text();
        }
        return texts;
    }

    static void write(DataOutput out, int number) throws IOException {
        if (number < 0 || number > 0xffff) {
            throw new IllegalArgumentException("not a number of two bytes: " + number);
        }
        out.writeShort(number);
    }

    static void write(DataOutput out, int[] numbers, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            write(out, numbers[i]);
        }
    }

    static void write(DataOutput out, String text) throws IOException {
        byte[] b = text.getBytes(StandardCharsets.UTF_8);
        if (b.length >= ASCII) {
            throw new IllegalArgumentException("too long: " + text);
        }
        write(out, b.length + (b.length == text.length() ? ASCII : 0));
        out.write(b);
    }

    static void write(DataOutput out, String[] texts) throws IOException {
        write(out, texts.length);
        for (String text : texts) {
            write(out, text);
        }
    }
}
