package io.tempolimit.detect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What block pages speak of: the subjects of {@code words.txt}; read once a JVM, with the first page of little text. Immutable. */
final class Words {
    /** Names of the subjects, in the order of their bits. */
    final List<String> names = new ArrayList<>(20);
    /** What they are, in plain words. */
    final List<String> meanings = new ArrayList<>(20);
    /** In text, whose signs are made blanks. */
    private final Strings strings;
    /** In data, as it is. */
    private final Strings signs;

    /** Reads them; without any if the file cannot be read. */
    Words(InputStream file) {
        List<byte[]> words = new ArrayList<>(1500);
        List<Integer> ids = new ArrayList<>(1500);
        List<byte[]> ofData = new ArrayList<>();
        List<Integer> idsOfData = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("is ")) {
                    int blank = line.indexOf(' ', 3);
                    names.add(line.substring(3, blank));
                    meanings.add(line.substring(blank + 1));
                } else if (!line.startsWith("#")) {
                    for (String word : line.split(",")) {
                        if (word.indexOf('"') >= 0 || word.indexOf('<') >= 0 || word.indexOf(':') >= 0) {
                            ofData.add(word.getBytes(StandardCharsets.UTF_8));
                            idsOfData.add(names.size() - 1);
                        } else if (!word.isEmpty()) {
                            words.add(blanks(beginning(word).getBytes(StandardCharsets.UTF_8)));
                            ids.add(names.size() - 1);
                        }
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            words.clear();
            ids.clear();
        }
        strings = new Strings(words, ids);
        signs = new Strings(ofData, idsOfData);
    }

    /** With a blank before it, where its alphabet has blanks between words, and no article is written together with them. */
    private static String beginning(String word) {
        if (word.charAt(0) == '~') {
            return word.substring(1);
        }
        boolean begins = Character.isLetter(word.charAt(0)) && word.charAt(0) < 0x530 || word.charAt(0) >= 0x1e00
                && word.charAt(0) < 0x2000;
        return begins ? ' ' + word : word;
    }

    /** Which subjects a text, as {@link Page#whole} gives it, speaks of: a bit for each. */
    long in(byte[] text) {
        long[] found = new long[1];
        signs.find(text, ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN), text.length, found);
        byte[] words = blanks(text);
        strings.find(words, ByteBuffer.wrap(words).order(ByteOrder.LITTLE_ENDIAN), words.length, found);
        return found[0];
    }

    /** A text whose signs are blanks, one for all that stand together: ASCII's, Latin-1's such as ¿, and general punctuation. */
    private static byte[] blanks(byte[] text) {
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
