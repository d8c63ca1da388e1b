package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class EncodingsTest {
    private static final byte[] PAGE = ("<title>Just a moment...</title><p>Checking your browser</p>"
            + "<p>filler</p>".repeat(900) + "<p>the end</p>").getBytes(StandardCharsets.UTF_8);
    /** {@code <title>Just a moment...</title><p>Checking your browser</p>}, by Google's encoder. */
    private static final byte[] BROTLI = Base64.getDecoder().decode("GzoAYIyUqetTg/CEwQkf2IAD9nqweY+x86RELAWcAgvH9h3ifjoZoGqsEg==");
    private static final Patterns PATTERNS = patterns();

    private static Patterns patterns() {
        Patterns.Builder builder = new Patterns.Builder();
        builder.add("checking your browser", Place.TEXT);
        builder.add("the end", Place.TEXT);
        return builder.build();
    }

    static byte[] gzip(byte[] b) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(b);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    static byte[] deflate(byte[] b, boolean raw) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream deflate = new DeflaterOutputStream(out, new Deflater(6, raw))) {
            deflate.write(b);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.write(part, 0, part.length);
        }
        return out.toByteArray();
    }

    /** Brotli that compresses nothing, with a window of 16 MB. */
    static byte[] brotli(byte[] b) {
        Bits bits = new Bits();
        bits.add(4, 0x0f);
        for (int i = 0; i < b.length; i += 8192) {
            int n = Math.min(8192, b.length - i);
            bits.add(1, 0); // not the last
            bits.add(2, 0); // its length in 4 nibbles
            bits.add(16, n - 1);
            bits.add(1, 1); // uncompressed
            bits.align();
            bits.out.write(b, i, n);
        }
        bits.add(1, 1); // the last
        bits.add(1, 1); // and empty
        bits.align();
        return bits.out.toByteArray();
    }

    private static final class Bits {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private int held;
        private int count;

        void add(int n, int value) {
            for (int i = 0; i < n; i++) {
                held |= (value >> i & 1) << count;
                if (++count == 8) {
                    align();
                }
            }
        }

        void align() {
            if (count > 0) {
                out.write(held);
                held = 0;
                count = 0;
            }
        }
    }

    private static Page read(String encoding, byte[] body) {
        return Reading.read(PATTERNS, "text/html", encoding, body);
    }

    private static void isThePage(String encoding, byte[] body) {
        for (int chunk : new int[] {body.length, 1, 7, 1000}) {
            Page page = Reading.read(PATTERNS, "text/html", encoding, body, 512 << 10, new int[] {chunk});
            assertTrue(page.has(0) && page.has(1), encoding);
            assertEquals("just a moment...", page.title());
            assertEquals(PAGE.length, page.bytes());
            assertTrue(page.complete(), encoding);
            assertFalse(page.unreadable(), encoding);
        }
    }

    @Test
    void everyEncoding() {
        isThePage(null, PAGE);
        isThePage("identity", PAGE);
        isThePage("", PAGE);
        isThePage("gzip", gzip(PAGE));
        isThePage("X-GZIP", gzip(PAGE));
        isThePage("deflate", deflate(PAGE, false));
        isThePage("deflate", deflate(PAGE, true));
        isThePage("br", brotli(PAGE));
    }

    @Test
    void severalEncodingsInARow() {
        isThePage("gzip, identity", gzip(PAGE));
        isThePage("gzip, br", brotli(gzip(PAGE)));
        isThePage("br,gzip", gzip(brotli(PAGE)));
        isThePage("gzip, gzip", gzip(gzip(PAGE)));
        isThePage("deflate, gzip", gzip(deflate(PAGE, true)));
        assertTrue(read("gzip, gzip, gzip", gzip(gzip(gzip(PAGE)))).unreadable());
    }

    @Test
    void brotliByGooglesEncoder() {
        Page page = read("br", BROTLI);
        assertTrue(page.has(0));
        assertEquals("just a moment...", page.title());
        assertTrue(page.complete());
    }

    @Test
    void gzipInSeveralMembersWithEveryHeaderField() {
        byte[] first = Arrays.copyOf(PAGE, 5000);
        byte[] rest = Arrays.copyOfRange(PAGE, 5000, PAGE.length);
        isThePage("gzip", join(gzip(first), gzip(rest)));
        isThePage("gzip", join(gzip(PAGE), new byte[] {0, 0, 0, 0}));
        byte[] plain = gzip(PAGE);
        byte[] head = Arrays.copyOf(plain, 10);
        head[3] = 4 + 8 + 16 + 2;
        byte[] fields = {3, 0, 'a', 'b', 'c', 'n', 'a', 'm', 'e', 0, 'c', 'o', 'm', 0, 1, 2};
        isThePage("gzip", join(head, fields, Arrays.copyOfRange(plain, 10, plain.length)));
    }

    @Test
    void aBodyThatBreaksOffSaysWhatItHadSaidUntilThen() {
        for (String encoding : new String[] {"gzip", "deflate"}) {
            byte[] body = encoding.equals("gzip") ? gzip(PAGE) : deflate(PAGE, false);
            Page page = read(encoding, Arrays.copyOf(body, body.length - 20));
            assertTrue(page.has(0), encoding);
            assertFalse(page.complete(), encoding);
            assertFalse(page.unreadable(), encoding);
        }
        PageReader reader = new PageReader(PATTERNS, "text/html", null, false, 1000);
        reader.add(PAGE, 0, 100);
        assertFalse(reader.end(false).complete());
    }

    @Test
    void brotliThatIsLongerThanWhatIsKeptSaysWhatItsBeginningSays() {
        byte[] page = ("<p>Checking your browser</p>" + "<p>filler</p>".repeat(9000)).getBytes();
        Page read = read("br", brotli(page));
        assertTrue(read.has(0));
        assertFalse(read.complete());
        assertFalse(read.unreadable());
        assertTrue(read.bytes() > 30000, () -> "bytes " + read.bytes());
    }

    @Test
    void bytesThatAreDecodedAlreadyAreTakenAsTheyAre() {
        for (String encoding : new String[] {"gzip", "deflate", "br", "zstd", "br, gzip"}) {
            isThePage(encoding, PAGE);
        }
        PageReader reader = new PageReader(PATTERNS, "text/html", "gzip", true, 1 << 20);
        reader.add(PAGE, 0, PAGE.length);
        assertTrue(reader.end(true).has(1));
    }

    @Test
    void anEmptyBodyIsAnEmptyPageWhateverItsEncoding() {
        for (String encoding : new String[] {null, "gzip", "deflate", "br", "zstd"}) {
            Page page = read(encoding, new byte[0]);
            assertTrue(page.html() && page.complete(), encoding);
            assertEquals(0, page.visibleCharacters());
        }
        for (byte[] body : new byte[][] {gzip(new byte[0]), join(gzip(new byte[0]), gzip(new byte[0]))}) {
            assertTrue(read("gzip", body).complete());
        }
        assertTrue(read("br", new byte[] {0x3b}).complete());
        assertTrue(read("br", new byte[] {6}).complete());
    }

    @Test
    void whatCannotBeDecodedIsUnreadable() {
        byte[] zstd = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 4, 0, 1, 2, 3, 4, 5};
        assertTrue(read("zstd", zstd).unreadable());
        byte[] broken = gzip(PAGE);
        Arrays.fill(broken, 20, 40, (byte) 0xff);
        assertTrue(read("gzip", broken).unreadable());
        byte[] noise = new byte[3000];
        new java.util.Random(1).nextBytes(noise);
        assertTrue(read("br", noise).unreadable());
        assertTrue(read("deflate", noise).unreadable());
    }

    @Test
    void aBombStopsAtTheLimit() {
        byte[] bomb = gzip(new byte[20 << 20]);
        PageReader reader = new PageReader(PATTERNS, "text/html", "gzip", false, 100_000);
        assertFalse(reader.add(bomb, 0, bomb.length));
        Page page = reader.end(true);
        assertEquals(100_000, page.bytes());
        assertFalse(page.complete());
    }

    @Test
    void theLimitIsInDecodedBytes() {
        for (String encoding : new String[] {null, "gzip", "br"}) {
            byte[] body = encoding == null ? PAGE : encoding.equals("br") ? brotli(PAGE) : gzip(PAGE);
            Page exact = Reading.read(PATTERNS, "text/html", encoding, body, PAGE.length, new int[] {100});
            assertTrue(exact.complete() && exact.has(1), encoding);
            Page less = Reading.read(PATTERNS, "text/html", encoding, body, PAGE.length - 20, new int[] {100});
            assertFalse(less.complete() || less.has(1), encoding);
            assertEquals(PAGE.length - 20, less.bytes());
        }
        PageReader none = new PageReader(PATTERNS, "text/html", null, false, 0);
        assertFalse(none.add(PAGE, 0, 10));
        assertFalse(none.end(true).complete());
    }

    @Test
    void buffersOfEveryKindKeepTheirPosition() {
        byte[] body = gzip(PAGE);
        ByteBuffer direct = ByteBuffer.allocateDirect(body.length + 3);
        ByteBuffer heap = ByteBuffer.allocate(body.length + 3);
        for (ByteBuffer b : new ByteBuffer[] {direct, heap}) {
            b.put(new byte[3]).put(body).flip().position(3);
        }
        for (ByteBuffer b : new ByteBuffer[] {direct, heap, heap.asReadOnlyBuffer(), heap.slice()}) {
            int position = b.position();
            PageReader reader = new PageReader(PATTERNS, "text/html", "gzip", false, 1 << 20);
            reader.add(b);
            assertEquals(position, b.position());
            Page page = reader.end(true);
            assertTrue(page.has(1) && page.complete());
        }
    }
}
