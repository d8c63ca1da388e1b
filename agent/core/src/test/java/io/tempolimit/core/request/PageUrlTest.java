package io.tempolimit.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** URLs as browsers read them, by the WHATWG's URL standard. */
class PageUrlTest {
    private static void reads(String expected, String... spellings) {
        for (String s : spellings) {
            assertEquals(expected, PageUrl.of(s).url(), s);
        }
    }

    @Test
    void spellings() {
        reads("http://shop.example/", "http://shop.example", "http://shop.example/", "HTTP://shop.example:80/", "http:shop.example",
                "http:/shop.example", "http:\\\\shop.example\\", "  http://shop.example\n", "ht\ntp://shop.ex\tample/",
                "http://shop.example?q=1/2", "http://shop.example#a/b");
        reads("https://shop.example/a/b c", "https://shop.example/a/b c",
                "https://me:p@ss@shop.example:443/a\\b c?q=a\\b", "https://me@shop.example/a/b c#?");
        reads("http://shop.example:8080/ü|", "http://shop.example:8080/ü|", "http://@shop.example:8080/ü|?a=http://other.example/");
        reads("https://[::1]:8443/x", "https://[::1]:8443/x", "https://me@[::1]:8443/x");
    }

    @Test
    void portsAndHosts() {
        PageUrl url = PageUrl.of("https://Shop.Example:8443/p?q");
        assertEquals("https", url.scheme());
        assertEquals("Shop.Example", url.host());
        assertEquals(8443, url.port());
        assertEquals("/p", url.path());
        assertEquals(80, PageUrl.of("https://shop.example:80/").port());
        assertEquals(-1, PageUrl.of("http://shop.example:80/").port());
        assertEquals(-1, PageUrl.of("http://shop.example:/").port());
    }

    @Test
    void whatIsNotOnTheWebHasNoHost() {
        for (String s : Arrays.asList(null, "", " ", "about:blank", "data:text/html,http://shop.example/", "file://server/a.html",
                "file:///a.html", "javascript:alert(1)", "chrome://version", "blob:https://shop.example/1", "shop.example",
                "/a", "//shop.example/a", "http:", "http://", "://x", ":", "1a:b")) {
            assertNull(PageUrl.of(s).host(), s);
        }
    }

    @Test
    void relativeOnes() {
        String base = "http://shop.example:8080/a/b?q#f";
        String[][] expected = {
            {"", "/a/b"}, {"?x", "/a/b"}, {"#x", "/a/b"}, {"c", "/a/c"}, {"/c", "/c"}, {"c/d?e", "/a/c/d"},
        };
        for (String[] e : expected) {
            assertEquals("http://shop.example:8080" + e[1], PageUrl.of(e[0], base).url(), e[0]);
        }
        assertEquals("http://other.example/c", PageUrl.of("//other.example/c", base).url());
        assertEquals("https://other.example/c", PageUrl.of("https://other.example/c", base).url());
        assertEquals("http://shop.example/c", PageUrl.of("c", "http://shop.example").url());
        assertNull(PageUrl.of("c", "about:blank").host());
        assertNull(PageUrl.of("about:blank", base).host());
    }
}
