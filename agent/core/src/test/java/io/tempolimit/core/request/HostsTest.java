package io.tempolimit.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HostsTest {
    private static void same(String expected, String... spellings) {
        for (String s : spellings) {
            assertEquals(expected, Hosts.canonical(s), s);
        }
        assertEquals(expected, Hosts.canonical(expected), "canonical stays canonical");
    }

    @Test
    void names() {
        same("shop.example.com", "shop.example.com", "SHOP.Example.COM", "shop.example.com.", "shop.example.com:8080",
                "Shop.example.com.:443", "shop.example.com..");
        same("localhost", "LOCALHOST", "localhost:1");
        same("a_b.example", "A_B.example");
        same("1.2.3.4", "1.2.3.4", "1.2.3.4:80");
        same("xn--bcher-kva.example", "bücher.example", "BÜCHER.example", "Bücher.EXAMPLE.", "bücher.example:443", "bu\u0308cher.example");
        same("xn--wgv71a119e.jp", "日本語.jp", "日本語。jp", "日本語.jp。", "日本語｡ｊｐ");
        same("example.com", "ｅｘａｍｐｌｅ．com", "example.com。");
    }

    @Test
    void aCanonicalNameIsNotCopied() {
        String host = new String("shop-1.example.com");
        assertSame(host, Hosts.canonical(host));
    }

    @Test
    void noHost() {
        for (String s : Arrays.asList(null, "", ".", "..", ":", ":80", "[", "[]", "。")) {
            assertNull(Hosts.canonical(s), s);
        }
    }

    /** Links may hold anything, and ten thousand keys of a megabyte each would be all of the heap. */
    @Test
    void whatNoNameServerCouldBeAskedForIsNoHost() {
        String label = "a".repeat(62) + ".";
        same(label.repeat(4) + "b", label.repeat(4) + "B");
        assertNull(Hosts.canonical(label.repeat(16)));
        assertNull(Hosts.canonical("x".repeat(1_000_000)));
    }

    /** The examples of RFC 5952, sections 1, 2 and 4. */
    @Test
    void ipv6AsRfc5952WantsIt() {
        same("2001:db8::1", "2001:db8:0:0:0:0:0:1", "2001:0db8:0:0:0:0:0:1", "2001:db8::1", "2001:db8::0:1", "2001:DB8::1",
                "[2001:db8::1]", "[2001:DB8::0001]:443", "2001:db8::1%eth0", "[2001:db8::1%25eth0]:80");
        same("2001:db8::1:0:0:1", "2001:db8:0:0:1:0:0:1", "2001:0db8:0:0:1:0:0:1", "2001:db8::1:0:0:1", "2001:db8:0:0:1::1");
        same("2001:db8:aaaa:bbbb:cccc:dddd:eeee:1", "2001:db8:aaaa:bbbb:cccc:dddd:eeee:001", "2001:db8:aaaa:bbbb:cccc:dddd:eeee:0001");
        same("2001:db8:aaaa:bbbb:cccc:dddd:0:1", "2001:db8:aaaa:bbbb:cccc:dddd::1");
        same("2001:db8:0:1:1:1:1:1", "2001:db8::1:1:1:1:1");
        same("2001:0:0:1::1", "2001:0:0:1:0:0:0:1");
        same("::1", "0:0:0:0:0:0:0:1", "::1", "[::1]:8080", "0000::0001");
        same("::", "0:0:0:0:0:0:0:0", "::0", "0::");
        same("1::", "1:0:0:0:0:0:0:0", "1::0");
        same("fe80::1", "fe80::1%1", "FE80::1%en0");
        same("64:ff9b::c000:221", "64:ff9b::192.0.2.33");
    }

    @Test
    void anIpv4AddressInsideIpv6IsTheIpv4Address() {
        same("192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201", "[::FFFF:192.0.2.1]:80", "0:0:0:0:0:ffff:c000:0201");
    }

    @Test
    void nonsenseIsAKeyOfItsOwnAndNeverAnError() {
        for (String s : new String[] {"::1::", "1:2:3", ":::", "[::1", "::1]", "[fe80::1%", "%:a:b", "a:b:c", "12345::", "[v1.x:y]", "g::",
                "1:2:3:4:5:6:7:8:9", "::ffff:999.1.1.1", "\0", " ", "a b", "xn--", "xn--\u00fc", "\ud800", "\ud800.com", "a..b", "ü..b",
                "-", "@", "a@b",
                "\u00ad", "\u200d", "http://x", "*"}) {
            String once = Hosts.canonical(s);
            if (once != null) {
                assertFalse(once.isEmpty(), s);
                assertEquals(once, Hosts.canonical(once), s);
            }
        }
        String longLabel = "ü".repeat(300) + ".example";
        assertEquals(longLabel, Hosts.canonical(longLabel));
        String alphabet = ".:[]%-_aF09zü\u00df\u3002\uff0e\u0130\ud83d\ude00\ud800 @/\0x";
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder b = new StringBuilder();
            for (int n = random.nextInt(12); n >= 0; n--) {
                b.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String once = Hosts.canonical(b.toString());
            assertTrue(once == null || !once.isEmpty(), b.toString());
        }
    }

    /** A look-up would take seconds, and tell a name server. */
    @Test
    void neverResolves() {
        long start = System.nanoTime();
        for (int i = 0; i < 2000; i++) {
            Hosts.canonical("Host" + i + ".Invalid");
            Hosts.canonical("[host" + i + ".invalid]");
            Hosts.canonical("a" + i + ":host:invalid");
            Hosts.canonical("[a:b:host" + i + ".invalid]");
        }
        assertTrue(System.nanoTime() - start < 4_000_000_000L);
    }
}
