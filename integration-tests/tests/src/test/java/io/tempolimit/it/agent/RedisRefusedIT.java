package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import io.tempolimit.redis.Servers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A Redis that turns the program down: said at once, as an error, with the setting to change, wherever one looks; and
 * requests go carefully meanwhile.
 */
class RedisRefusedIT {
    private static final Server SITES = Server.start();
    private static final Pattern PAGE = Pattern.compile("The status page is (http://\\S+:\\d+)/");
    private static final String SETTINGS =
            "user-agent.check=off,report=false,exclude=-private,rate=10,burst=20,redis.start=600s,admin.port=0,";
    private static io.tempolimit.redis.Server redis;

    @BeforeAll
    static void begin() throws Exception {
        redis = io.tempolimit.redis.Server.start(Servers.first(), "--requirepass", "right").as("", "right");
    }

    @AfterAll
    static void end() throws Exception {
        redis.close();
        SITES.close();
    }

    private static Map<String, String> refusals() {
        Map<String, String> uris = new LinkedHashMap<>();
        uris.put("WRONGPASS at 127.0.0.1:" + redis.port() + ": ", "redis://:hunter2@127.0.0.1:" + redis.port());
        uris.put("NOAUTH at 127.0.0.1:" + redis.port() + ": ", "redis://127.0.0.1:" + redis.port());
        uris.put("unknown host at redis.invalid:6379: ", "redis://:hunter2@redis.invalid");
        uris.put("no TLS connection at 127.0.0.1:" + redis.port() + ": ", "rediss://:hunter2@127.0.0.1:" + redis.port());
        return uris;
    }

    @Test
    void itIsSaidAtOnceEverywhereAndATenthOfTheRateHolds() throws Exception {
        Path folder = Source.folder();
        Map<String, Scraper> scrapers = new LinkedHashMap<>();
        Map<String, Server.Site> sites = new LinkedHashMap<>();
        long start = System.nanoTime();
        try {
            for (Map.Entry<String, String> e : refusals().entrySet()) {
                String events = ",events=" + folder.resolve("events" + scrapers.size());
                sites.put(e.getKey(), SITES.site("127.65", Server.Script.status(200)));
                scrapers.put(e.getKey(), Scraper.start(Jvm.scraper(17)
                        .agent(SETTINGS + "redis=" + e.getValue() + events), "UrlConnection"));
            }
            Map<String, String> calls = new LinkedHashMap<>();
            long begin = System.nanoTime();
            for (Map.Entry<String, Scraper> e : scrapers.entrySet()) {
                calls.put(e.getKey(), e.getValue().beginMany(3, 3, sites.get(e.getKey()).url("/")));
            }
            int i = 0;
            for (Map.Entry<String, Scraper> e : scrapers.entrySet()) {
                Fork fork = e.getValue().fork;
                assertEquals("ok=3 failed=0 pending=0 ", e.getValue()
                        .joinMany(calls.get(e.getKey()), 3, Duration.ofMinutes(3)), fork::stderr);
                List<Long> times = sites.get(e.getKey()).times();
                for (int n = 0; n < 3; n++) {
                    assertTrue(times.get(n) - begin >= (n + 1) * 1_000_000_000L, "a tenth of the rate from an empty bucket: "
                            + (times.get(n) - begin));
                }
                List<String> told = Jvm.lines(fork.stderr()).stream().filter(l -> l.contains("Redis")).toList();
                long minutes = (System.nanoTime() - start) / 60_000_000_000L;
                assertTrue(!told.isEmpty() && told.size() <= 1 + minutes, "at once, and again each minute: " + fork.stderr());
                assertTrue(told.get(0).contains(" ERROR Redis cannot be used: " + e.getKey()), fork::stderr);
                assertTrue(told.get(0).contains("redis.password=") || told.get(0).contains("redis= "), fork::stderr);
                assertTrue(told.get(0).contains("it takes a tenth of each rate and no burst"), fork::stderr);
                everywhere(e.getKey(), fork, Files.readString(folder.resolve("events" + i++)));
            }
        } finally {
            scrapers.values().forEach(Scraper::close);
        }
    }

    private static void everywhere(String why, Fork fork, String events) throws Exception {
        Matcher page = PAGE.matcher(fork.stderr());
        assertTrue(page.find(), fork::stderr);
        String stats = get(page.group(1) + "/stats.json");
        JsonObject fleet = JsonParser.parseString(stats).getAsJsonObject().getAsJsonObject("redis");
        assertEquals("refused", fleet.get("state").getAsString());
        assertTrue(fleet.get("reason").getAsString().startsWith(why), stats);
        String metrics = get(page.group(1) + "/metrics");
        assertTrue(metrics.contains("\ntempolimit_redis_refused 1.0\n") && metrics.contains("\ntempolimit_redis_shared 0.0\n"), metrics);
        Command status = Command.run("status", fork.pid());
        assertTrue(status.out().contains("; Redis cannot be used: " + why), status::out);
        assertTrue(events.contains("\"event\":\"redis_lost\",\"reason\":\"" + why), events);
        String all = fork.stdout() + fork.stderr() + stats + metrics + status.out() + status.err() + events;
        assertFalse(all.contains("hunter2"), all);
    }

    private static String get(String url) throws Exception {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void checkTriesItBeforeARollout() {
        for (Map.Entry<String, String> e : refusals().entrySet()) {
            Command faulty = Command.run("check", "--connect", "redis=" + e.getValue());
            assertEquals(1, faulty.exit(), faulty::err);
            assertTrue(faulty.err().contains("[tempolimit] Redis cannot be used: " + e.getKey()), faulty::err);
            assertTrue(faulty.out().contains("redis "), "and it prints the settings: " + faulty.out());
            assertFalse((faulty.out() + faulty.err()).contains("hunter2"), faulty.out() + faulty.err());
            assertEquals(0, Command.run("check", "redis=" + e.getValue()).exit(), "without --connect nothing is tried");
        }
        Command good = Command.on(8, "check", "redis=redis://127.0.0.1:"
                + redis.port(), "redis.password=right", "redis.timeout=5s", "--connect");
        assertEquals(0, good.exit(), good::err);
        assertTrue(good.out().contains("Redis at 127.0.0.1:" + redis.port() + " answers within "), good::out);
        assertEquals("", good.err());
        Command none = Command.run("check", "--connect");
        assertEquals(1, none.exit());
        assertTrue(none.err().contains("redis= is not set"), none::err);
    }
}
