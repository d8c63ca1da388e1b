package io.tempolimit.detect;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/** From a charset to UTF-8. Memory: 6 KB. */
final class Conversion {
    private static final int CHUNK = 1024;

    private final CharsetDecoder decoder;
    private final ByteBuffer in = ByteBuffer.allocate(CHUNK);
    private final CharBuffer chars = CharBuffer.allocate(CHUNK);
    private final byte[] out = new byte[3 * CHUNK];

    Conversion(Charset charset) {
        decoder = charset.newDecoder().onMalformedInput(CodingErrorAction.REPLACE).onUnmappableCharacter(CodingErrorAction.REPLACE);
    }

    void push(byte[] b, int from, int to, Document document) {
        int i = from;
        while (i < to) {
            int n = Math.min(in.remaining(), to - i);
            in.put(b, i, n);
            i += n;
            decode(document, false);
        }
    }

    void finish(Document document) {
        decode(document, true);
        chars.clear();
        decoder.flush(chars);
        write(document);
    }

    private void decode(Document document, boolean end) {
        in.flip();
        CoderResult result;
        do {
            chars.clear();
            result = decoder.decode(in, chars, end);
            write(document);
        } while (result.isOverflow());
        in.compact();
        if (!in.hasRemaining()) {
            in.clear(); // cannot be, but it must not go on for ever
        }
    }

    private void write(Document document) {
        int n = 0;
        int length = chars.position();
        char[] array = chars.array();
        for (int i = 0; i < length; i++) {
            char c = array[i];
            if (c < 0x80) {
                out[n++] = (byte) c;
            } else if (c < 0x800) {
                out[n++] = (byte) (0xc0 | c >> 6);
                out[n++] = (byte) (0x80 | c & 0x3f);
            } else if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(array[i + 1])) {
                int point = Character.toCodePoint(c, array[++i]);
                out[n++] = (byte) (0xf0 | point >> 18);
                out[n++] = (byte) (0x80 | point >> 12 & 0x3f);
                out[n++] = (byte) (0x80 | point >> 6 & 0x3f);
                out[n++] = (byte) (0x80 | point & 0x3f);
            } else {
                out[n++] = (byte) (0xe0 | c >> 12);
                out[n++] = (byte) (0x80 | c >> 6 & 0x3f);
                out[n++] = (byte) (0x80 | c & 0x3f);
            }
        }
        document.read(out, 0, n);
    }
}
