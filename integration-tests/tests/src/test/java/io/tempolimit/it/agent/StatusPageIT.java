package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.examples.site.Site;
import io.tempolimit.it.harness.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The status page in a real browser. */
@Order(1)
class StatusPageIT {
    private static final Server SERVER = Server.start();
    @RegisterExtension
    static final Viewer viewer = new Viewer();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    private static void show(AdminProgram running) throws Exception {
        viewer.size(1280, 900);
        viewer.scheme("light");
        viewer.open("http://127.0.0.1:" + running.port + "/");
        viewer.until("document.getElementById('live').textContent === 'live'");
    }

    /** As somebody sees it whose scraper is banned for a while. */
    @Test
    void aCooldownBeginsCountsDownAndEnds() throws Exception {
        // The burst is too much for the shop, also on a machine that is busy; the rate is not.
        String settings = "rate=1,burst=10,learn=false,cooldown.threshold=3,cooldown.duration=15s";
        try (Site shop = Site.start("--rate", "2", "--burst", "2", "--strikes", "3", "--ban", "3s");
                AdminProgram running = AdminProgram.start(17, settings)) {
            show(running);
            assertTrue(viewer.text("#calm").contains("No host is in cooldown"), viewer.text("body"));
            viewer.js("(window.said = [], new MutationObserver(() => said.push(document.getElementById('announce').textContent))"
                    + ".observe(document.getElementById('announce'), {childList: true}))");
            viewer.js("""
                    (window.seen = [], new MutationObserver(() => {
                      const shown = document.querySelector('.hold.cooling_down .clock');
                      if (shown && shown.innerText !== seen[seen.length - 1]) seen.push(shown.innerText);
                    }).observe(document.body, {childList: true, subtree: true, characterData: true}))""");
            running.fork.tell("crawl " + shop.url() + " 20");

            viewer.until("document.querySelectorAll('.hold.cooling_down').length === 1");
            assertEquals("127.0.0.1", viewer.text(".hold .name"));
            assertTrue(viewer.js("[...document.querySelectorAll('.row .pill')].map(e => e.textContent)")
                    .matches("(cooldown.*|probing|open)"));
            assertTrue(viewer.text(".hold .why").matches("cooldown: .*, 3 in a row.*"), viewer.text(".hold .why"));
            viewer.picture("cooldown.png");
            viewer.until("document.querySelectorAll('.hold').length === 0");
            List<Integer> clock = Stream.of(viewer.js("seen").split(",")).filter(shown -> shown.matches("\\d+ s"))
                    .map(shown -> Integer.valueOf(shown.split(" ")[0])).toList();
            assertTrue(clock.get(0) <= 15 && clock.stream().distinct().count() >= 4, clock::toString);
            for (int i = 1; i < clock.size(); i++) { // a message that a busy machine delays shows a time that is over
                assertTrue(clock.get(i) <= clock.get(i - 1) + 1, clock::toString);
            }
            assertTrue(viewer.text("#calm").contains("No host is in cooldown"));
            viewer.until("document.querySelector('.row .pill').textContent === 'open'");
            assertEquals("20", running.fork.line(Jvm.LONG), "pages of the crawl");
            viewer.until("document.querySelector('#t-total').textContent.length > 0"
                    + " && Number(document.querySelector('#t-total').firstChild.textContent) >= 23");
            assertTrue(viewer.text("#verdicts").contains("in a row"), viewer.text("#verdicts"));
            assertEquals("127.0.0.1: open again", viewer.js("said[said.length - 1]"), viewer.js("said"));
            viewer.until("document.querySelector('#hour .requests[d^=M]') !== null");
        }
    }

