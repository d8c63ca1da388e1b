package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pages that a browser loads are paced by their host; what clients say to the browser or
 * its driver, on this very machine, is not.
 */
@Order(1)
class BrowserIT {
    private static final Server SERVER = Server.start();
    /** One token in 127.46; in 127.47 and 127.49 blocks and cooldowns; in 127.48 one request a second, in 127.45 waits of minutes. */
    private static final String SETTINGS = Jvm.ONE_TOKEN + blocks("127.47.0.0/16") + blocks("validate.perfdrive.com")
            + blocks("127.49.0.0/16") + ",domain.127.49.0.0/16.detect.browser=true"
            + ",domain.127.48.0.0/16.rate=1,domain.127.48.0.0/16.burst=1,domain.127.48.0.0/16.on-limit=wait"
            + ",domain.127.45.0.0/16.rate=0.001,domain.127.45.0.0/16.on-limit=wait";
    /** By client: a browser takes longer to start than most tests need. */
    private static final Map<String, Browser> SHARED = new HashMap<>();
    private static final String REJECTED = "io.tempolimit.RequestRejectedException";
    private static final Server.Script PAGE = exchange -> exchange.header("Content-Type", "text/html").header("Cache-Control", "no-store")
            .send("<html><title>" + exchange.request().path() + "</title><body>A page.</body></html>");

    /** A block page with status 200. */
    private static final Server.Script WALL = exchange -> exchange.header("Content-Type", "text/html").header("Cache-Control", "no-store")
            .send("<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head><body>"
                    + "<h1>Sorry, you have been blocked</h1>"
                    + "<p>You are unable to access shop.example</p><p>Cloudflare Ray ID: 7d1e6b1f2a3c4d5e</p></body></html>");

    private static String blocks(String domain) {
        return Stream.of("rate=100", "burst=100", "learn=false", "cooldown.threshold=2", "cooldown.duration=1h")
                .map(setting -> ",domain." + domain + "." + setting).collect(Collectors.joining());
    }

    /** One for all tests that take hosts of their own. */
    private static Browser shared(String client, int java) {
        return SHARED.computeIfAbsent(client, c -> Browser.start(java, c, SETTINGS));
    }

    @AfterAll
    static void end() {
        assertAll(SHARED.values().stream().map(browser -> () -> {
            try (browser) {
                browser.end();
                assertEquals(List.of(), Jvm.lines(browser.fork.stderr()).stream().filter(line -> line.contains("not paced")
                        || line.startsWith("localhost") || line.startsWith("127.0.0.1")).toList());
            }
        }));
        SERVER.close();
    }

    /** The pages that arrived, without the icons that browsers ask for. */
    private static List<Server.Arrival> pages(Server.Site site) {
        return site.arrivals().stream().filter(a -> !a.path().endsWith("/favicon.ico")).toList();
    }

    private static void oneASecond(long begin, Server.Site site, Browser browser) {
        new Pacing(1, 1).checkSince(begin, pages(site).stream().map(Server.Arrival::nanos).toList(), browser.fork.recording()
                .departures(site.host()));
    }

    private static String exceptionOf(String client) {
        return client.startsWith("selenium") ? "org.openqa.selenium.WebDriverException"
                : client.startsWith("playwright") ? "com.microsoft.playwright.PlaywrightException"
                : client.startsWith("jvppeteer-1") ? "com.ruiyun.jvppeteer.exception.NavigateException"
                : "com.ruiyun.jvppeteer.exception.JvppeteerException";
    }

    /** Of jvppeteer one version. With -Pmatrix all but 1.0, which needs a JVM with JavaFX. */
    static Stream<Arguments> jvppeteer() {
        return Stream.of(Arguments.of("jvppeteer-3-newest", 25), Arguments.of("jvppeteer-1-newest", 8),
                Arguments.of("jvppeteer-2-oldest", 8), Arguments.of("jvppeteer-2-newest", 25), Arguments.of("jvppeteer-3-oldest", 8))
                .limit(Jvm.MATRIX ? 5 : 1);
    }

    static Stream<Arguments> thoseThatTellOfResponses() {
        return Stream.concat(Stream.of(Arguments.of("playwright-oldest", 8), Arguments.of("playwright-newest", 25)), jvppeteer());
    }

