package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RobotsTest {
    private static final String BROWSER = "Mozilla/5.0 (compatible; ShopBot/2.1; +https://shop.example/bot)";

    private static Head head(int status, String... headers) {
        return new Head() {
            @Override
            public int status() {
                return status;
            }

            @Override
            public void headers(Headers to) {
                for (int i = 0; i < headers.length; i += 2) {
                    to.add(headers[i], headers[i + 1]);
                }
            }
        };
    }

    /** Seconds; -1 if it is not known. */
    private static double delay(String userAgent, String file) {
        return delay(userAgent, file.getBytes(StandardCharsets.UTF_8), true, "Content-Type", "text/plain");
    }

    private static double delay(String userAgent, byte[] file, boolean complete, String... headers) {
        Robots whole = Robots.of(head(200, headers), userAgent);
        whole.add(file, 0, file.length);
        long delay = whole.end(complete);
        Robots bytes = Robots.of(head(200, headers), userAgent);
        for (byte b : file) {
            bytes.add(new byte[] {b}, 0, 1);
        }
        assertEquals(delay, bytes.end(complete), "byte by byte");
        Robots buffer = Robots.of(head(200, headers), userAgent);
        buffer.add(ByteBuffer.allocateDirect(file.length).put(file).flip());
        assertEquals(delay, buffer.end(complete), "out of a buffer");
        return delay < 0 ? -1 : delay / 1e9;
    }

    @ParameterizedTest
    @CsvSource({"10,10", "0.5,0.5", "1.25,1.25", ".5,0.5", "3.,3", "0,0", "300,300", "301,300", "86400,300",
        "99999999999999999999999,300", "-5,0", "1e3,0", "abc,0", "'',0",
        "'1,5',0", "10s,0", "NaN,0", "1.2.3,0", ".,0", "' 7 # seconds',7", "'+3',0"})
    void aDelayIsANumberOfSeconds(String value, double expected) {
        assertEquals(expected, delay(null, "User-agent: *\nCrawl-delay: " + value + "\nDisallow: /x"));
    }

    @Test
    void theGroupOfTheApplicationsNameIsItsOwn() {
        String file = "User-agent: *\nCrawl-delay: 10\n\nUser-agent: ShopBot\nCrawl-delay: 2\n\nUser-agent: Other\nCrawl-delay: 30\n";
        assertEquals(2, delay(BROWSER, file));
        assertEquals(2, delay("shopbot", file));
        assertEquals(10, delay("Mozilla/5.0 (X11)", file));
        assertEquals(10, delay("MyShopBot/1.0", file), "a whole word");
        assertEquals(10, delay(null, file));
        assertEquals(0, delay(null, "User-agent: Other\nCrawl-delay: 30"));
        assertEquals(2, delay(BROWSER, "User-agent: ShopBot\nCrawl-delay: 2\nUser-agent: *\nCrawl-delay: 10"), "in any order");
        assertEquals(2, delay(BROWSER, "user-AGENT : shopbot/1.0\nCRAWL-DELAY:2"), "in any case, whatever the version");
    }

    @Test
    void aGroupForItWithoutADelayIsNone() {
        assertEquals(0, delay(BROWSER, "User-agent: *\nCrawl-delay: 10\nUser-agent: ShopBot\nDisallow: /x"));
        assertEquals(0, delay(BROWSER, "User-agent: ShopBot\nDisallow: /x\n\nUser-agent: *\nCrawl-delay: 10"));
    }

    @Test
    void theLongestNameIsTheMostSpecific() {
        assertEquals(5, delay("shop-bot-images/1.0 shop", "User-agent: shop\nCrawl-delay: 2\nUser-agent: shop-bot-images\nCrawl-delay: 5"));
        assertEquals(5, delay("shop-bot-images/1.0 shop",
                "User-agent: shop-bot-images\nCrawl-delay: 5\nUser-agent: shop\nCrawl-delay: 20"));
    }

    @Test
    void groupsOfOneNameCountTogether() {
        assertEquals(7, delay(null, "User-agent: *\nCrawl-delay: 3\nUser-agent: x\nCrawl-delay: 50\nUser-agent: "
                + "*\nCrawl-delay: 7\nCrawl-delay: 1"));
        assertEquals(3, delay(null, "User-agent: *\nCrawl-delay: 3\nUser-agent: x\nCrawl-delay: 50\nUser-agent: *\nDisallow: /"));
    }

    @Test
    void aGroupMayHaveSeveralNames() {
        String file = "User-agent: a\nUser-agent: ShopBot\n\n# both\nUser-agent: b\nCrawl-delay: 4\nUser-agent: *\nCrawl-delay: 9";
        assertEquals(4, delay(BROWSER, file));
        assertEquals(9, delay("c", file));
        assertEquals(4, delay("b", file));
    }

    @Test
    void whatBelongsToNoGroupEndsNone() {
        assertEquals(4, delay(null, "Crawl-delay: 99\nUser-agent: *\nSitemap: https://a.example/s.xml\nHost: "
                + "a.example\nnonsense\n\n\nCrawl-delay: 4"));
        assertEquals(0, delay(null, "Crawl-delay: 99"));
        assertEquals(0, delay(null, ""));
    }

    @Test
    void linesEndAsTheyLike() {
        for (String end : Arrays.asList("\n", "\r\n", "\r", "\n\n", "\r\r\n")) {
            assertEquals(6, delay(null, "\ufeffUser-agent: *" + end + "Crawl-delay: 6" + end));
            assertEquals(6, delay(null, "User-agent: *" + end + "Crawl-delay: 6"));
        }
    }

    @Test
    void halfAMegabyteIsRead() {
        byte[] file = new byte[600 << 10];
        Arrays.fill(file, (byte) '#');
        byte[] begin = "User-agent: *\nCrawl-delay: 6\n".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(begin, 0, file, 0, begin.length);
        byte[] late = "\nCrawl-delay: 60\n".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(late, 0, file, 510 << 10, late.length);
        Robots robots = Robots.of(head(200), null);
        assertFalse(robots.add(file, 0, file.length));
        assertEquals(6e9, robots.end(false));
        Arrays.fill(file, (byte) '#');
        robots = Robots.of(head(200), null);
        robots.add(file, 0, file.length);
        assertEquals(0, robots.end(false), "so much is all of it");
        System.arraycopy(late, 0, file, 400 << 10, late.length);
        System.arraycopy("User-agent: *\n".getBytes(StandardCharsets.US_ASCII), 0, file, 0, 14);
        robots = Robots.of(head(200), null);
        robots.add(file, 0, file.length);
        assertEquals(60e9, robots.end(false), "lines may be long");
    }

    @Test
    void aFileThatWasNotReadToItsEndLiftsNothing() {
        assertEquals(-1, delay(null, "User-agent: *\n".getBytes(StandardCharsets.US_ASCII), false));
        assertEquals(-1, delay(null, "User-agent: *\nCrawl-delay: 1".getBytes(StandardCharsets.US_ASCII), false),
                "it may have been about to say 10");
        assertEquals(1, delay(null, "User-agent: *\nCrawl-delay: 1\n".getBytes(StandardCharsets.US_ASCII), false));
    }

    @Test
    void itMayBeCompressed() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write("User-agent: *\nCrawl-delay: 8\n".getBytes(StandardCharsets.US_ASCII));
        }
        assertEquals(8, delay(null, out.toByteArray(), true, "content-type", "text/plain; charset=utf-8", "content-encoding", "gzip"));
        assertEquals(8, delay(null, "User-agent: *\nCrawl-delay: 8\n".getBytes(StandardCharsets.US_ASCII), true,
                "Content-Encoding", "gzip"), "decoded by the client");
        assertEquals(-1, delay(null, Arrays.copyOf(out.toByteArray(), 20), true, "Content-Encoding", "gzip"));
    }

    @Test
    void onlyA200WithATextIsOne() {
        assertNotNull(Robots.of(head(200), null));
        assertNotNull(Robots.of(head(200, "Content-Type", "text/plain;charset=UTF-8"), null));
        assertNull(Robots.of(head(200, "Content-Type", "text/html; charset=UTF-8"), null));
        assertNull(Robots.of(head(200, "Content-Type", "application/json"), null));
        assertNull(Robots.of(head(404, "Content-Type", "text/plain"), null));
        assertNull(Robots.of(head(206, "Content-Type", "text/plain"), null));
    }
}
