package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Reads documents in tests. */
final class Reading {
    static final String HTML = "text/html; charset=utf-8";
    private static final int LIMIT = 512 << 10;

    private Reading() {
    }

    static Page html(String page, String pattern, Place... places) {
        return read(patterns(pattern, places), HTML, null, page.getBytes(StandardCharsets.UTF_8));
    }

    static Page html(String page) {
        return html(page, "?never?", Place.TEXT);
    }

    static Patterns patterns(String pattern, Place... places) {
        Patterns.Builder builder = new Patterns.Builder();
        builder.add(pattern, places);
        return builder.build();
    }

    static Page read(Patterns patterns, String type, String encoding, byte[] body) {
        return read(patterns, type, encoding, body, LIMIT, new int[] {body.length});
    }

    /** In chunks of the given sizes, the last one repeating. */
    static Page read(Patterns patterns, String type, String encoding, byte[] body, int limit, int[] chunks) {
        PageReader reader = new PageReader(patterns, type, encoding, false, limit);
        int chunk = 0;
        for (int i = 0; i < body.length; ) {
            int n = Math.min(Math.max(1, chunks[Math.min(chunk++, chunks.length - 1)]), body.length - i);
            byte[] lent = Arrays.copyOfRange(body, i, i + n);
            boolean more = reader.add(lent, 0, n);
            Arrays.fill(lent, (byte) '<'); // the application's again
            i += n;
            if (!more) {
                break;
            }
        }
        return reader.end(true);
    }

    static int[] randomChunks(Random random) {
        int[] chunks = new int[200];
        int max = 1 + random.nextInt(random.nextBoolean() ? 5 : 700);
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = 1 + random.nextInt(max);
        }
        return chunks;
    }

    /** All that a page says, to be compared. */
    static String describe(Page page, int patterns) {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < patterns; i++) {
            s.append(page.has(i) ? '1' : '0');
        }
        return s + " title=" + page.title() + " visible=" + page.visibleCharacters() + " html=" + page.html()
                + " scripts=" + page.scripts() + " links=" + page.links() + " inputs="
                + page.inputs() + " embedded=" + page.embedded() + " bytes=" + page.bytes() + " complete="
                + page.complete() + " unreadable=" + page.unreadable();
    }
}
