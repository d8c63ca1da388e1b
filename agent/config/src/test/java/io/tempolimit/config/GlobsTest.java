package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobsTest {
    @ParameterizedTest
    @CsvSource({
        "/api/*, /api/, true",
        "/api/*, /api/v1/users, true",
        "/api/*, /api, false",
        "/api*, /api, true",
        "/api/*, /API/x, false",
        "/, /, true",
        "/, /x, false",
        "*, /, true",
        "*.jpg, /a/b.jpg, true",
        "*.jpg, /a/b.jpgx, false",
        "/a?c, /abc, true",
        "/a?c, /ac, false",
        "/a?c, /a/c, true",
        "/*/edit, /x/y/edit, true",
        "/*/edit, /edit, false",
        "/a*b*c, /aXbYbZc, true",
        "/a*b*c, /aXbYcZ, false",
        "/%C3%A9*, /%C3%A9t%C3%A9, true",
        "/a.c, /abc, false",
        "/**, /x/y, true",
    })
    void matches(String glob, String path, boolean matches) {
        assertEquals(matches, Globs.matches(glob, path));
    }

    @Test
    void excludeWinsOverInclude() {
        Globs g = new Globs(new String[] {"/shop/*", "/"}, new String[] {"/shop/cart*"});
        assertTrue(g.covers("/shop/1"));
        assertTrue(g.covers("/"));
        assertTrue(g.covers(""));
        assertTrue(g.covers(null));
        assertFalse(g.covers("/shop/cart"));
        assertFalse(g.covers("/other"));
        assertTrue(new Globs(null, new String[] {"/x"}).covers("/y"));
    }

    @Test
    void manyStarsTakeNoTime() {
        String path = "/" + "a".repeat(5000);
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> assertFalse(Globs.matches("/" + "*a".repeat(50) + "b", path)));
    }
}