    @Test
    void actionsAskFirstAndThenAct() throws Exception {
        Server.Site site = SERVER.site("127.55", Server.Script.status(200));
        try (AdminProgram running = AdminProgram.start(17, "rate=100,burst=100,admin.token=s3cret")) {
            assertEquals("200", running.ask("get " + site.url("/")));
            show(running);
            viewer.until("document.querySelectorAll('.row').length === 1");
            viewer.click(".row");
            viewer.click("[data-action=pause]");
            assertEquals("Pause " + site.host() + "?", viewer.text("#ask-title"));
            viewer.click("#ask-no");
            assertEquals("false", viewer.js("document.getElementById('ask').open"));
            assertEquals("200", running.ask("get " + site.url("/")), "paused without a yes");

            viewer.click("[data-action=pause]");
            viewer.type("#ask-fields input", "3600");
            viewer.type("#ask-token", "wrong");
            viewer.click("#ask-yes");
            viewer.until("document.getElementById('ask-problem').textContent === 'That is not the token.'");
            assertEquals("200", running.ask("get " + site.url("/")), "paused without the token");
            viewer.type("#ask-token", "s3cret");
            viewer.click("#ask-yes");
            viewer.until("!document.getElementById('ask').open");
            assertEquals("waits", running.ask("begin a " + site.url("/")));
            viewer.until("document.querySelector('#one-why').textContent.includes('paused by an operator')");
            yes("resume");
            assertEquals("200", running.ask("join a"));

            viewer.click("[data-action=rate]");
            viewer.type("[name=rate]", "0.01");
            viewer.type("[name=burst]", "1");
            viewer.click("#ask-yes");
            viewer.until("!document.getElementById('ask').open");
            assertEquals("200", running.ask("get " + site.url("/"))); // the one token there is
            assertEquals("waits", running.ask("begin b " + site.url("/")));
            viewer.until("document.querySelector('#one-facts').textContent.includes('0.6/min, burst 1')");
            yes("reset");
            assertEquals("200", running.ask("join b"));
            viewer.until("document.querySelector('#one-facts').textContent.includes('100/s, burst 100')");
            yes("reset-stats");
            viewer.until("[...document.querySelectorAll('#one-facts > div')].some(e => e.textContent === 'Requests0')");
            viewer.press("ESCAPE");
            viewer.until("!document.getElementById('one').open");

            viewer.click(".row");
            yes("pause");
            viewer.press("ESCAPE");
            assertEquals("waits", running.ask("begin c " + site.url("/")));
            viewer.click("#dry-run");
            assertEquals("Begin a dry run?", viewer.text("#ask-title"));
            viewer.click("#ask-yes");
            assertEquals("200", running.ask("join c"));
            viewer.until("document.getElementById('notice').textContent.startsWith('Dry run')");
            viewer.until("document.getElementById('dry-run').textContent === 'End dry run'");
            viewer.click("#dry-run");
            viewer.click("#ask-yes");
            viewer.until("document.getElementById('notice').classList.contains('hidden')");
            viewer.click(".row");
            yes("pause"); // an answer has ended the other one
            viewer.press("ESCAPE");
            assertEquals("waits", running.ask("begin d " + site.url("/")));
            viewer.click("#enabled");
            viewer.press("ENTER");
            viewer.until("!document.getElementById('ask').open");
            assertEquals("Stop pacing", viewer.text("#enabled"), "stopped by Enter alone");
            viewer.click("#enabled");
            viewer.click("#ask-yes");
            assertEquals("200", running.ask("join d"));
            viewer.until("document.getElementById('notice').textContent.startsWith('Pacing is stopped')");
            viewer.click("#enabled");
            viewer.click("#ask-yes");
            viewer.until("document.getElementById('notice').classList.contains('hidden')");
        }
    }

    private static void yes(String action) throws Exception {
        viewer.until("!document.querySelector('[data-action=" + action + "]').disabled");
        viewer.click("[data-action=" + action + "]");
        viewer.click("#ask-yes");
        viewer.until("!document.getElementById('ask').open");
    }

    @Test
    void withoutATokenNothingCanBeDone() throws Exception {
        Server.Site site = SERVER.site("127.55", Server.Script.status(200));
        try (AdminProgram running = AdminProgram.start(17, "")) {
            assertEquals("200", running.ask("get " + site.url("/")));
            show(running);
            viewer.until("document.querySelectorAll('.row').length === 1");
            viewer.click(".row");
            assertEquals("5", viewer.js("document.querySelectorAll('[data-action]:disabled').length"));
            assertTrue(viewer.text("#one-hint").contains("admin.token"));
            for (String button : List.of("enabled", "dry-run")) {
                assertEquals("true", viewer.js("document.getElementById('" + button + "').disabled"), button);
            }
            assertEquals("Actions need admin.token.", viewer.text("#acts"));
            assertEquals("To act here, start the program with admin.token.", viewer.js("document.getElementById('enabled').title"));
            viewer.press("ESCAPE");

            viewer.size(360, 640); // it opened at its end, where its buttons are
            viewer.until("innerWidth === 360");
            viewer.js("open('" + site.host() + "')");
            assertEquals("0,one-title", viewer.js("[document.getElementById('one').scrollTop, document.activeElement.id]"));
        }
    }

