package io.tempolimit.clients.sockets.hooks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

class AnswerHeadTest {
    private static byte[] bytes(String text) {
        return text.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    /** In pieces of any length. */
    private static AnswerHead read(String text, Random random) {
        byte[] all = bytes(text);
        AnswerHead head = new AnswerHead();
        for (int at = 0; at < all.length; ) {
            int n = Math.min(all.length - at, 1 + random.nextInt(7));
            if (head.add(all, at, n)) {
                return head;
            }
            at += n;
        }
        return null;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "HTTP/1.1 200 OK~A: b~~body | 200 | {A=b}",
        "HTTP/1.0 429 Too Many Requests~Retry-After: 12~X:~~ | 429 | {Retry-After=12, X=}",
        "HTTP/1.1 503~~ | 503 | {}",
        "HTTP/1.1 100 Continue~~HTTP/1.1 103 Hints~Link: a~~HTTP/1.1 403 No~B: c:d~~ | 403 | {B=c:d}",
        "HTTP/1.1 101 Switching~Upgrade: websocket~~frames | 101 | {Upgrade=websocket}",
        "HTTP/1.1 what~~ | 0 | {}"})
    void heads(String text, int status, String headers) {
        Random random = new Random(16);
        for (int round = 0; round < 50; round++) {
            AnswerHead head = read(text, random);
            assertEquals(status, head.status());
            Map<String, String> all = new TreeMap<>();
            head.headers(all::put);
            assertEquals(headers, all.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SSH-2.0-OpenSSH", "<html>", "HTTX"})
    void whatIsNoHttpIsToldAtOnce(String text) {
        assertEquals(0, read(text, new Random(1)).status());
    }

    @Test
    void aHeadWithoutAnEnd() {
        AnswerHead head = new AnswerHead();
        assertFalse(head.add(bytes("HTTP/1.1 403 No~"), 0, 17));
        byte[] more = new byte[70_000];
        java.util.Arrays.fill(more, (byte) 'a');
        assertTrue(head.add(more, 0, more.length));
        assertEquals(403, head.status());
    }
}
