package io.tempolimit.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JudgeTest {
    private static final String CHALLENGE = "<title>Just a moment...</title><script>window._cf_chl_opt={};"
            + "a.src='/cdn-cgi/challenge-platform/h/b/orchestrate/x'</script>";

    @TempDir
    private Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int judge(String... arguments) {
        out.reset();
        err.reset();
        return new Judge(new PrintStream(out, true), new PrintStream(err, true),
                new ByteArrayInputStream(CHALLENGE.getBytes(StandardCharsets.UTF_8))).run(Arrays.asList(arguments));
    }

    private String file(String name, String text) throws IOException {
        return Files.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    private static String entry(String url, int status, String headers, String content) {
        return "{\"startedDateTime\":\"x\",\"request\":{\"method\":\"GET\",\"url\":" + quoted(url)
                + ",\"headers\":[]},\"response\":{\"content\":{" + content + "},\"status\":" + status
                + ",\"headers\":[" + headers + "],\"redirectURL\":\"\"},\"timings\":{}}";
    }

    private static String header(String name, String value) {
        return "{\"name\":" + quoted(name) + ",\"value\":" + quoted(value) + "}";
    }

    private static String har(String... entries) {
        return "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\"},\"pages\":[],\"entries\":[" + String.join(",", entries) + "]}}";
    }

    @Test
    void saysOfAPageWhatItIsAndWhyAndHowToSilenceIt() throws IOException {
        assertEquals(1, judge("--status", "403", "--url", "https://me:pw@Shop.example/a?token=SECRET", file("page.html", CHALLENGE)));
        String said = out.toString();
        assertTrue(said.startsWith("verdict:  cloudflare_challenge\nvendor:   cloudflare\nrule:     "
                + "cloudflare-challenge-script\nevidence: script: window._cf_chl_opt && "
                + "/cdn-cgi/challenge-platform/\n"), said);
        assertTrue(said.contains("   100  wall    cloudflare-challenge-script\n"), said);
        assertTrue(said.contains("source: verified: "), said);
        assertTrue(said.contains("detect.ignore=cloudflare-challenge-script, or cloudflare_challenge, or cloudflare; for "
                + "one host shop.example:cloudflare-challenge-script"), said);
        assertFalse(said.contains("SECRET") || said.contains("pw"), said);
    }

    @Test
    void headersAloneAreEnough() {
        assertEquals(1, judge("--status", "403", "--header", "cf-mitigated: challenge", "--header", "retry-after:90"));
        assertTrue(out.toString().contains("evidence: header cf-mitigated\nwait:     90 s"), out.toString());
    }

    @Test
    void aPageComesFromStandardInputToo() {
        assertEquals(1, judge("--status", "200", "-"));
        assertEquals(0, judge("--status", "200", "--method", "head", "-"));
    }

    @Test
    void aGoodPageIsNoBlock() throws IOException {
        assertEquals(0, judge("--status", "200", file("page.html", "<title>Roses</title>In spring.")));
        assertTrue(out.toString().startsWith("verdict:  success\n"), out.toString());
        assertEquals(0, judge("--status", "403", "--header", "Content-Type: application/json", file("e.json", "{}")));
        assertTrue(out.toString().contains("403_forbidden, which does not count"), out.toString());
    }

    @Test
    void readsAnArchiveEntryByEntry() throws IOException {
        String type = header("Content-Type", "text/html; charset=iso-8859-1");
        String encoded = header("Content-Encoding", "br"); // archives keep the header, and the body decoded
        int code = judge(file("a.har", "\ufeff" + har(
                entry("https://shop.example/ok?q=SECRET", 200, type,
                "\"size\":9,\"mimeType\":\"text/html\",\"text\":" + quoted("<p>Grüße")),
                entry("https://shop.example/x", 403, type + "," + encoded, "\"text\":" + quoted(CHALLENGE)),
                entry("https://shop.example/y", 200, "", "\"mimeType\":\"text/html\",\"encoding\":\"base64\",\"text\":"
                        + quoted(Base64.getEncoder().encodeToString(CHALLENGE.getBytes(StandardCharsets.UTF_8)))),
                entry("https://shop.example/z", 0, "", ""),
                entry("https://www.google.com/search", 302, header("location", "/sorry/index?x"), "\"size\":0"),
                entry("data:text/plain,x", 200, "", "\"mimeType\":\"text/plain\",\"text\":\"x\"")).replace("\ufeff", "")));
        String said = out.toString();
        assertEquals(1, code, said + err);
        assertTrue(said.contains("#1 GET https://shop.example/ok: 200, success\n"), said);
        assertTrue(said.contains("#2 GET https://shop.example/x: 403, cloudflare_challenge\n    verdict:  cloudflare_challenge\n"), said);
        assertTrue(said.contains("#3 GET https://shop.example/y: 200, cloudflare_challenge\n"), said);
        assertTrue(said.contains("#4 GET https://shop.example/z: no answer\n"), said);
        assertTrue(said.contains("#5 GET https://www.google.com/search: 302, captcha\n"), said);
        assertTrue(said.contains("#6 GET (no web address): 200, success\n"), said);
        assertTrue(said.endsWith("5 answers, 3 blocks that count: {captcha=1, cloudflare_challenge=2, success=2}\n"), said);
        assertFalse(said.contains("SECRET"), said);
    }

    @Test
    void anArchiveWithoutABlockSaysSo() throws IOException {
        assertEquals(0, judge(file("a.har", har(entry("https://shop.example/", 200, "", "\"mimeType\":\"text/html\",\"text\":\"<p>x\"")))));
        assertEquals(0, judge(file("b.har", har())));
    }

    @Test
    void whatIsOddInAnArchiveIsPassedOver() throws IOException {
        String odd = "{\"request\":null,\"response\":{\"status\":\"200\",\"headers\":{},\"content\":[]}},"
                + "{\"request\":{\"url\":5,\"method\":{}},\"response\":{\"status\":200,\"headers\":[7,{\"name\":1},"
                + "{\"name\":\"a\"}],"
                + "\"content\":{\"size\":\"x\",\"text\":9,\"encoding\":\"base64\"}}},{},5,"
                + "{\"response\":{\"status\":1e99,\"headers\":[],\"content\":{\"text\":\"%%%\",\"encoding\":\"base64\"}}}";
        assertEquals(0, judge(file("a.har", "{\"x\":{},\"log\":{\"a\":[1,{\"entries\":[]}],\"entries\":[" + odd + "]}}")), err.toString());
        assertEquals("", err.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "nonsense", "{\"log\":{}}", "{\"log\":[]}",
        "{\"log\":{\"entries\":[{\"request\":{", "{\"log\":{\"entries\":[{]}}", "\u0000\u0001", "<html>"})
    void aBrokenArchiveMeetsAClearMessage(String text) throws IOException {
        String file = file("broken.har", text);
        assertEquals(2, judge(file), out.toString());
        assertTrue(err.toString().startsWith(file + ": "), err.toString());
        assertEquals(1, err.toString().trim().split("\n").length, err.toString());
    }

    @Test
    void faultyCommandLinesMeetTheUsage() throws IOException {
        String page = file("page.html", "x");
        String[][] lines = {{}, {"--status"}, {"--status", "abc", page}, {"--status", "99", page},
                {"--header", "a: b", page}, {"--status", "200", "--header", "nocolon"}, {"--status", "200", "--odd", "x"},
            {page, page}, {"--status", "200", "--url", "shop"}};
        for (String[] line : lines) {
            assertEquals(2, judge(line), String.join(" ", line));
            assertTrue(err.toString().contains("judge FILE.har"), err.toString());
        }
        assertEquals(2, judge("--status", "200", folder.resolve("nowhere").toString()));
        assertTrue(err.toString().endsWith("nowhere: no such file\n"), err.toString());
        assertEquals(2, judge(folder.toString()));
        assertTrue(err.toString().endsWith(": is a directory\n"), err.toString());
        judge("--status", "abc", page);
        assertTrue(err.toString().startsWith("--status needs a number from 100 to 999, not abc\n"), err.toString());
        judge("--statsu", "200", page);
        assertTrue(err.toString().startsWith("no such option: --statsu. Did you mean --status?\n"), err.toString());
        assertEquals(0, judge("--help"));
        assertTrue(out.toString().contains("exit codes: 0 no block"), out.toString());
    }

    /** It said "no HAR file, or a broken one, at $". */
    @Test
    void aPageWithoutItsStatusMeetsWhatIsMissing() throws IOException {
        String page = file("block.html", CHALLENGE);
        assertEquals(2, judge(page));
        assertEquals(page + ": no HAR file; a page needs its status: judge --status N PAGE\n", err.toString());
    }

    @Test
    void eachNameThatSilencesIsListedOnce() throws IOException {
        judge("--status", "403", file("wall.html", "<title>Shop</title><form><div class=\"g-recaptcha\" data-sitekey=x></div>"
                + "<script src=\"https://www.google.com/recaptcha/api.js\"></script>Please prove that you are no robot</form>"));
        String silence = out.toString().lines().filter(l -> l.startsWith("silence:")).findFirst().orElse(out.toString());
        assertEquals("silence:  detect.ignore=recaptcha, or captcha; for one host HOST:recaptcha", silence);
    }

    @Test
    void theUsersSettingsHold() throws IOException {
        String page = file("page.html", CHALLENGE);
        System.setProperty("tempolimit.detect.ignore", "shop.example:cloudflare");
        try {
            assertEquals(0, judge("--status", "200", "--url", "https://shop.example/", page));
            assertTrue(out.toString().contains("cloudflare-challenge-script, ignored\n"), out.toString());
            assertEquals(1, judge("--status", "200", "--url", "https://other.example/", page));
        } finally {
            System.clearProperty("tempolimit.detect.ignore");
        }
    }
}
