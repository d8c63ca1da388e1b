package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.core.Key;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.Unseen;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Verdict;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one thing that happens does in all places at once. */
class WatchTest {
    private final Scene scene = new Scene();

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
        assertTrue(scene.lines().get(0).startsWith("INFO shop.example: would be held to 3 requests/s (burst 5), this one "
                + "would wait 0.3 s; "), scene.lines().get(0));
        assertEquals("WARN shop.example: would be in cooldown for 45 s (3 blocks in a row, last 429_rate_limited)", scene.lines().get(1));
        assertTrue(scene.lines().get(2).startsWith("INFO shop.example: would be open again after "), scene.lines().get(2));
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
        scene.watch.report(false, null, null);
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
        scene.watch.notPaced("Armeria", "Tempolimit has no hooks for it");
        scene.watch.notPaced("Armeria", "Tempolimit has no hooks for it");
        scene.watch.configReloaded("config has changed", List.of("rate=2 (was 3)", "burst=4 (was 5)"));
        scene.watch.configReloaded("config has changed", List.of());
        scene.watch.configRefused(List.of("rate: a", "burst: b"));
        scene.watch.nearlyFull(9001, 10000);
        scene.watch.close();
        List<String> written = Files.readAllLines(file);
        List<JsonObject> events = written.stream().map(l -> JsonParser.parseString(l).getAsJsonObject()).toList();
        assertEquals(List.of("started", "client_woven", "client_woven", "throttled", "throttled", "blocked",
                "throttled", "blocked", "throttled",
                "blocked", "cooldown_started", "throttled", "cooldown_started", "throttled", "cooldown_ended", "warning", "config_reloaded",
                "config_reloaded", "config_refused", "warning"), events.stream().map(e -> e.get("event").getAsString()).toList());
        JsonObject blocked = events.stream().filter(e -> e.get("event").getAsString().equals("blocked")).toList().get(1);
        assertEquals("{\"event\":\"blocked\",\"key\":\"shop.example\",\"host\":\"shop.example\",\"type\":\"403_forbidden\",\"counts\":true,"
                + "\"status\":403,\"url\":\"https://shop.example/p\",\"consecutive\":2}",
                blocked.toString().replaceFirst("\"time\":\"[^\"]*\",", ""));
        assertFalse(events.get(0).has("dry_run"));
        assertEquals(ProcessHandle.current().pid(), events.get(0).get("pid").getAsLong());
        assertEquals(45_000, events.get(10).get("duration_ms").getAsLong());
        assertEquals("429_rate_limited", events.get(10).get("reason").getAsString());
        assertEquals(List.of("WARN shop.example: in cooldown for 45 s (3 blocks in a row, last 429_rate_limited)",
                "WARN shop.example: in cooldown for 45 s (once more: the probe got a 5xx)"), scene.lines().subList(1, 3));
        assertTrue(scene.lines().get(3).startsWith("INFO shop.example: is open again after "), scene.lines().get(3));
        assertEquals(List.of("WARN Armeria is not paced: Tempolimit has no hooks for it",
                "INFO config has changed: rate=2 (was 3), burst=4 (was 5)",
                "INFO config has changed, but no setting changes now",
                "WARN config has changed and is refused; the settings before it stay: rate: a; burst: b",
                "WARN 9,001 of 10,000 hosts are remembered; beyond that Tempolimit forgets those that were unused for longest."
                        + " max-keys changes that"),
                scene.lines().subList(4, 9));
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
        List<String> lines = scene.lines();
        assertEquals("WARN not paced: h0.example, by nutch.HttpResponse; clients=unknown paces it where its thread may wait;"
                + " exclude=h0.example or clients=-watch silences this", lines.get(0));
        assertEquals("WARN HTTP/2 connection to h1.example by nutch.HttpResponse: not paced;"
                + " exclude=h1.example or clients=-watch silences this", lines.get(1));
        assertEquals("WARN not paced: more hosts, which get no line here; the status page, JMX and events= name them", lines.get(20));
        assertEquals("Tempolimit: NOT paced: 31 requests to h7.example and 29 more hosts, by nutch.HttpResponse.", lines.get(22));
        assertEquals(23, lines.size());
        JsonObject all = JsonParser.parseString(StatsJson.of(scene.limiter, scene.watch)).getAsJsonObject();
        assertEquals(31, all.get("unseen_requests").getAsInt());
        assertEquals("{\"host\":\"h7.example\",\"requests\":2,\"by\":\"nutch.HttpResponse\"}",
                all.getAsJsonArray("unseen").get(0).toString());
    }

    /** Armeria's warning advised what was set already. */
    @Test
    void aWarningDoesNotAdviseWhatIsSetAlready() {
        scene.start(scene.options());
        scene.watch.pacesUnknown();
        scene.limiter.unseen().sent("shop.example", false, () -> "acme.Writer");
        scene.watch.close();
        assertEquals("WARN not paced: shop.example, by acme.Writer; clients=unknown cannot hold its thread or channel;"
                + " exclude=shop.example or clients=-watch silences this", scene.lines().get(0));
    }

    @Test
    void rejectionsAndEvictions() {
        scene.reject = true;
        scene.maxKeys = 10;
        scene.start(scene.options().events("stdout", 0).log("off", null, 0));
        for (int i = 0; i < 6; i++) {
            scene.request("shop.example", 200);
        }
        for (int i = 0; i < 10; i++) {
            scene.now += 1;
            scene.request("h" + i + ".example", 200);
        }
        scene.watch.close();
        assertTrue(scene.outText().contains("\"event\":\"rejected\",\"key\":\"shop.example\",\"host\":\"shop.example\","
                + "\"code\":\"RATE_LIMIT_EXCEEDED\"}"), scene.outText());
        assertTrue(scene.outText().contains("\"event\":\"evicted\",\"key\":\"shop.example\",\"host\":\"shop.example\"}"), scene.outText());
    }

    @Test
    void whenAllIsToldADelayAllocatesNothing() {
        scene.start(scene.options());
        scene.requests(6, "shop.example", 200);
        Key key = scene.limiter.key("shop.example");
        Target target = new TestTarget("shop.example");
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
        Target bad = new TestTarget("shop.example") {
            @Override
            public String scheme() {
                throw new IllegalStateException("https://u:p@h/?secret");
            }

            @Override
            public String host() {
                throw new IllegalStateException("https://u:p@h/?secret");
            }
        };
        Key key = scene.limiter.key("shop.example");
        scene.watch.throttled(key, bad, 1, null);
        scene.watch.blocked(key, bad, Finding.of(Verdict.FORBIDDEN, 403), 1, true);
        scene.watch.cooldownStarted(key, 1, null, 1, false);
        scene.watch.close();
        assertEquals("ERROR An error inside Tempolimit; the request went on: java.lang.IllegalStateException: "
                + "https://***@h/?...", scene.lines().get(0));
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
        assertTrue(scene.lines().stream().filter(l -> l.contains("held to 3")).count() <= 20);
        scene.outText().lines().forEach(JsonParser::parseString);
    }
}