    @Test
    void beyondThisMachineItAsksForTheTokenFirst() throws Exception {
        Server.Site site = SERVER.site("127.55", Server.Script.status(200));
        try (AdminProgram running = AdminProgram.start(17, "admin.host=0.0.0.0,admin.token=s3cret")) {
            assertEquals("200", running.ask("get " + site.url("/")));
            viewer.open("http://127.0.0.1:" + running.port + "/");
            viewer.until("document.getElementById('ask').open");
            assertFalse(viewer.text("body").contains(site.host()));
            viewer.type("#ask-token", "wrong");
            viewer.press("ENTER");
            viewer.until("document.getElementById('ask').open"
                    + " && document.getElementById('ask-text').textContent === 'That is not the token.'");
            viewer.type("#ask-token", "s3cret");
            viewer.press("ENTER");
            viewer.until("document.querySelectorAll('.row').length === 1");
            viewer.until("document.querySelector('#hour .requests[d^=M]') !== null");
        }
    }

    /** Names, paths and a user's rules may hold anything; the page shows them, and runs nothing. */
    @Test
    void hostileNamesAndEvidenceAreTextOnly() throws Exception {
        String script = "<img src=x onerror=document.title='owned'>";
        Path file = Files.writeString(Source.folder().resolve("limits.json"), """
                { "version": "1.0",
                  "block_rules": [ { "type": "soft_block", "body_contains": ["<script>document.title='owned'</script>"] } ] }""");
        Server.Site site = SERVER.site("127.55", exchange -> exchange.header("Content-Type", "text/html")
                .send("<html><body>" + "word ".repeat(300)
                + "<script>document.title='owned'</script></body></html>"));
        try (AdminProgram running = AdminProgram.start(8, "config=" + file)) {
            assertEquals("200", running.ask("get " + site.url("/<script>document.title='owned'</script>/\"><b>x</b>")));
            running.ask("odd http://" + script.replace(' ', '\u00a0') + "/");
            running.ask("odd http://<script>document.title='owned'</");
            show(running);
            viewer.until("document.querySelectorAll('#verdicts li').length === 1");
            assertTrue(viewer.text("#verdicts").contains("<script>"), viewer.text("#verdicts"));
            viewer.click(".row");
            viewer.until("document.getElementById('one').open");
            assertFalse(viewer.js("document.title").contains("owned"));
            assertEquals("0", viewer.js("document.querySelectorAll('img, #verdicts b b, main script').length"));
        }
    }

