package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPatternsTest {
    @ParameterizedTest
    @CsvSource({
        "example.com, example.com, true",
        "example.com, www.example.com, false",
        "example.com, notexample.com, false",
        "*.example.com, example.com, false",
        "*.example.com, www.example.com, true",
        "*.example.com, a.b.c.example.com, true",
        "*.example.com, wwwexample.com, false",
        "*.example.com, example.com.evil.org, false",
        "*.com, example.com, true",
        "*.com, com, false",
        "EXAMPLE.com., example.com, true",
        "*.Example.COM., www.example.com, true",
        "B\u00fccher.example, xn--bcher-kva.example, true",
        "*.\u4f8b\u5b50.cn, www.xn--fsqu00a.cn, true",
        "a_b.example.com, a_b.example.com, true",
        "10.0.0.1, 10.0.0.1, true",
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.1.2.3/8, 10.255.0.1, true",
        "10.0.0.0/9, 10.128.0.1, false",
        "10.0.0.0/31, 10.0.0.1, true",
        "10.0.0.0/31, 10.0.0.2, false",
        "8.8.8.8/32, 8.8.8.8, true",
        "8.8.8.8/32, 8.8.8.9, false",
        "0.0.0.0/0, 8.8.8.8, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "0.0.0.0/0, example.com, false",
        "10.0.0.0/8, 10.example.com, false",
        "127.0.0.0/8, 127.1, true",
        "127.0.0.0/8, 2130706433, true",
        "fc00::/7, fd12:3456::1, true",
        "fc00::/7, fe00::1, false",
        "[fc00::]/7, fd12:3456::1, true",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "2001:DB8:0:0:0:0:0:1, 2001:db8::1, true",
        "[2001:db8::1], 2001:db8::1, true",
        "::/0, 2001:db9::1, true",
        "::/0, 10.0.0.1, false",
        "::1/128, ::1, true",
        "::ffff:10.0.0.0/104, 10.9.9.9, true",
        "::ffff:10.0.0.1, 10.0.0.1, true",
    })
    void matches(String pattern, String host, boolean matches) {
        HostPatterns<String> patterns = new HostPatterns<>();
        patterns.put(HostPatterns.canonical(pattern), "");
        assertEquals(matches, patterns.matches(host));
        assertEquals(matches ? 1 : 0, patterns.matching(host).size());
    }

    @ParameterizedTest
    @CsvSource({"10.1.2.3/8, 10.0.0.0/8", "FC12::1/7, fc00::/7", "2001:0db8::/32, 2001:db8::/32", "::ffff:10.0.0.0/104, 10.0.0.0/8"})
    void equalNetworksAreWrittenAlike(String written, String canonical) {
        assertEquals(canonical, HostPatterns.canonical(written));
        assertEquals(canonical, HostPatterns.canonical(canonical));
    }

    @Test
    void theMostSpecificComesFirst() {
        HostPatterns<String> patterns = new HostPatterns<>();
        for (String p : List.of("*.com", "*.example.com", "*.a.example.com", "b.a.example.com", "10.0.0.0/8",
                "10.1.0.0/16", "10.1.1.1", "0.0.0.0/0")) {
            patterns.put(p, p);
        }
        assertEquals(List.of("b.a.example.com", "*.a.example.com", "*.example.com", "*.com"), patterns.matching("b.a.example.com"));
        assertEquals(List.of("*.a.example.com", "*.example.com", "*.com"), patterns.matching("c.a.example.com"));
        assertEquals(List.of("*.a.example.com", "*.example.com", "*.com"), patterns.matching("*.a.example.com"));
        assertEquals(List.of("10.1.1.1", "10.1.0.0/16", "10.0.0.0/8", "0.0.0.0/0"), patterns.matching("10.1.1.1"));
        assertEquals(List.of("10.0.0.0/8", "0.0.0.0/0"), patterns.matching("10.2.1.1"));
        assertEquals(List.of(), patterns.matching("example.org"));
        assertFalse(patterns.matches("example.org"));
    }
}
