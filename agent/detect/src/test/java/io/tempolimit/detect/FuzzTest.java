package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Broken bytes of every kind: nothing is thrown, nothing hangs, and it makes no difference in which chunks they come. The seed is fixed;
 * {@code -Dfuzz.seconds=60 -Dfuzz.seed=N} looks further.
 */
class FuzzTest {
    private static final long SEED = Long.getLong("fuzz.seed", 20261128);
    private static final long NANOS = Long.getLong("fuzz.seconds", 0) * 1_000_000_000L;
    private static final int ROUNDS = 1500;

    private static final String[] PIECES = {"<p>", "</p>", "<", ">", "</", "<!", "<!--", "-->", "--!>", "<!-->",
            "<![CDATA[", "]]>", "<?", "?>", "<script>", "</script>", "<script ",
        "<title>", "</title>", "<style>", "</style>", "<svg>", "</svg>", "<svg/>", "<math>", "<textarea>",
        "</textarea>", "<noscript>", "</noscript>", "<template>", "</template>",
        "<plaintext>", "<iframe>", "</iframe>", "<a href=", "<a href='x'>", "<p a=b c>", "<P A = \"b c\" word/>",
        "<INPUT TYPE=Hidden/>", "<b =word>", "<i a='\"' b=>", "<input type=hidden>", "<input type=\"", "\"", "'", "=",
        "/", "/>", " ", "\n", "\t", "&", "&amp;", "&#", "&#x",
        "&#46;", ";", "&nbsp;", "&rsquo;", "&unknown", "&lt", "\u0000", "word", "WORD", "wo", "rd", "b c", "é", "Ж",
        "日本", "\ud83d\ude00", "\u200b", "…", "’", "<meta charset=gbk>",
        "<meta charset=windows-1251>", "{", "[", "12345678901234567890"};
    private static final String[] TYPES = {"text/html", "text/html; charset=utf-8", "text/html;charset=gb2312",
            "text/html; charset=utf-16", "text/html; charset=iso-2022-jp",
        "text/html; charset=utf-7", "text/html; charset=utf-32", "text/html; charset=hz", "text/html; charset=cp037",
        "application/xhtml+xml", null, "", ";", "application/json", "text/plain", "image/png", "charset=\"",
        "text/html; charset"};
    private static final String[] ENCODINGS =
            {null, "gzip", "deflate", "raw", "br", "gzip, br", "br, gzip", "gzip, gzip", "zstd", ",", "identity"};

    private static final int PATTERNS = 9;

    private static Patterns patterns() {
        Patterns.Builder builder = new Patterns.Builder();
        builder.add("word", Place.TEXT);
        builder.add("word", Place.SCRIPT);
        builder.add("word", Place.TAG);
        builder.add("word", Place.COMMENT);
        builder.add("word", Place.ANY);
        builder.add("b c", Place.TEXT, Place.TAG, Place.SCRIPT, Place.COMMENT, Place.ANY);
        builder.add("éж", Place.TEXT, Place.ANY);
        builder.add("日本", Place.TEXT, Place.TAG);
        builder.add("<a href=\"", Place.TAG);
        return builder.build();
    }

    @Test
    void whateverComesInWhateverChunks() {
        Patterns patterns = patterns();
        Random random = new Random(SEED);
        long start = System.nanoTime();
        for (int round = 0; round < ROUNDS || System.nanoTime() - start < NANOS; round++) {
            byte[] plain = document(random);
            if (random.nextInt(4) == 0) {
                mutate(plain, random);
            }
            String encoding = ENCODINGS[random.nextInt(ENCODINGS.length)];
            byte[] body = encoded(plain, encoding);
            if (random.nextInt(4) == 0) {
                mutate(body, random);
            }
            if (random.nextInt(6) == 0) {
                body = Arrays.copyOf(body, random.nextInt(body.length + 1));
            }
            String type = TYPES[random.nextInt(TYPES.length)];
            String header = "raw".equals(encoding) ? "deflate" : encoding;
            int limit = random.nextInt(5) == 0 ? random.nextInt(2000) : 1 << 20;
            byte[] all = body;
            String what = "round " + round + " of seed " + SEED + ": " + type + ", " + encoding + ", limit " + limit
                    + ": " + new String(plain, StandardCharsets.UTF_8);
            Page whole = Reading.read(patterns, type, header, all, limit, new int[] {all.length});
            assertTrue(whole.bytes() <= limit, what);
            String expected = Reading.describe(whole, PATTERNS);
            for (int i = 0; i < 3; i++) {
                int[] chunks = i == 0 ? new int[] {1} : Reading.randomChunks(random);
                Page split = Reading.read(patterns, type, header, all, limit, chunks);
                if (whole.unreadable()) { // how much comes out before a fault is zlib's business
                    assertFalse(split.complete(), what);
                } else {
                    assertEquals(expected, Reading.describe(split, PATTERNS), what);
                }
            }
        }
    }

