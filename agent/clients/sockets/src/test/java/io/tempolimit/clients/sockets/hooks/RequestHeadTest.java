package io.tempolimit.clients.sockets.hooks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "GET / HTTP/1.1~Host: shop.example~~ | shop.example",
        "GET / HTTP/1.1~Accept: */*~host:shop.example:8080~~ | shop.example:8080",
        "POST /a?b=c%20d HTTP/1.0~HOST:   [::1]:80  ~~{} | [::1]:80",
        "GET http://shop.example/a HTTP/1.1~Host: proxy.example~~ | shop.example",
        "GET HTTPS://me:secret@shop.example:81?a HTTP/1.1~Host: proxy.example~~ | shop.example:81",
        "GET http://shop.example HTTP/1.1~~ | shop.example",
        "OPTIONS * HTTP/1.1~Host: shop.example~~ | shop.example",
        "PROPFIND /dav/ HTTP/1.1~Depth: 1~Host: shop.example~~ | shop.example",
        "GET / HTTP/1.1~X-Host: a.example~Host: shop.example~~ | shop.example",
        "GET hello HTTP/1.1~Host: shop.example~~ | shop.example"})
    void whereItGoes(String text, String host) {
        RequestHead head = of(text);
        assertEquals(host, head.host());
        assertFalse(head.http2());
    }

    /** The peer is asked then. */
    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.0~~", "GET / HTTP/1.1~", "GET / HTTP/1.1~Accept: */*~~Host: body.example~",
        "GET / HTTP/1.1~Host: shop.exam", "GET / HTTP/1.1~Host:  ~~"})
    void itDoesNotSay(String text) {
        RequestHead head = of(text);
        assertNotNull(head, text);
        assertNull(head.host(), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK~Host: shop.example~~", "CONNECT shop.example:443 HTTP/1.1~Host: shop.example:443~~",
        "RETR /file.txt~", "GET /a line without an end", "GET /~Host: shop.example~~", "SELECT /* a */ 1 FROM t WHERE a = 'HTTP/1.1'~",
        "GET / HTTP/2.0~~", "GET / HTTP/1.1", "OPTIONS rtsp://shop.example/a RTSP/1.0~", "", "~", "~~ HTTP/1.1~"})
    void whatIsNoRequest(String text) {
        assertNull(of(text), text);
    }

    @Test
    void aConnectionOfHttp2() {
        RequestHead head = of("PRI * HTTP/2.0~~SM~~");
        assertTrue(head.http2());
        assertNull(head.host());
    }

    /** The lines' ends may be bare. */
    @Test
    void lineFeeds() {
        byte[] bytes = "GET / HTTP/1.1\nHost: shop.example\n\n".getBytes(StandardCharsets.ISO_8859_1);
        assertEquals("shop.example", RequestHead.of(bytes, 0, bytes.length).host());
    }

    /** However a head is cut into buffers, and wherever they begin, it is the same, and no buffer moves. */
    @Test
    void anyBuffers() {
        Random random = new Random(16);
        for (int round = 0; round < 2_000; round++) {
            String cookie = "x".repeat(random.nextInt(3_000));
            byte[] bytes = bytes("GET /a HTTP/1.1~Cookie: " + cookie + "~Host: shop.example~~body");
            int n = 1 + random.nextInt(4);
            ByteBuffer[] buffers = new ByteBuffer[n + 1];
            buffers[0] = random.nextBoolean() ? null : ByteBuffer.allocate(0);
            for (int i = 0, at = 0; i < n; i++) {
                int length = i == n - 1 ? bytes.length - at : random.nextInt(bytes.length - at + 1);
                int before = random.nextInt(3);
                ByteBuffer b = random.nextBoolean() ? ByteBuffer.allocate(before + length) : ByteBuffer.allocateDirect(before + length);
                b.position(before);
                b.put(bytes, at, length).position(before);
                buffers[i + 1] = random.nextBoolean() ? b : b.asReadOnlyBuffer();
                at += length;
            }
            int[] positions = new int[n];
            for (int i = 0; i < n; i++) {
                positions[i] = buffers[i + 1].position();
            }
            assertEquals("shop.example", RequestHead.of(buffers, 0, n + 1).host());
            for (int i = 0; i < n; i++) {
                assertEquals(positions[i], buffers[i + 1].position());
            }
        }
    }

    /** Whatever is written, nothing is thrown. */
    @Test
    void anyBytes() {
        Random random = new Random(17);
        String[] parts = {"GET", " ", "/", "http://", "@", ":", " HTTP/1.1", "\r\n", "\n", "Host:", "host: a.example", "CONNECT ",
            "PRI * HTTP/2.0", "ä", "\0"};
        for (int round = 0; round < 50_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(10); i > 0; i--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            RequestHead.of(bytes, 0, bytes.length);
            RequestHead.of(new ByteBuffer[] {ByteBuffer.wrap(bytes)}, 0, 1);
        }
    }

    private static RequestHead of(String text) {
        byte[] bytes = bytes(text);
        byte[] within = new byte[bytes.length + 7];
        java.util.Arrays.fill(within, (byte) 'G');
        System.arraycopy(bytes, 0, within, 3, bytes.length);
        return RequestHead.of(within, 3, bytes.length);
    }

    private static byte[] bytes(String text) {
        return text.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }
}
