package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.core.Fleet;
import io.tempolimit.core.FleetSettings;
import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.SharedKey;
import io.tempolimit.core.Target;
import io.tempolimit.core.Unseen;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Verdict;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTest {
    private final Scene scene = new Scene();

    @AfterEach
    void unregister() throws Exception {
        ObjectName name = new ObjectName("io.tempolimit:type=Limiter");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        if (server.isRegistered(name)) {
            server.unregisterMBean(name);
        }
    }

    private List<String> lines() {
        return scene.errLines().stream().map(l -> l.replaceFirst("^.{19} \\[tempolimit\\] ", "")).toList();
    }

    @Test
    void theFirstDelayOfAHostIsOneLine() {
        scene.start(scene.options());
        scene.requests(20, "shop.example", 200);
        assertEquals(List.of("INFO shop.example: held to 3 requests/s (burst 5), this one waits 0.3 s; set rate= or domain.shop.example.rate= "
                + "to change that, exclude=shop.example to leave it alone"), lines());
    }

    @Test
    void twentyHostsAndThenALineThatSaysSo() {
        scene.start(scene.options());
        for (int i = 0; i < 50; i++) {
            for (int n = 0; n < 7; n++) {
                scene.arrive("h" + i + ".example");
            }
        }
        assertEquals(21, lines().size());
        assertEquals("INFO Further hosts are held as well, and no longer told here (the report at the end, JMX and events= tell)",
                lines().get(20));
    }

    /** It named the rate, whatever held the request. */
    @Test
    void theFirstDelaysLineNamesTheSettingThatHolds() {
        Object[][] lines = {{Rejection.WINDOW_EXCEEDED, 8_000_000_000L, "held by its window, this one waits 8 s; set window= or domain.h0.example.window= to change that"},
            {Rejection.CONCURRENCY_LIMIT_EXCEEDED, Listener.UNKNOWN,
                "held to so many in flight, this one waits until another one is over; set concurrency= or domain.h1.example.concurrency= to change that"},
            {Rejection.HOST_COOLING_DOWN, 22_000_000_000L,
                "held by a redirect that asks to be followed later, this one waits 22 s; set retry-after.max= or domain.h2.example.retry-after.max= to change that"}};
        scene.start(scene.options());
        for (int i = 0; i < lines.length; i++) {
            scene.request("h" + i + ".example", 200);
            scene.watch.delayed(scene.limiter.key("h" + i + ".example"), (Long) lines[i][1], (Rejection) lines[i][0]);
            assertEquals("INFO h" + i + ".example: " + lines[i][2] + ", exclude=h" + i + ".example to leave it alone", lines().get(i));
        }
    }

    @Test
    void aDryRunSaysWouldEverywhere() throws Exception {
        scene.dryRun = true;
        scene.start(scene.options().events("stdout", 0));
        scene.watch.started();
        scene.requests(6, "shop.example", 200);
        scene.requests(3, "shop.example", 429);
        scene.now += 46_000_000_000L;
        scene.request("shop.example", 200);
        scene.watch.close();
        assertTrue(lines().get(0).startsWith("INFO shop.example: would be held to 3 requests/s (burst 5), this one would wait 0.3 s; "), lines().get(0));
        assertEquals("WARN shop.example: would rest 45 s (3 blocks in a row, last 429_rate_limited)", lines().get(1));
        assertTrue(lines().get(2).startsWith("INFO shop.example: would be open again after "), lines().get(2));
        List<JsonObject> events = scene.outText().lines().map(l -> JsonParser.parseString(l).getAsJsonObject()).toList();
        assertTrue(events.stream().allMatch(e -> e.get("dry_run").getAsBoolean()), events::toString);
        List<String> names = events.stream().map(e -> e.get("event").getAsString()).distinct().toList();
        assertEquals(List.of("started", "throttled", "blocked", "would_cooldown_started", "would_cooldown_ended"), names);
        assertTrue(scene.errText().contains("Tempolimit, dry run: "), scene.errText());
    }

    @Test
    void theEventsOfAnIncident(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("e.json");
        scene.start(scene.options().events(file.toString(), 0));
        scene.watch.report(false, null);
        scene.watch.started();
        scene.watch.clientWoven("OkHttp", "4.12.0");
        scene.watch.clientWoven("OkHttp", "4.12.0");
        scene.watch.clientWoven("HttpURLConnection", null);
        scene.requests(6, "shop.example", 200);
        for (int status : new int[] {429, 403, 429}) {
            scene.request("shop.example", status);
        }
        scene.request("shop.example", 503);
        scene.request("shop.example", 200);
        scene.watch.notPaced("Ktor CIO", "Tempolimit has no hooks for it");
        scene.watch.notPaced("Ktor CIO", "Tempolimit has no hooks for it");
        scene.watch.configReloaded("config has changed", List.of("rate=2 (was 3)", "burst=4 (was 5)"));
        scene.watch.configRefused(List.of("rate: a", "burst: b"));
        scene.watch.nearlyFull(9001, 10000);
        scene.watch.close();
        List<String> written = Files.readAllLines(file);
        List<JsonObject> events = written.stream().map(l -> JsonParser.parseString(l).getAsJsonObject()).toList();
        assertEquals(List.of("started", "client_woven", "client_woven", "throttled", "throttled", "blocked", "throttled", "blocked", "throttled",
                "blocked", "cooldown_started", "throttled", "cooldown_started", "throttled", "cooldown_ended", "warning", "config_reloaded",
                "config_refused", "warning"), events.stream().map(e -> e.get("event").getAsString()).toList());
        JsonObject blocked = events.stream().filter(e -> e.get("event").getAsString().equals("blocked")).toList().get(1);
        assertEquals("{\"event\":\"blocked\",\"key\":\"shop.example\",\"host\":\"shop.example\",\"type\":\"403_forbidden\",\"counts\":true,"
                + "\"status\":403,\"url\":\"https://shop.example/p\",\"consecutive\":2}", blocked.toString().replaceFirst("\"time\":\"[^\"]*\",", ""));
        assertFalse(events.get(0).has("dry_run"));
        assertEquals(ProcessHandle.current().pid(), events.get(0).get("pid").getAsLong());
        assertEquals(45_000, events.get(10).get("duration_ms").getAsLong());
        assertEquals("429_rate_limited", events.get(10).get("reason").getAsString());
        assertEquals(List.of("WARN shop.example: rests 45 s (3 blocks in a row, last 429_rate_limited)",
                "WARN shop.example: rests 45 s (once more: the request sent to see whether it is over got server_overload)"), lines().subList(1, 3));
        assertTrue(lines().get(3).startsWith("INFO shop.example: is open again after "), lines().get(3));
        assertEquals(List.of("WARN Ktor CIO is not paced: Tempolimit has no hooks for it",
                "INFO config has changed: rate=2 (was 3), burst=4 (was 5)",
                "WARN config has changed and is refused; the settings before it stay: rate: a; burst: b",
                "WARN 9,001 of 10,000 hosts are remembered; beyond that the longest unused are forgotten. max-keys= changes that"),
                lines().subList(4, 8));
    }

    /** A newcomer tried localhost, and nobody told that it is left out. */
    @Test
    void theFirstRequestThatIsLeftOutIsOneLine() {
        scene.leftOut = "exclude has private; exclude=-private paces it";
        scene.start(scene.options());
        scene.request("127.0.0.1", 200);
        scene.request("127.0.0.1", 200);
        scene.watch.close();
        assertEquals(List.of("INFO 127.0.0.1 is not paced: exclude has private; exclude=-private paces it"), lines());
        JsonObject all = JsonParser.parseString(StatsJson.of(scene.limiter, scene.watch)).getAsJsonObject();
        assertEquals(2, all.get("excluded_requests").getAsInt());
        assertEquals(0, all.get("keys").getAsInt());
    }

    /** Nutch with sockets of its own was silent, and nobody knew that nothing was paced. */
    @Test
    void requestsThatNoWovenClientSendsAreTold() {
        scene.start(scene.options());
        Unseen unseen = scene.limiter.unseen();
        for (int i = 0; i < 30; i++) {
            unseen.sent("h" + i + ".example", i == 1, () -> "nutch.HttpResponse");
        }
        unseen.sent("h7.example", false, () -> "nutch.HttpResponse");
        scene.watch.close();
        List<String> lines = lines();
        assertEquals("WARN not paced: h0.example, by nutch.HttpResponse; Tempolimit does not weave what sends this."
                + " exclude=h0.example or clients=-watch silences this", lines.get(0));
        assertEquals("WARN not paced: HTTP/2 connection to h1.example, by nutch.HttpResponse; Tempolimit does not weave what sends this."
                + " exclude=h1.example or clients=-watch silences this", lines.get(1));
        assertEquals("WARN not paced: further hosts, which are not told here (the status page, JMX and events= tell)", lines.get(20));
        assertEquals("Tempolimit: NOT paced: 31 requests to h7.example and 29 more hosts, by nutch.HttpResponse.", lines.get(22));
        assertEquals(23, lines.size());
        JsonObject all = JsonParser.parseString(StatsJson.of(scene.limiter, scene.watch)).getAsJsonObject();
        assertEquals(31, all.get("unseen_requests").getAsInt());
        assertEquals("{\"host\":\"h7.example\",\"requests\":2,\"by\":\"nutch.HttpResponse\"}",
                all.getAsJsonArray("unseen").get(0).toString());
    }

    @Test
    void failuresAreInTheStatistics() {
        scene.start(scene.options());
        scene.arrive("shop.example").failed(new java.net.ConnectException("refused"));
        scene.request("shop.example", 502);
        scene.request("shop.example", 502);
        JsonObject shop = JsonParser.parseString(StatsJson.of(scene.limiter.key("shop.example"))).getAsJsonObject();
        assertEquals(1, shop.get("failed_requests").getAsInt());
        assertEquals(2, shop.get("overloads").getAsInt());
        scene.watch.close();
        assertTrue(scene.errText().contains("1 failed; 2 got 5xx."), scene.errText());
    }

    /** A first 503 with Retry-After was told as if a probe had got it, and a full window as a block. */
    @Test
    void aRestThatIsNoBlocksIsToldAsWhatItIs() {
        scene.start(scene.options());
        scene.request("shop.example", 200);
        Key key = scene.limiter.key("shop.example");
        scene.watch.cooldownStarted(key, 20_000_000_000L, "server_overload", 0, false);
        scene.watch.cooldownEnded(key);
        scene.watch.cooldownStarted(key, 20_000_000_000L, "window_exceeded", 1, true);
        assertEquals("WARN shop.example: rests 20 s (it failed: server_overload)", lines().get(0));
        assertEquals("WARN shop.example: rests 20 s (its requests were rejected again and again); requests are rejected until then", lines().get(2));
    }

    @Test
    void rejectionsAndEvictions() {
        scene.reject = true;
        scene.maxKeys = 10;
        scene.start(scene.options().events("stdout", 0).log("off", null));
        for (int i = 0; i < 6; i++) {
            scene.request("shop.example", 200);
        }
        for (int i = 0; i < 10; i++) {
            scene.now += 1;
            scene.request("h" + i + ".example", 200);
        }
        scene.watch.close();
        assertTrue(scene.outText().contains("\"event\":\"rejected\",\"key\":\"shop.example\",\"host\":\"shop.example\",\"code\":\"RATE_LIMIT_EXCEEDED\"}"), scene.outText());
        assertTrue(scene.outText().contains("\"event\":\"evicted\",\"key\":\"shop.example\",\"host\":\"shop.example\"}"), scene.outText());
    }

    @Test
    void aReportAtTheEndIfThereIsAnything() {
        scene.start(scene.options().log("off", null));
        scene.watch.close();
        assertEquals("", scene.errText());

        scene.start(scene.options().log("off", null));
        scene.watch.report(false, null);
        scene.requests(20, "shop.example", 200);
        scene.watch.close();
        assertEquals("", scene.errText());

        scene.start(scene.options().log("off", null));
        scene.requests(20, "shop.example", 200);
        scene.watch.close();
        scene.watch.close();
        assertEquals(1, scene.errLines().stream().filter(l -> l.startsWith("Tempolimit: 20 requests to 1 host; 15 waited 5 s")).count(), scene.errText());
    }

    @Test
    void whenAllIsToldADelayAllocatesNothing() {
        scene.start(scene.options());
        scene.requests(6, "shop.example", 200);
        Key key = scene.limiter.key("shop.example");
        Target target = Scene.target("shop.example", "/");
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Finding forbidden = Finding.of(Verdict.FORBIDDEN, 403);
        long before = 0;
        for (int i = 0; i < 20_000; i++) {
            if (i == 10_000) {
                before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            }
            scene.watch.delayed(key, 1, Rejection.RATE_LIMIT_EXCEEDED);
            scene.watch.throttled(key, target, 1, null);
            scene.watch.blocked(key, target, forbidden, 1, true);
            scene.watch.rejected(key, target, Rejection.RATE_LIMIT_EXCEEDED);
        }
        long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertTrue(bytes < 10_000, bytes + " bytes");
    }

    @Test
    void aTargetThatThrowsHarmsNobody() {
        scene.start(scene.options().events("stdout", 0));
        scene.request("shop.example", 200);
        Target bad = new Target() {
            @Override
            public String scheme() {
                throw new IllegalStateException("https://u:p@h/?secret");
            }

            @Override
            public String host() {
                throw new IllegalStateException("https://u:p@h/?secret");
            }

            @Override
            public int port() {
                return 0;
            }

            @Override
            public String path() {
                return null;
            }
        };
        Key key = scene.limiter.key("shop.example");
        scene.watch.throttled(key, bad, 1, null);
        scene.watch.blocked(key, bad, Finding.of(Verdict.FORBIDDEN, 403), 1, true);
        scene.watch.cooldownStarted(key, 1, null, 1, false);
        scene.watch.close();
        assertEquals("ERROR An error inside Tempolimit; the request went on: java.lang.IllegalStateException: https://***@h/?...", lines().get(0));
    }

    @Test
    void hostileHostsStayOnTheirLine() {
        scene.start(scene.options());
        scene.requests(7, "a\n2026-01-01 00:00:00 [tempolimit] WARN fake\u202e", 200);
        assertEquals(1, lines().size(), scene.errText());
    }

    @Test
    void manyThreads() throws Exception {
        scene.start(scene.options().events("stdout", 0));
        AtomicInteger n = new AtomicInteger();
        Thread[] threads = new Thread[8];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 200; i++) {
                    Permit p = scene.arrive("h" + n.incrementAndGet() % 40 + ".example");
                    if (p.granted()) {
                        p.answered(i % 3 == 0 ? 200 : 429);
                    }
                    StatsJson.of(scene.limiter, scene.watch);
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        scene.watch.close();
        assertTrue(lines().stream().filter(l -> l.contains("held to 3")).count() <= 20);
        scene.outText().lines().forEach(JsonParser::parseString);
    }

    @Test
    void theReportAsAFileIsWholeAndItsOwnersAlone(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("r");
        Files.writeString(file, "of the run before, and longer than what comes now".repeat(100));
        scene.start(scene.options().log("off", null));
        scene.watch.report(true, file.toString());
        scene.requests(7, "shop.example", 200);
        scene.watch.close();
        assertTrue(scene.errText().contains("Tempolimit: 7 requests to 1 host"), scene.errText());
        String time = "\"last_request_time\":\"[^\"]*\""; // told by a clock that has gone on since
        assertEquals(StatsJson.of(scene.limiter, scene.watch).replaceAll(time, "") + "\n", Files.readString(file).replaceAll(time, ""));
        assertEquals("rw-------", java.nio.file.attribute.PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        try (var files = Files.list(dir)) {
            assertEquals(List.of(file), files.toList());
        }
    }

    @Test
    void aReportThatCannotBeWrittenIsOneWarning(@TempDir Path dir) {
        for (String where : List.of(dir.resolve("missing/r.json").toString(), dir.toString(), "/dev/full")) {
            Scene s = new Scene();
            s.start(s.options());
            s.watch.report(true, where);
            s.request("shop.example", 200);
            s.watch.close();
            assertEquals(1, s.errLines().size(), s.errText());
            assertTrue(s.errText().contains("WARN report cannot be written to " + where + ": "), s.errText());
        }
    }

    @Test
    void statistics() {
        scene.start(scene.options());
        scene.watch.clientWoven("OkHttp", "4.12.0");
        scene.watch.clientWoven("HttpURLConnection", null);
        scene.requests(8, "shop.example", 200);
        scene.requests(3, "shop.example", 429);
        scene.arrive("shop.example");
        scene.arrive("other.example");
        JsonObject all = JsonParser.parseString(StatsJson.of(scene.limiter, scene.watch)).getAsJsonObject();
        assertEquals(2, all.get("keys").getAsInt());
        assertEquals("{\"cooling_down\":1,\"open\":1}", all.get("keys_per_state").toString());
        assertEquals("[{\"name\":\"OkHttp\",\"version\":\"4.12.0\"},{\"name\":\"HttpURLConnection\",\"version\":null}]", all.get("woven_clients").toString());
        assertEquals("0.1-test", all.get("version").getAsString());
        assertTrue(all.get("enabled").getAsBoolean());
        assertFalse(all.get("dry_run").getAsBoolean());
        JsonObject one = JsonParser.parseString(StatsJson.of(scene.limiter.key("shop.example"))).getAsJsonObject();
        assertEquals(12, one.get("total_requests").getAsInt());
        assertEquals(6, one.get("delayed_requests").getAsInt());
        assertEquals(0.5, one.get("delay_rate").getAsDouble());
        assertEquals(25.0, one.get("block_rate_percent").getAsDouble());
        assertEquals("{\"429_rate_limited\":3}", one.get("blocks_by_type").toString());
        assertEquals(1, one.get("waiting_requests").getAsInt());
        assertEquals(45_000, one.get("cooldown_remaining_ms").getAsLong());
        assertTrue(one.get("last_request_time").getAsString().endsWith("Z"));
    }

    /** A fleet of four, in which nothing is blocked. */
    private static final class Four implements Fleet {
        State state = State.SHARED;
        int workers = 4;

        @Override
        public boolean shared() {
            return state == State.SHARED;
        }

        @Override
        public State state() {
            return state;
        }

        @Override
        public String trouble() {
            return state == State.SHARED || state == State.CONNECTING ? null : "why";
        }

        @Override
        public int workers() {
            return workers;
        }

        @Override
        public boolean counted() {
            return workers > 0;
        }

        @Override
        public SharedKey key(String name) {
            return null; // the count of the whole fleet has one from the start, and needs it at the first block
        }

        @Override
        public void close() {
        }
    }

    @Test
    void aFleetThatIsLostAndFoundIsALineAndAnEventEach(@TempDir Path dir) throws Exception {
        String[] holds = {"it takes a share of each rate, that of one worker in 4", "it takes the whole of each rate", "requests are rejected"};
        for (FleetSettings.Fallback fallback : FleetSettings.Fallback.values()) {
            Path file = dir.resolve("events-" + fallback);
            Scene s = new Scene();
            s.start(s.options().events(file.toString(), 1 << 20));
            FleetSettings settings = new FleetSettings("redis://h", null, false).fallback(fallback);
            s.watch.shares(settings);
            Four four = new Four();
            s.limiter.join((given, listener) -> four, settings);
            s.watch.fleetRestored(false);
            assertEquals("", s.errText());
            assertTrue(StatsJson.of(s.limiter, s.watch).contains("\"redis\":{\"state\":\"shared\",\"workers\":4,\"alone\":false}"));
            four.state = Fleet.State.ALONE;
            s.watch.fleetLost(Fleet.State.ALONE, "no answer in time");
            assertTrue(StatsJson.of(s.limiter, s.watch).contains("\"redis\":{\"state\":\"alone\",\"workers\":4,\"alone\":true,\"reason\":\"why\"}"));
            s.watch.fleetRestored(true);
            s.watch.fleetWarning("Redis refuses database 2; database 0 is used");
            s.watch.close();
            List<String> lines = s.errLines().stream().map(l -> l.replaceFirst("^.{19} \\[tempolimit\\] ", "")).toList();
            assertEquals(List.of("WARN Redis does not answer (no answer in time). Until it does, this JVM is alone: " + holds[fallback.ordinal()] + ". redis.fallback= changes that",
                    "INFO Redis answers again; limits are shared", "WARN Redis refuses database 2; database 0 is used"), lines);
            assertEquals(List.of("{\"event\":\"redis_lost\",\"reason\":\"no answer in time\"}", "{\"event\":\"redis_restored\"}",
                    "{\"event\":\"warning\",\"message\":\"Redis refuses database 2; database 0 is used\"}"),
                    Files.readAllLines(file).stream().map(l -> l.replaceFirst("\"time\":\"[^\"]+\",", "")).toList());
        }
    }

    /** Who was never counted: a line says what is taken then, and by which setting it would be more. */
    @Test
    void whatHoldsBeforeTheOthersWereCountedIsSaid(@TempDir Path dir) throws Exception {
        FleetSettings unknown = new FleetSettings("redis://h", null, false);
        FleetSettings known = new FleetSettings("redis://h", null, false).workers(6);
        FleetSettings local = new FleetSettings("redis://h", null, false).fallback(FleetSettings.Fallback.LOCAL);
        String[] holds = {"it takes a tenth of each rate and no burst, for it does not know how many share it; redis.workers= says so",
            "it takes a share of each rate, that of one worker in 6, and no burst", "it takes the whole of each rate, and no burst"};
        int i = 0;
        for (FleetSettings settings : List.of(unknown, known, local)) {
            Path file = dir.resolve("events" + i);
            Scene s = new Scene();
            s.start(s.options().events(file.toString(), 1 << 20));
            s.watch.shares(settings);
            Four none = new Four();
            none.workers = 0;
            none.state = Fleet.State.CONNECTING;
            s.limiter.join((given, listener) -> none, settings);
            s.watch.fleetLost(Fleet.State.CONNECTING, "still connecting");
            assertTrue(StatsJson.of(s.limiter, s.watch).contains("\"redis\":{\"state\":\"connecting\",\"workers\":1,\"alone\":true}"));
            none.state = Fleet.State.REFUSED;
            for (int minute = 0; minute < 2; minute++) {
                s.watch.fleetLost(Fleet.State.REFUSED, "WRONGPASS at h:6379: this or that");
            }
            s.watch.close();
            List<String> lines = s.errLines().stream().map(l -> l.replaceFirst("^.{19} \\[tempolimit\\] ", "")).toList();
            String refused = "ERROR Redis cannot be used: WRONGPASS at h:6379: this or that. Until that is changed, this JVM is alone: " + holds[i];
            assertEquals(List.of("WARN Redis is not reached yet (still connecting). Until it is, this JVM is alone: " + holds[i]
                    + ". redis.start= makes requests wait for longer", refused, refused), lines);
            assertEquals(2, Files.readAllLines(file).size(), "what is said each minute is one event");
            i++;
        }
    }

    @Test
    void jmx() throws Exception {
        scene.start(scene.options());
        scene.requests(7, "shop.example", 200);
        scene.watch.registerJmx();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.tempolimit:type=Limiter");
        assertEquals(List.of("shop.example"), List.of((String[]) server.getAttribute(name, "Keys")));
        assertTrue(((String) server.getAttribute(name, "StatsJson")).startsWith("{\"version\":\"0.1-test\""));
        String one = (String) server.invoke(name, "stats", new Object[] {"Shop.Example"}, new String[] {"java.lang.String"});
        assertEquals("shop.example", JsonParser.parseString(one).getAsJsonObject().get("domain").getAsString());
        assertThrowsAny(() -> server.invoke(name, "stats", new Object[] {"none"}, new String[] {"java.lang.String"}));
        assertThrowsAny(() -> server.invoke(name, "stats", new Object[] {null}, new String[] {"java.lang.String"}));
        server.setAttribute(name, new Attribute("Enabled", false));
        assertFalse(scene.limiter.enabled());
        assertEquals(false, server.getAttribute(name, "Enabled"));
        server.setAttribute(name, new Attribute("DryRun", true));
        assertTrue(scene.limiter.dryRun());
        scene.watch.registerJmx();
        assertEquals(4, lines().size(), scene.errText());
        assertTrue(lines().get(3).startsWith("WARN JMX: io.tempolimit:type=Limiter is there already"), scene.errText());
    }

    private static void assertThrowsAny(java.util.concurrent.Callable<?> call) {
        Object got = null;
        try {
            got = call.call();
        } catch (Exception e) {
            assertTrue(e.getCause() instanceof IllegalArgumentException, e.toString());
        }
        assertNull(got);
    }
}