    private static byte[] document(Random random) {
        StringBuilder s = new StringBuilder();
        if (random.nextInt(10) == 0) {
            s.append('\ufeff');
        }
        int pieces = random.nextInt(random.nextInt(8) == 0 ? 1500 : 60);
        for (int i = 0; i < pieces; i++) {
            String piece = PIECES[random.nextInt(PIECES.length)];
            s.append(random.nextInt(20) == 0 ? piece.substring(random.nextInt(piece.length())) : piece);
        }
        switch (random.nextInt(12)) {
            case 0:
                return s.toString().getBytes(StandardCharsets.UTF_16);
            case 1:
                return s.toString().getBytes(StandardCharsets.UTF_16LE);
            case 2:
                return s.toString().getBytes(StandardCharsets.ISO_8859_1);
            default:
                return s.toString().getBytes(StandardCharsets.UTF_8);
        }
    }

    private static byte[] encoded(byte[] plain, String encoding) {
        switch (String.valueOf(encoding)) {
            case "gzip":
                return EncodingsTest.gzip(plain);
            case "deflate":
                return EncodingsTest.deflate(plain, false);
            case "raw":
                return EncodingsTest.deflate(plain, true);
            case "br":
                return EncodingsTest.brotli(plain);
            case "gzip, br":
                return EncodingsTest.brotli(EncodingsTest.gzip(plain));
            case "br, gzip":
                return EncodingsTest.gzip(EncodingsTest.brotli(plain));
            case "gzip, gzip":
                return EncodingsTest.gzip(EncodingsTest.gzip(plain));
            default:
                return plain;
        }
    }

    private static void mutate(byte[] b, Random random) {
        for (int i = 0; b.length > 0 && i < 1 + random.nextInt(4); i++) {
            b[random.nextInt(b.length)] = (byte) random.nextInt();
        }
    }

    /** Against what a person would write down: pages put together with the text that they show. */
    @Test
    void thePagesTextIsFoundWhereverItIsSplitByMarkup() {
        Random random = new Random(SEED);
        String[] invisible = {"<b>", "</b>", "<!-- x -->", "<script>x</script>", "<style>x</style>",
                "<noscript>x</noscript>", "&shy;", "<a href=x>", "<template><p>x</template>", "\u200b"};
        String[] spaces = {" ", "\n", "<p>", "<br>", "&nbsp;", " <div class='a>b'> ", "</td><td>", "<h1>\n</h1>"};
        for (int round = 0; round < 500; round++) {
            StringBuilder page = new StringBuilder("<html>");
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 20; i++) {
                if (random.nextInt(4) == 0) {
                    page.append(spaces[random.nextInt(spaces.length)]);
                    text.append(text.length() == 0 || text.charAt(text.length() - 1) == ' ' ? "" : " ");
                } else {
                    char c = (char) ('a' + random.nextInt(26));
                    page.append(random.nextInt(5) == 0 ? "&#" + (int) c + ";" : String.valueOf(c));
                    text.append(c);
                }
                if (random.nextInt(3) == 0) {
                    page.append(invisible[random.nextInt(invisible.length)]);
                }
            }
            String shown = text.toString().trim();
            if (shown.isEmpty()) {
                continue;
            }
            Page read = Reading.read(Reading.patterns(shown, Place.TEXT), "text/html", null,
                    page.toString().getBytes(StandardCharsets.UTF_8), 1 << 20, Reading.randomChunks(random));
            assertTrue(read.has(0), () -> page + " shows " + shown);
            assertEquals(shown.length(), read.visibleCharacters(), page::toString);
        }
    }

    @Test
    void nothingTakesMoreThanLinearTime() {
        List<String> hostile = new ArrayList<>(Arrays.asList("<", "&", "<!--", "<!", "</", "<script>", "<script><!--",
                "</scrip", "<title>", "&#x", "<a ", "<a b=", "<a b='", "<svg>", "<![CDATA[", "]]",
                "<template>", "\u00c3", "wor", "wwo", "--", "<p ", "="));
        Patterns patterns = patterns();
        Assertions.assertTimeout(Duration.ofSeconds(20), () -> {
            for (String piece : hostile) {
                byte[] b = piece.getBytes(StandardCharsets.UTF_8);
                byte[] body = new byte[1 << 18];
                for (int i = 0; i < body.length; i++) {
                    body[i] = b[i % b.length];
                }
                assertFalse(Reading.read(patterns, "text/html", null, body, body.length, new int[] {1 << 13}).unreadable());
            }
        });
    }
}
