package io.tempolimit.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoorkeeperTest {
    private static Doorkeeper doorkeeper(String... allowed) {
        return new Doorkeeper(List.of("127.0.0.1"), List.of(allowed), "token", true);
    }

    private static Headers headers(String host, String origin) {
        Headers headers = new Headers();
        headers.set("Host", host);
        if (origin != null) {
            headers.set("Origin", origin);
        }
        return headers;
    }

    /** A TLS proxy before the page got 403. */
    @Test
    void aProxysNameIsAllowedWhereItIsSet() {
        assertFalse(doorkeeper().isForUs(headers("tempolimit.example.com", null)));
        assertTrue(doorkeeper("tempolimit.example.com").isForUs(headers("Tempolimit.Example.com", null)));
        assertTrue(doorkeeper("tempolimit.example.com").isForUs(headers("tempolimit.example.com:8443", null)));
        assertFalse(doorkeeper("tempolimit.example.com").isForUs(headers("evil.example", null)));
        assertFalse(doorkeeper("tempolimit.example.com").isForUs(headers("x.tempolimit.example.com", null)));
        assertFalse(doorkeeper("tempolimit.example.com").isForUs(headers("tempolimit.example.com.evil.example", null)));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:9464,          http://127.0.0.1:9464,             true",
        "127.0.0.1:9464,          https://tempolimit.example.com,    true",
        "127.0.0.1:9464,          https://tempolimit.example.com:8443, true",
        "tempolimit.example.com,  https://tempolimit.example.com,    true",
        "127.0.0.1:9464,          https://evil.example,              false",
        "127.0.0.1:9464,          https://tempolimit.example.com.evil.example, false",
        "127.0.0.1:9464,          null,                              false",
        "127.0.0.1:9464,          file://tempolimit.example.com,     false",
        "127.0.0.1:9464,          https://,                          false",
    })
    void anActionComesFromOurPageOrFromTheProxys(String host, String origin, boolean ours) {
        assertEquals(ours, doorkeeper("tempolimit.example.com").isOurs(headers(host, origin)));
    }
}