    static Stream<Arguments> all() {
        return Stream.concat(Stream.of(Arguments.of("selenium-4-oldest", 8), Arguments.of("selenium-4-newest", 25)),
                thoseThatTellOfResponses());
    }

    /** Of the commands to the browser or its driver, the second would be rejected if they were taken for requests. */
    @ParameterizedTest
    @CsvSource({"selenium-4-oldest, 8", "selenium-4-newest, 25", "playwright-oldest, 8", "playwright-newest, 25"})
    void pagesArePacedAndCommandsAreNot(String client, int java) {
        Browser browser = shared(client, java);
        Server.Site warm = SERVER.site("127.48", PAGE); // a cold browser takes long to its first page
        assertEquals("ok /warm", browser.ask("get " + warm.url("/warm")));
        Server.Site site = SERVER.site("127.48", PAGE);
        long begin = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            assertEquals("ok /" + i, browser.ask("get " + site.url("/" + i)));
            assertEquals("ok /to" + i, browser.ask("to " + site.url("/to" + i)));
        }
        assertEquals(6, pages(site).size());
        oneASecond(begin, site, browser);
        assertEquals("ok ", browser.ask("get about:blank"));
        assertEquals("ok /last", browser.ask("get " + site.url("/last")));
        assertEquals(7, pages(site).size());
        Server.Site slow = SERVER.site("127.45", PAGE);
        assertEquals("ok /once", browser.ask("get " + slow.url("/once")));
        assertEquals(exceptionOf(client) + " java.lang.InterruptedException interrupted",
                browser.ask("interrupted " + slow.url("/never")));
        assertEquals(1, pages(slow).size());
    }

    @ParameterizedTest
    @MethodSource("all")
    void rejectionsAreTheClientsOwn(String client, int java) {
        Browser browser = shared(client, java);
        Server.Site first = SERVER.site("127.46", PAGE);
        Server.Site second = SERVER.site("127.46", PAGE);
        assertEquals("ok /", browser.ask("get " + first.url("/")));
        assertEquals("ok /b", browser.ask("get " + second.url("/b")));
        boolean hasHistory = !client.startsWith("jvppeteer-1"); // which waits for an arrival before it sends
        List<String> history = hasHistory ? List.of("back", "forward") : List.of();
        Stream<String> others = Stream.of("refresh", "get " + first.url("/"), "to " + second.url("/"));
        for (String command : Stream.concat(history.stream(), others).toList()) {
            assertEquals(exceptionOf(client) + " " + REJECTED, browser.ask(command), command);
        }
        assertEquals("ok /b", browser.ask("title"));
        assertEquals(1, pages(first).size());
        assertEquals(1, pages(second).size());
    }

    /** A browser each: of either client each way once, with its oldest version or its newest. With -Pmatrix both have both. */
    static Stream<Arguments> proxies() {
        return Stream.of(Arguments.of("selenium-4-oldest", 8, "argument"), Arguments.of("selenium-4-newest", 25, "capability"),
                Arguments.of("playwright-oldest", 8, "context"), Arguments.of("playwright-newest", 25, "argument"),
                Arguments.of("selenium-4-newest", 25, "argument"), Arguments.of("selenium-4-oldest", 8, "capability"),
                Arguments.of("playwright-newest", 25, "context"), Arguments.of("playwright-oldest", 8, "argument"),
                Arguments.of("jvppeteer-1-newest", 8, "argument"), Arguments.of("jvppeteer-2-newest", 25, "context"),
                Arguments.of("jvppeteer-3-newest", 25, "argument"), Arguments.of("jvppeteer-3-oldest", 8, "context"))
                .limit(Jvm.MATRIX ? 12 : 4);
    }

    /** However it was named: by an argument of the browser, by Selenium's capability, for a context of Playwright's or jvppeteer's. */
    @ParameterizedTest
    @MethodSource("proxies")
    void theKeySaysTheProxy(String client, int java, String way) throws IOException {
        Path events = Source.folder().resolve("events");
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.46", PAGE);
            // the server itself, which goes by the host that is asked for
            String proxy = server.site("127.46", PAGE).url("").substring("http://".length());
            String[] flags = way.equals("argument") ? new String[] {"--proxy-server=http://" + proxy, "--proxy-bypass-list=<-loopback>"}
                    : way.equals("capability") ? new String[] {"proxy=" + proxy} : new String[0];
            try (Browser browser = Browser.start(java, client, Jvm.ONE_TOKEN + ",key=host;proxy,events=" + events, flags)) {
                String command = way.equals("context") ? "through " + site.url("/") + ",http://me:hunter2@" + proxy
                        : "get " + site.url("/");
                assertEquals("ok " + site.url("/"), browser.ask(command)); // the path as it came there: it was a proxy
                assertEquals(exceptionOf(client) + " " + REJECTED, browser.ask(command));
                assertEquals(1, pages(site).size());
                if (way.equals("context")) {
                    assertEquals("ok /", browser.ask("get " + site.url("/"))); // without a proxy it has a bucket of its own
                }
                browser.end();
            }
            assertEquals(site.host() + ";proxy=" + proxy, EventsIT.named(EventsIT.read(events), "rejected").get(0).get("key")
                    .getAsString());
        }
    }

    /** The browser follows redirects by itself; the client tells of them afterwards. */
    @ParameterizedTest
    @MethodSource("thoseThatTellOfResponses")
    void redirectsAreChargedToTheirHosts(String client, int java) {
        Browser browser = shared(client, java);
        Server.Site end = SERVER.site("127.46", PAGE);
        Server.Site begin = SERVER.site("127.46", Server.Script.redirect(end.url("/end")));
        assertEquals("ok /end", browser.ask("get " + begin.url("/")));
        assertEquals(exceptionOf(client) + " " + REJECTED, browser.ask("get " + end.url("/")));
    }

    @ParameterizedTest
    @CsvSource({"playwright-oldest, 8", "playwright-newest, 25"})
    void redirectsOfRequestsOutsideOfPagesAreChargedToTheirHosts(String client, int java) {
        Browser browser = shared(client, java);
        Server.Site end = SERVER.site("127.46", PAGE);
        Server.Site begin = SERVER.site("127.46", Server.Script.redirect(end.url("/end")));
        assertEquals("ok /end", browser.ask("get " + begin.url("/")));
        assertEquals(exceptionOf(client) + " " + REJECTED, browser.ask("fetch " + end.url("/")));
        Server.Site end2 = SERVER.site("127.46", PAGE);
        Server.Site begin2 = SERVER.site("127.46", Server.Script.redirect(end2.url("/end")));
        assertEquals("ok 200", browser.ask("fetch " + begin2.url("/")));
        assertEquals(exceptionOf(client) + " " + REJECTED, browser.ask("get " + end2.url("/")));
    }

    @ParameterizedTest
    @MethodSource("thoseThatTellOfResponses")
    void blocksAreSeenInTheMainDocumentsStatus(String client, int java) {
        Browser browser = shared(client, java);
        String[][] ways = {{"status", "ok 403"}, {"fetch", "ok 403"}, {"strict", null}};
        for (String[] blocked : Arrays.copyOf(ways, client.startsWith("playwright") ? 3 : 1)) {
            Server.Site site = SERVER.site("127.47", Server.Script.status(403));
            for (int i = 0; i < 2; i++) {
                String answer = browser.ask(blocked[0] + " " + site.url("/"));
                assertTrue(blocked[1] == null ? answer.startsWith(exceptionOf(client)) && !answer.contains(REJECTED)
                        : answer.equals(blocked[1]), answer);
            }
            assertEquals(exceptionOf(client) + " " + REJECTED, browser.ask(blocked[0] + " " + site.url("/")), blocked[0]);
            assertEquals(2, pages(site).size());
        }
    }

    /** Most tell where a page has led to; of Selenium we hear it when the application asks. */
    @ParameterizedTest
    @MethodSource("all")
    void aPageThatLeadsToAKnownAddressOfBlocksIsOne(String client, int java) {
        Browser browser = shared(client, java);
        String wall = SERVER.named("validate.perfdrive.com", PAGE).url("/shop");
        Server.Site site = SERVER.site("127.47", Server.Script.redirect(wall));
        for (int i = 0; i < 2; i++) {
            assertEquals("ok " + wall, browser.ask("landed " + site.url("/")));
        }
        assertEquals(exceptionOf(client) + " " + REJECTED, browser.ask("landed " + site.url("/")));
        assertEquals(2, pages(site).size());
    }

    /** The application asks for the page's document, or with detect.browser we do; else nobody knows what the page says. */
    @ParameterizedTest
    @MethodSource("all")
    void aDocumentThatIsABlockPageIsABlock(String client, int java) {
        Browser browser = shared(client, java);
        Server.Site unseen = SERVER.site("127.47", WALL);
        for (int i = 0; i < 4; i++) {
            assertEquals("ok Attention Required! | Cloudflare", browser.ask("get " + unseen.url("/")));
        }
        for (String[] how : new String[][] {{"source", "127.47"}, {"get", "127.49"}}) {
            Server.Site site = SERVER.site(how[1], WALL);
            for (int i = 0; i < 2; i++) {
                assertEquals("ok Attention Required! | Cloudflare", browser.ask(how[0] + " " + site.url("/")));
            }
            assertEquals(exceptionOf(client) + " " + REJECTED, browser.ask(how[0] + " " + site.url("/")), how[0]);
            assertEquals(2, pages(site).size());
            Server.Site good = SERVER.site(how[1], PAGE);
            for (int i = 0; i < 4; i++) {
                assertEquals("ok /" + i, browser.ask(how[0] + " " + good.url("/" + i)));
            }
        }
    }

    /** Its header says it, and the status does not. */
    @ParameterizedTest
    @MethodSource("thoseThatTellOfResponses")
    void blocksAreSeenInTheMainDocumentsHeaders(String client, int java) {
        Browser browser = shared(client, java);
        for (String command : client.startsWith("playwright") ? List.of("status", "fetch") : List.of("status")) {
            Server.Site site = SERVER.site("127.47", exchange -> exchange.header("cf-mitigated", "challenge")
                    .header("Content-Type", "text/html").send("<html></html>"));
            for (int i = 0; i < 2; i++) {
                assertEquals("ok 200", browser.ask(command + " " + site.url("/")));
            }
            assertEquals(exceptionOf(client) + " " + REJECTED, browser.ask(command + " " + site.url("/")), command);
        }
    }

    @ParameterizedTest
    @CsvSource({"playwright-oldest, 8", "playwright-newest, 25"})
    void relativeUrlsAreOfTheirBase(String client, int java) {
        Browser browser = shared(client, java);
        Server.Site site = SERVER.site("127.48", PAGE);
        long begin = System.nanoTime();
        assertEquals("ok 200", browser.ask("relative " + site.url("/")));
        assertTrue(pages(site).size() > 1);
        oneASecond(begin, site, browser);
    }

    @ParameterizedTest
    @MethodSource("jvppeteer")
    void pagesAndFramesArePaced(String client, int java) {
        Browser browser = shared(client, java);
        Server.Site site = SERVER.site("127.48", PAGE);
        long begin = System.nanoTime();
        assertEquals("ok /0", browser.ask("get " + site.url("/0")));
        assertEquals("ok /1", browser.ask("to " + site.url("/1")));
        assertEquals("ok /1", browser.ask("refresh"));
        assertEquals(3, pages(site).size());
        oneASecond(begin, site, browser);
    }

    /** Another thread may close the page, or interrupt the one that waits. Nothing is sent. */
    @ParameterizedTest
    @MethodSource("jvppeteer")
    void aWaitEndsWithItsPageOrItsThread(String client, int java) {
        Browser browser = shared(client, java);
        Server.Site site = SERVER.site("127.45", PAGE);
        assertEquals("ok /", browser.ask("get " + site.url("/")));
        String closed = browser.ask("closed " + site.url("/closed"));
        assertTrue(!closed.startsWith("ok") && !closed.contains("io.tempolimit"), closed);
        assertEquals(exceptionOf(client) + " java.lang.InterruptedException interrupted", browser.ask("interrupted " + site.url("/never")));
        assertEquals(1, pages(site).size());
    }
}
