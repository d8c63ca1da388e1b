package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A response takes at most 64 KB however large its body is. What was allocated until its end is more than what is held at any time. */
class FootprintTest {
    /** What zlib has beside the heap: its window and its state. */
    private static final int ZLIB = 40 << 10;
    private static final int MOST = 64 << 10;

    private static final String PAGE = "<html><head><title>a title</title><!-- a comment --><script>a script;"
            + "var a = 1;".repeat(20_000) + "</script></head><body>"
            + "<p class=\"a\" id='b'>some text &amp; <b>more</b>, Ж</p><!-- c --><script>x()</script>".repeat(20_000) + "</body></html>";

    private static Patterns patterns() {
        Patterns.Builder builder = new Patterns.Builder();
        for (Place place : Place.values()) {
            for (int i = 0; i < 100; i++) {
                builder.add("never there, number " + i, place);
            }
        }
        return builder.build();
    }

    private static long allocated(Patterns patterns, String type, String encoding, byte[] body) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        PageReader reader = new PageReader(patterns, type, encoding, false, 512 << 10);
        int i = 0;
        while (i < body.length && reader.add(body, i, Math.min(1500, body.length - i))) {
            i += 1500;
        }
        long after = threads.getCurrentThreadAllocatedBytes();
        reader.end(false);
        return after - before;
    }

    @Test
    void aResponseTakesAtMost64KB() {
        Patterns patterns = patterns();
        byte[] utf8 = PAGE.getBytes(StandardCharsets.UTF_8);
        byte[] russian = PAGE.getBytes(Charset.forName("windows-1251"));
        byte[] noise = new byte[40_000]; // so that nothing is decoded yet
        new java.util.Random(1).nextBytes(noise);
        for (int i = 0; i < 3; i++) { // classes are loaded in the first round
            long html = allocated(patterns, "text/html", null, utf8);
            long converted = allocated(patterns, "text/html; charset=windows-1251", null, russian);
            long gzip = allocated(patterns, "text/html; charset=windows-1251", "gzip", EncodingsTest.gzip(russian));
            long brotli = allocated(patterns, "text/html", "br", noise);
            long both = allocated(patterns, "text/html", "gzip, br", noise);
            long image = allocated(patterns, "image/png", null, utf8);
            if (i > 0) {
                String all = "html " + html + ", converted " + converted + ", gzip " + gzip + ", brotli " + brotli
                        + ", both " + both + ", image " + image;
                assertTrue(html < 16 << 10 && converted < 24 << 10 && gzip + ZLIB < MOST && brotli < MOST && both < MOST
                        && image < 1 << 10, all);
            }
        }
    }
}
