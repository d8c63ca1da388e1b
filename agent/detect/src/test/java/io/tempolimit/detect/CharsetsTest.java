package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CharsetsTest {
    private static final String RUSSIAN = "Доступ к сайту ограничен";

    private static void found(String text, String type, byte[] body) {
        for (int chunk : new int[] {body.length, 1, 3}) {
            Page page = Reading.read(Reading.patterns(text, Place.TEXT), type, null, body, 1 << 20, new int[] {chunk});
            assertTrue(page.has(0), () -> text + " as " + type);
            assertEquals(text.length(), page.visibleCharacters());
        }
    }

    private static byte[] bytes(String s, String charset) {
        return s.getBytes(Charset.forName(charset));
    }

    private static byte[] marked(byte[] b, int... mark) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int c : mark) {
            out.write(c);
        }
        out.write(b, 0, b.length);
        return out.toByteArray();
    }

    @Test
    void theHeadersCharset() {
        for (String charset : new String[] {"utf-8", "windows-1251", "koi8-r", "iso-8859-5", "utf-16be", "utf-16le", "gb18030"}) {
            found(RUSSIAN, "text/html; charset=" + charset, bytes("<p>" + RUSSIAN, charset));
            found(RUSSIAN, "text/html;Charset=\"" + charset.toUpperCase() + "\"; x=y", bytes("<p>" + RUSSIAN, charset));
        }
        found("访问被拒绝", "text/html; charset=gb2312", bytes("<p>访问被拒绝", "gbk"));
        found("アクセスが拒否", "text/html; charset=Shift_JIS", bytes("<p>アクセスが拒否", "windows-31j"));
        found("アクセスが拒否", "text/html; charset=iso-2022-jp", bytes("<p>アクセスが拒否", "iso-2022-jp"));
        found("접근이 거부", "text/html; charset=euc-kr", bytes("<p>접근이 거부", "euc-kr"));
        found("accès refusé", "text/html; charset=iso-8859-1", bytes("<p>accès refusé", "iso-8859-1"));
    }

    @Test
    void theDocumentsOwnWord() {
        found(RUSSIAN, "text/html", bytes("<!-- <meta charset=utf-8> --><meta charset='windows-1251'><p>" + RUSSIAN, "windows-1251"));
        found(RUSSIAN, "text/html", bytes("<META http-equiv=Content-Type content=\"text/html; charset=koi8-r\"><p>" + RUSSIAN, "koi8-r"));
        found(RUSSIAN, "application/xhtml+xml", bytes("<?xml version='1.0' encoding='windows-1251'?><p>" + RUSSIAN, "windows-1251"));
        found(RUSSIAN, "text/html; charset=koi8-r", bytes("<meta charset=utf-8><p>" + RUSSIAN, "koi8-r"));
        found(RUSSIAN, "text/html", bytes("<meta charset=utf-16><p>" + RUSSIAN, "utf-8"));
    }

    @Test
    void aByteOrderMarkIsStrongerThanTheHeader() {
        String type = "text/html; charset=windows-1251";
        found(RUSSIAN, type, marked(bytes("<p>" + RUSSIAN, "utf-8"), 0xef, 0xbb, 0xbf));
        found(RUSSIAN, type, marked(bytes("<p>" + RUSSIAN, "utf-16le"), 0xff, 0xfe));
        found(RUSSIAN, type, marked(bytes("<p>" + RUSSIAN, "utf-16be"), 0xfe, 0xff));
        found(RUSSIAN, type, marked(bytes("<p>" + RUSSIAN, "utf-32le"), 0xff, 0xfe, 0, 0));
        found(RUSSIAN, type, marked(bytes("<p>" + RUSSIAN, "utf-32be"), 0, 0, 0xfe, 0xff));
        found(RUSSIAN, "text/html", bytes("<p>" + RUSSIAN, "utf-16le"));
        found(RUSSIAN, "text/html", bytes("<p>" + RUSSIAN, "utf-16be"));
    }

    @Test
    void whatIsNotSaidOrNotKnownIsUtf8OrWindows1252() {
        for (String type : new String[] {"text/html", "text/html; charset=nonsense", "text/html; charset=",
                "text/html; charset=\u0000", "text/html; charset=windows-1252"}) {
            found("accès “refusé” €", type, bytes("<p>accès “refusé” €", "windows-1252"));
            found("accès “refusé” €", type, bytes("<p>accès “refusé” €", "utf-8"));
        }
    }

    @Test
    void brokenSequencesAreCharactersOfTheirOwn() {
        byte[] body = marked(new byte[0], '<', 'p', '>', 'a', 0xe2, 0x82, 'b', 0xc3, '<', 'b', '>', 0xff, 0xf4, 0x90,
                0x80, 0x80, 0xed, 0xa0, 0x80);
        Page page = Reading.read(Reading.patterns("a\u00e2\u201ab\u00c3\u00ff", Place.TEXT), "text/html", null, body);
        assertTrue(page.has(0));
    }

    @Test
    void whatIsHtml() {
        assertTrue(kind("text/html", "x").html());
        assertTrue(kind(" TEXT/HTML ;charset=x", "x").html());
        assertTrue(kind(null, " <!DOCTYPE html><p>").html());
        assertTrue(kind("", "<html>").html());
        assertTrue(kind(null, "<!-- x").html());
        assertFalse(kind(null, "<abc>").html());
        assertFalse(kind(null, "<?xml version='1.0'?><rss>").html());
        assertFalse(kind(null, "{\"a\":1}").html());
        assertFalse(kind("text/html", " {\"a\":1}").html());
        assertFalse(kind("text/html", "\ufeff[1]").html());
        assertFalse(kind("application/json", "<html>").html());
        assertFalse(kind("text/plain", "<html>").html());
    }

    @Test
    void whatIsNeitherHtmlNorTextIsNotLookedAt() {
        for (String type : new String[] {"image/png", "image/svg+xml", "application/octet-stream", "text/css",
                "text/javascript", "text/event-stream", "video/mp4", "application/pdf"}) {
            PageReader reader = new PageReader(Reading.patterns("x", Place.ANY), type, "gzip", false, 1000);
            assertFalse(reader.add("x".getBytes(), 0, 1), type);
            Page page = reader.end(true);
            assertFalse(page.has(0) || page.html() || page.unreadable(), type);
        }
        byte[] png = marked(new byte[2000], 0x89, 'P', 'N', 'G', 13, 10, 26, 10);
        PageReader reader = new PageReader(Reading.patterns("x", Place.ANY), null, null, false, 10000);
        assertFalse(reader.add(png, 0, png.length));
    }

    @Test
    void textThatIsNoHtmlIsSearchedAsItIs() {
        Page page = Reading.read(Reading.patterns("error code: 1020", Place.ANY), "text/plain", null,
                "Error Code: 1020\n".getBytes(StandardCharsets.UTF_8));
        assertTrue(page.has(0));
        assertEquals(14, page.visibleCharacters());
        page = Reading.read(Reading.patterns("\"url\":\"https://geo.captcha-delivery.com/", Place.ANY), "application/json", null,
                bytes("{\"url\":\"https://geo.captcha-delivery.com/captcha/\"}", "utf-16le"));
        assertFalse(page.has(0)); // JSON is UTF-8
        assertTrue(kind("application/problem+json", "pattern").has(0));
    }

    private static Page kind(String type, String body) {
        return Reading.read(Reading.patterns("pattern", Place.ANY), type, null, body.getBytes(StandardCharsets.UTF_8));
    }
}
