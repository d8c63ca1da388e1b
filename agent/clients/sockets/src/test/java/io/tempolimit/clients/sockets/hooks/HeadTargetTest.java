package io.tempolimit.clients.sockets.hooks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.request.Target;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeadTargetTest {
    private static HeadTarget of(String text, boolean secure) {
        byte[] bytes = text.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        RequestHead head = RequestHead.of(bytes, 0, bytes.length);
        return new HeadTarget(head.text(), "shop.example", secure);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "GET /a/b?c=d HTTP/1.1~Host: shop.example~~ | false | GET | http://shop.example/a/b",
        "POST / HTTP/1.1~Host: shop.example:8443~~x | true | POST | https://shop.example:8443/",
        "GET http://shop.example:81/a?u=http://b/ HTTP/1.1~Host: proxy:3128~~ | false | GET | http://shop.example:81/a",
        "GET https://shop.example HTTP/1.1~~ | false | GET | https://shop.example/",
        "GET /x?http://a:1/ HTTP/1.0~~ | false | GET | http://shop.example/x",
        "OPTIONS * HTTP/1.1~Host: [::1]~~ | false | OPTIONS | http://shop.example*",
        "GET / HTTP/1.1~Host: a:99999999999~~ | false | GET | http://shop.example/"})
    void whatItAsksFor(String text, boolean secure, String method, String url) {
        HeadTarget target = of(text, secure);
        assertEquals(method, target.method());
        assertEquals(url, target.url());
        assertTrue(target.unannounced());
    }

    @Test
    void headers() {
        HeadTarget target = of("GET / HTTP/1.1~User-Agent:  me/1 ~X-User-Agent: no~accept: text/html~Empty:~~Late: body~", false);
        assertEquals("me/1", target.header("user-agent"));
        assertEquals("text/html", target.header("Accept"));
        assertEquals("", target.header("Empty"));
        assertNull(target.header("Late"));
        assertNull(target.header("Agent"));
        assertSame(Target.UNKNOWN, of("GET / HTTP/1.1~Host: a~", false).header("User-Agent"));
    }
}