    @Test
    void everythingCanBeDoneByKeyboard() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "rate=1000,burst=100,admin.token=s3cret")) {
            for (int i = 0; i < 60; i++) {
                running.ask("get " + SERVER.site("127.56", Server.Script.status(200)).url("/"));
            }
            show(running);
            viewer.until("document.querySelectorAll('.row').length > 10");
            viewer.js("document.getElementById('search').focus()");
            for (int i = 0; i < 20 && !viewer.js("document.activeElement.className").contains("row"); i++) {
                viewer.press("TAB");
            }
            String first = viewer.js("document.activeElement.dataset.key");
            viewer.press("ARROW_DOWN");
            String second = viewer.js("document.activeElement.dataset.key");
            assertFalse(second.equals(first) || second.equals("undefined"), second);
            viewer.press("END");
            assertEquals("61", viewer.js("document.activeElement.getAttribute('aria-rowindex')"));
            viewer.press("PAGE_UP");
            viewer.press("HOME");
            assertEquals(first, viewer.js("document.activeElement.dataset.key"));
            viewer.press("ENTER");
            viewer.until("document.getElementById('one').open");
            assertEquals(first, viewer.text("#one-title"));
            assertEquals("true", viewer.js("document.getElementById('one').contains(document.activeElement)"));
            viewer.press("ESCAPE");
            assertEquals("false", viewer.js("document.getElementById('one').open"));
            assertEquals(first, viewer.js("document.activeElement.dataset.key"), "the place is lost");
            viewer.type("#search", second);
            viewer.until("document.querySelectorAll('.row').length >= 1 && document.querySelector('.row .host').textContent === '" + second
                    + "'");
            assertEquals("", unnamed());
        }
    }

    /** Rows that change their places each second cannot be read, let alone be clicked on. */
    @Test
    void nothingMovesWhileSomebodyLooksAtIt() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "rate=1000,burst=100")) {
            List<Server.Site> sites = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                sites.add(SERVER.site("127.58", Server.Script.status(200)));
                running.ask("get " + sites.get(i).url("/"));
            }
            show(running);
            viewer.until("document.querySelectorAll('.row').length > 10");
            viewer.js("document.getElementById('search').focus()");
            for (int i = 0; i < 20 && !viewer.js("document.activeElement.className").contains("row"); i++) {
                viewer.press("TAB");
            }
            String order = "sorted.map(k => k.name)";
            String before = viewer.js(order);
            Server.Site busy = sites.stream().filter(s -> !before.startsWith(s.host() + ",")).findFirst().orElseThrow();
            for (int i = 0; i < 3; i++) {
                running.ask("get " + busy.url("/"));
            }
            Server.Site late = SERVER.site("127.58", Server.Script.status(200));
            running.ask("get " + late.url("/"));
            viewer.until("keys.get('" + busy.host() + "').total === 4 && keys.has('" + late.host() + "')");
            assertEquals(before + "," + late.host(), viewer.js(order));
            assertEquals("order held while you look", viewer.text("#still"));
            viewer.js("document.getElementById('search').focus()");
            running.ask("get " + busy.url("/"));
            viewer.until("sorted[0].name === '" + busy.host() + "'");
            assertEquals("", viewer.text("#still"));
        }
    }

    /** It said that no host was in cooldown, before it knew of any. */
    @Test
    void nothingIsSaidOfAProgramThatIsNotHeard() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "admin.host=0.0.0.0,admin.token=s3cret")) {
            viewer.open("http://127.0.0.1:" + running.port + "/");
            viewer.until("document.getElementById('live').textContent === 'needs the token'");
            for (String part : List.of("calm", "no-verdicts", "enabled", "dry-run")) {
                assertEquals("hidden", viewer.js("getComputedStyle(document.getElementById('" + part + "')).visibility"), part);
            }
            viewer.type("#ask-token", "s3cret");
            viewer.click("#ask-yes");
            viewer.until("document.getElementById('live').textContent === 'live'");
            assertTrue(viewer.text("#calm").contains("No host is in cooldown"), viewer.text("body"));
        }
    }

    /** A program that stands still, or a network that swallows everything, gives no error. */
    @Test
    void whatIsOldIsNotCalledLive() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "")) {
            show(running);
            signal("-STOP", running);
            try {
                viewer.until("document.getElementById('live').textContent.startsWith('nothing heard since ')");
                viewer.until("document.body.classList.contains('old')");
                assertTrue(viewer.text("#lost").startsWith("Not live: nothing heard since "), viewer.text("#lost"));
                assertEquals("true", viewer.js("getComputedStyle(document.querySelector('main')).opacity < 1"));
                viewer.picture("lost.png");
            } finally {
                signal("-CONT", running);
            }
            viewer.until("document.getElementById('live').textContent === 'live'");
            assertEquals("", viewer.text("#lost"));
            signal("-STOP", running);
            try {
                viewer.until("document.getElementById('live').textContent === 'no answer, trying again'");
            } finally {
                signal("-CONT", running);
            }
            viewer.until("document.getElementById('live').textContent === 'live'");
        }
    }

    /** There were twelve cards of hosts that nobody asked for, and the one for which requests waited was not to be seen. */
    @Test
    void theHostsForWhichRequestsWaitComeFirstAndThoseThatNobodyAsksForAreANumber() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "")) {
            show(running);
            viewer.js("""
                    (() => {
                      const row = (name, state, left, waiting, active) =>
                        [name, state, '403_forbidden', left, 0, 3, 5, 0, waiting, active || 0, 10,
                         0, 0, 1, 0, 3, 0, {}, 0, 0, 0, 0, 0, 0, []];
                      hear({ full: true, gone: [], verdicts: [], excluded: 0, unseen_requests: 0, unseen: [], rows: [
                        ...[...Array(12)].map((_, i) => row('idle' + i, 'cooling_down', 0, 0)), row('life', 'lifetime_blocked', 0, 0),
                        row('short', 'cooling_down', 60000, 0), row('long', 'circuit_open', 3600000, 0),
                        row('gone', 'probing', 0, 0), row('asks', 'probing', 0, 0, 1),
                        row('waits', 'cooling_down', 600000, 3)] });
                    })()""");
            assertEquals("waits,asks,short,long,life",
                    viewer.js("[...document.querySelectorAll('.hold .name')].map(e => e.textContent)"));
            assertEquals("probe sent,probe due", viewer.js("['asks', 'gone'].map(n => remaining(keys.get(n)))"));
            assertEquals("13 more hosts: the cooldown is over and a probe is due, but no request waits.", viewer.text("#held-idle"));
            viewer.size(360, 640);
            viewer.until("narrow.matches");
            viewer.js("""
                    (() => {
                      const row = (name, state, more) => Object.assign(
                        [name, state, null, 0, 0, 3, 5, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, {}, 0, 0, 0, 0, 0, 0, []], more);
                      hear({ full: true, gone: [], verdicts: [], excluded: 0, unseen_requests: 0, unseen: [], rows: [
                        ...[...Array(12)].map((_, i) => row('rests' + i, 'cooling_down', { 3: 60000 })),
                        row('denied', 'denied', { 12: 100 }), row('down', 'open', { 18: 60 }),
                        row('guard', 'open', { 12: 162, 17: { '403_forbidden': 18, '429_rate_limited': 15 } }),
                        row('slow', 'open', { 8: 36, 21: 90400, 7: 1, 23: 2 })] });
                    })()""");
            assertEquals("4", viewer.js("document.querySelectorAll('.hold').length"));
            viewer.size(1280, 900);
            viewer.until("!narrow.matches && document.querySelectorAll('.row').length >= 10");
            assertEquals("slow,rests0,rests1", viewer.js("sorted.slice(0, 3).map(k => k.name)"), "where none waits, trouble comes first");
            viewer.type("#search", "d");
            assertEquals("denied,denied,100\u00a0rejected,down,open,60\u00a0failed",
                    viewer.js("['denied', 'down'].flatMap(n => { const l = lines.find(l => l.key.name === n); "
                            + "return [l.host, l.state, l.blocks].map(e => e.textContent); })"));
            assertEquals("false,true",
                    viewer.js("['denied', 'down'].map(n => lines.find(l => l.key.name === n).blocks.classList.contains('hot'))"));
            viewer.type("#search", "guard");
            assertEquals("18\u00a0×\u00a0403, 15\u00a0×\u00a0429, 162\u00a0rejected", viewer.text(".row .blocked"));
            assertEquals("true", viewer.js("(e => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth)"
                    + "(lines[0].blocks)"), "what went wrong is cut");
            viewer.type("#search", "slow");
            String atLeast90s = "(1 min [3-5]\\d s|[2-9] min( \\d+ s)?)"; // the page counts on while a busy machine looks
            assertTrue(viewer.text("#t-waiting").matches("36 at 1 host, one for " + atLeast90s), viewer.text("#t-waiting"));
            assertTrue(viewer.js("lines[0].waiting.textContent").matches("36 · " + atLeast90s), viewer.js("lines[0].waiting.textContent"));
            assertEquals("3/s → 1/s, 2 in flight", viewer.js("lines[0].limit.textContent"));
            assertTrue(viewer.text("#process").matches(".* · pid " + running.fork.pid() + " · up .+ · \\d.*"), viewer.text("#process"));
        }
    }

    /**
     * The picture in the documents, {@code agent/admin/status-page.png}, is a copy of {@code documents.png}. All hosts are this machine
     * under other names.
     */
    @Test
    void thePictureForTheDocuments() throws Exception {
        Server.Script page = Server.Script.status(200);
        Server.Script refused = Server.Script.status(429);
        Server.Script fails = Server.Script.status(503);
        Server.Site shop = SERVER.named("shop.example", Server.Script.inTurn(page, page, page, page, page, page, refused));
        Server.Site forum = SERVER.named("forum.example.org", Server.Script.inTurn(page, page, page, Server.Script.status(403)));
        Server.Site news = SERVER.named("news.example.net", page);
        Server.Site images = SERVER.named("images.shop.example", Server.Script.inTurn(page, page, fails, page));
        Path hosts = Files.writeString(Source.folder().resolve("hosts"),
                "127.0.0.1 " + String.join(" ", shop.host(), forum.host(), news.host(), images.host()) + "\n");
        String settings = "learn=false,cooldown.duration=90s-90s,domain.news.example.net.rate=0.02,domain.news.example.net.burst=12,"
                + "domain.forum.example.org.cooldown.duration=1h-1h";
        try (AdminProgram running = AdminProgram.start(17, settings, "-Djdk.net.hosts.file=" + hosts)) {
            get(running, news, 12);
            get(running, images, 8);
            get(running, forum, 6);
            get(running, shop, 9);
            for (int i = 0; i < 4; i++) {
                assertEquals("waits", running.ask("begin shop" + i + " " + shop.url("/page/9")));
            }
            assertEquals("waits", running.ask("begin news " + news.url("/page/12")));
            show(running);
            viewer.until("document.querySelectorAll('.hold').length === 2 && document.querySelectorAll('.row').length === 4");
            viewer.until("document.querySelector('#hour .requests[d^=M]') !== null");
            assertEquals("5", viewer.js("document.getElementById('t-waiting').firstChild.textContent"), viewer.text("main"));
            Path picture = viewer.picture("documents.png");
            assertTrue(Files.size(picture) < 200_000, Files.size(picture) + " bytes");
        }
    }

    private static void get(AdminProgram running, Server.Site site, int pages) {
        for (int i = 0; i < pages; i++) {
            running.ask("get " + site.url("/page/" + i));
        }
    }

    private static void signal(String signal, AdminProgram running) throws Exception {
        assertEquals(0, new ProcessBuilder("kill", signal, String.valueOf(running.fork.pid())).start().waitFor());
    }

    @Test
    void timesOfOtherDaysSayWhichAndNoCharacterTurnsTextsAround() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "")) {
            show(running);
            assertTrue(viewer.js("timeOf(Date.now())").matches("\\d\\d:\\d\\d:\\d\\d"));
            assertTrue(viewer.js("timeOf(Date.now() - 86400000 * 2)").matches("\\d+ \\w+ \\d\\d:\\d\\d:\\d\\d"));
            assertEquals("a\ufffdb\ufffdc", viewer.js("clean('a\\u202eb\\u0000c')"));
            assertEquals("xn--bcher-kva.example", viewer.js("typed('b\u00fccher.example')"));
            assertEquals("shop.ex", viewer.js("typed('shop.ex')"));
        }
    }

    /** Controls without a name for those who cannot see them. */
    private static String unnamed() {
        return viewer.js("[...document.querySelectorAll('button, input, select, a')].filter(e => e.getClientRects().length"
                + " && !(e.textContent.trim() || e.labels && e.labels.length || e.getAttribute('aria-label'))).map(e => e.id)");
    }

    @ParameterizedTest
    @CsvSource({"3", "10000"})
    void fitsEveryScreenAndStaysSmooth(int hosts) throws Exception {
        try (AdminProgram running =
                AdminProgram.start(17, "rate=100,burst=10,learn=false,cooldown.threshold=2,cooldown.duration=1h,max-keys=20000", "-Xmx512m",
                AdminProgram.NO_KEEP_ALIVE)) {
            Server.Site blocked = SERVER.site("127.57", Server.Script.status(403));
            for (int i = 0; i < 2; i++) {
                running.ask("get " + blocked.url("/"));
            }
            running.ask("many " + SERVER.port() + " " + (hosts - 1));
            show(running);
            viewer.until("keys.size === " + hosts);
            assertTrue(Integer.parseInt(viewer.js("document.querySelectorAll('*').length")) < 1500, "all rows exist");
            for (String scheme : List.of("light", "dark")) {
                for (int width : new int[] {1280, 1020, 700, 360}) {
                    viewer.scheme(scheme);
                    viewer.size(width, width < 600 ? 800 : 1200);
                    viewer.until("innerWidth === " + width);
                    assertEquals("true", viewer.js("document.documentElement.scrollWidth <= innerWidth"), width + " wide");
                    String titles = "(e => narrow.matches || e.scrollWidth <= e.clientWidth)(document.querySelector('.titles'))";
                    assertEquals("true", viewer.js(titles), "the last column is cut, " + width + " wide");
                    viewer.picture(hosts + "-" + scheme + "-" + width + ".png");
                    assertEquals("", viewer.lowContrast(), scheme + " " + width);
                }
            }
            viewer.size(1280, 900);
            double longest = 0;
            for (int i = 0; i < 20; i++) { // scrolled through, as fast as somebody drags
                longest = Math.max(longest,
                        Double.parseDouble(viewer.js("(() => { const t = performance.now(); document.getElementById('list').scrollTop = "
                        + i * 20_000
                        + "; draw(); return performance.now() - t; })()")));
            }
            assertTrue(longest < 2_000, longest + " ms for a step of scrolling");
            double news = Double.parseDouble(viewer.js("(() => { const t = performance.now(); arrange(); showTiles(); showHeld(); "
                    + "return performance.now() - t; })()"));
            assertTrue(news < 5_000, news + " ms for a second's news");
        }
    }
}
