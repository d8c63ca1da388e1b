package io.tempolimit.weave;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RejectionResponseTest {
    private static RequestRejectedException rejection(String code, String method, String host, long seconds, long limit) {
        return new RequestRejectedException(code, method, host, seconds, "rate", 6, limit, "limit: 3 requests/s per host", true);
    }

    private static String body(RequestRejectedException rejection) {
        return new String(RejectionResponse.of(rejection).body(), StandardCharsets.UTF_8);
    }

    @Test
    void aRejectionIsToldByStatusHeadersAndBody() {
        RejectionResponse response = RejectionResponse.of(rejection("RATE_LIMIT_EXCEEDED", "GET", "shop.example", 12, 5));
        String body = new String(response.body(), StandardCharsets.UTF_8);
        assertEquals(429, response.status());
        assertEquals("Too Many Requests", response.reason());
        assertEquals("{Content-Type=application/json, Content-Length=" + response.body().length
                + ", Retry-After=12, X-Tempolimit=RATE_LIMIT_EXCEEDED}",
                response.headers().toString());
        String time = body.replaceFirst("(?s).*\"reset_time\":\"(.*?)\".*", "$1");
        assertTrue(time.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ"), time);
        assertEquals("{\"status\":\"error\",\"code\":\"RATE_LIMIT_EXCEEDED\",\"message\":\"RATE_LIMIT_EXCEEDED: "
                + "shop.example, retry after 12 s (Tempolimit)\","
                + "\"trace_id\":\"ID\",\"hint\":\"limit: 3 requests/s per "
                + "host\",\"retry_after\":12,\"details\":{\"host\":\"shop.example\",\"limit_type\":\"rate\","
                + "\"current_usage\":\"6/5\",\"reset_time\":\"TIME\"}}", body.replaceFirst("[0-9a-f]{32}", "ID").replace(time, "TIME"));
    }

    @Test
    void whatNoWaitChangesNamesNoTime() {
        RejectionResponse response = RejectionResponse.of(rejection("HOST_BLOCKED", "GET", "shop.example", -1, 0));
        assertEquals(403, response.status());
        assertNull(response.headers().get("Retry-After"));
        String body = new String(response.body(), StandardCharsets.UTF_8);
        assertTrue(body.contains("\"retry_after\":null") && body.contains("\"current_usage\":null,\"reset_time\":null"), body);
        assertEquals(429, RejectionResponse.of(rejection("SUSPICIOUS_USER_AGENT", "GET", "shop.example", -1, 0)).status());
    }

    @Test
    void anOddHostIsEscaped() {
        String body = body(rejection("RATE_LIMIT_EXCEEDED", "GET", "a\"b\\c\nd\u2028é", 1, 5));
        assertTrue(body.contains("\"host\":\"a\\\"b\\\\c\\nd\\u2028é\""), body);
    }

    @Test
    void eachHasAnIdOfItsOwn() {
        RequestRejectedException rejection = rejection("RATE_LIMIT_EXCEEDED", "GET", "shop.example", 12, 5);
        assertNotEquals(body(rejection), body(rejection));
    }

    @Test
    void aHeadHasTheHeadersAndNoBody() {
        RejectionResponse response = RejectionResponse.of(rejection("RATE_LIMIT_EXCEEDED", "HEAD", "shop.example", 12, 5));
        assertEquals(0, response.body().length);
        assertTrue(Integer.parseInt(response.headers().get("Content-Length")) > 200);
    }

    @Test
    void nothingElseBecomesAResponse() {
        assertNull(RejectionResponse.of(new IOException()));
        assertNull(RejectionResponse.of(new RequestRejectedException("RATE_LIMIT_EXCEEDED", "GET", "a", 1, "rate", 6, 5, "", false)));
    }
}
