package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Recording;
import io.tempolimit.it.harness.Server;
import io.tempolimit.redis.Servers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Four JVMs are one polite client, as the site sees it; also while Redis is gone. */
@Order(1)
class RedisIT {
    private static final Server SITES = Server.start();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern PAGE = Pattern.compile("The status page is (http://\\S+:\\d+)/");
    private static final double RATE = 100;
    private static final int BURST = 20;
    private static final int WORKERS = 4;
    private static final int THREADS = 4;
    private static final long SECOND = 1_000_000_000L;
    /** The timeout is not the default: a busy machine holds up its processes for as long. */
    private static final String SETTINGS =
            "user-agent.check=off,exclude=-private,rate=100,burst=20,redis.timeout=1s,redis.start=60s,admin.port=0"
            + ",domain.127.63.0.0/16.cooldown.threshold=1,domain.127.63.0.0/16.cooldown.duration=3s,domain.127.63.0.0/16.learn=false";

    private static io.tempolimit.redis.Server redis;
    private static final List<Worker> FLEET = new ArrayList<>();

    /** A program with the agent. */
    private record Worker(Scraper scraper, Path events) {
        JsonObject stats() throws Exception {
            return JsonParser.parseString(page("/stats.json")).getAsJsonObject();
        }

        String page(String path) throws Exception {
            Matcher page = PAGE.matcher(scraper.fork.stderr());
            assertTrue(page.find(), scraper.fork::stderr);
            return HTTP.send(HttpRequest.newBuilder(URI.create(page.group(1) + path)).build(), HttpResponse.BodyHandlers.ofString()).body();
        }

        boolean knows(String state, int workers) throws Exception {
            JsonObject fleet = stats().getAsJsonObject("redis");
            return fleet.get("state").getAsString().equals(state) && fleet.get("workers").getAsInt() == workers;
        }

        long lines(String text) {
            return scraper.fork.stderr().lines().filter(l -> l.contains(text)).count();
        }

        long events(String name) throws Exception {
            try (var lines = Files.lines(events)) {
                return lines.filter(l -> l.contains("\"event\":\"" + name + "\"")).count();
            }
        }
    }

    @BeforeAll
    static void begin() throws Exception {
        redis = io.tempolimit.redis.Server.start(Servers.first(), "--requirepass", "hunter2").as("", "hunter2");
        Server.Site warm = SITES.site("127.61", Server.Script.status(200));
        Path folder = Source.folder();
        for (int i = 0; i < WORKERS; i++) {
            Path events = folder.resolve("events" + i);
            FLEET.add(new Worker(Scraper.start(Jvm.scraper(17)
                    .recordedAgent(SETTINGS + ",redis=redis://:hunter2@127.0.0.1:" + redis.port() + ",events=" + events), "UrlConnection"),
                    events));
        }
        for (Worker w : FLEET) {
            assertEquals("200", w.scraper.get(warm.url("/")));
            Wait.until("its page is served", w.scraper.fork, () -> PAGE.matcher(w.scraper.fork.stderr()).find());
        }
        assembled();
    }

    private static void assembled() throws Exception {
        for (Worker w : FLEET) {
            Wait.until("it knows of the others", w.scraper.fork, () -> w.knows("shared", WORKERS));
        }
    }

    @AfterAll
    static void end() throws Exception {
        for (Worker w : FLEET) {
            w.scraper.close();
        }
        redis.close();
        SITES.close();
    }

    private static List<String> load(Server.Site site, int each) {
        List<String> calls = new ArrayList<>();
        for (Worker w : FLEET) {
            calls.add(w.scraper.beginMany(each, THREADS, site.url("/")));
        }
        return calls;
    }

    /** When their gates let requests to this host go, by the clock that they share, ascending. */
    private static List<Long> departures(Server.Site site) {
        return FLEET.stream().flatMap(w -> w.scraper.fork.recording().departures(site.host()).stream()).sorted().toList();
    }

    /** No request has failed. */
    private static void join(List<String> calls, int each) {
        for (int i = 0; i < WORKERS; i++) {
            Scraper s = FLEET.get(i).scraper;
            assertEquals("ok=" + each + " failed=0 pending=0 ", s.joinMany(calls.get(i), each, Duration.ofMinutes(2)), s.fork::stderr);
        }
    }

    /**
     * 1600 requests take 16 s less the burst: 20 + 100 × T at the most, and nearly as many. Where threads are woken later than the burst
     * lasts, tokens are lost meanwhile.
     */
    @Test
    void fourWorkersAreOneClient() throws Exception {
        Server.Site site = SITES.site("127.62", Server.Script.status(200));
        int each = 400;
        assembled();
        long begin = System.nanoTime();
        List<String> calls = load(site, each);
        join(calls, each);
        long hiccup = Recording.hiccupOfAll(begin, System.nanoTime());
        List<Long> times = departures(site);
        int all = WORKERS * each;
        assertEquals(all, times.size());
        assertEquals(all, site.times().size());
        double seconds = (times.get(all - 1) - times.get(0)) / 1e9;
        Pacing pacing = new Pacing(RATE, BURST);
        double excess = pacing.excess(times);
        String what = String.format(Locale.ROOT, "%d requests in %.2f s: %.1f%% of burst + rate x T; %.1f over it in the busiest span"
                + "; threads were woken up to %d ms late", all, seconds, 100 * all / (BURST + RATE * seconds), excess, hiccup / 1_000_000);
        System.out.println("* Four workers on one Redis: " + what);
        pacing.checkSince(begin, times);
        double least = hiccup < SECOND * BURST / RATE ? 0.97 : 0.6;
        assertTrue(all >= least * (BURST + RATE * seconds), what);
        // what a busy machine shifts
        assertTrue(excess <= BURST / 2, what + ": with buckets of their own it would be " + (WORKERS - 1) * BURST);
    }

    /** By the fallback each takes its share from an empty bucket; that not all go over and come back at once may cost a burst each way. */
    @Test
    void redisIsKilledAndStartedAgain() throws Exception {
        Server.Site site = SITES.site("127.62", Server.Script.status(200));
        int each = 350;
        assembled();
        List<Long> lostBefore = new ArrayList<>();
        for (Worker w : FLEET) {
            lostBefore.add(w.lines("Redis does not answer"));
        }
        List<String> calls = load(site, each);
        site.await(300, Duration.ofMinutes(1));
        long killed = System.nanoTime();
        redis.kill();
        for (Worker w : FLEET) {
            Wait.until("it is alone", w.scraper.fork, () -> w.stats().getAsJsonObject("redis").get("state").getAsString().equals("alone"));
        }
        assertTrue(FLEET.get(0).page("/metrics").contains("\ntempolimit_redis_shared 0.0\n"), () -> FLEET.get(0).scraper.fork.stderr());
        site.await(Math.max(700, site.times().size() + 200), Duration.ofMinutes(1));
        redis.startAgain();
        join(calls, each);
        assembled();
        List<Long> times = departures(site);
        assertEquals(times.size(), site.times().size());
        double seconds = (times.get(times.size() - 1) - times.get(0)) / 1e9;
        double excess = new Pacing(RATE, BURST).excess(times);
        String what = String.format(Locale.ROOT,
                "%d requests in %.2f s, Redis gone after %.1f s: %.1f%% of burst + rate x T; %.1f over it in the busiest span",
                times.size(), seconds, (killed - times.get(0)) / 1e9, 100 * times.size() / (BURST + RATE * seconds), excess);
        System.out.println("* Four workers through a restart of Redis: " + what);
        assertEquals(WORKERS * each, times.size());
        assertTrue(excess <= 2 * BURST + BURST / 2, what);
        for (int i = 0; i < WORKERS; i++) {
            Worker w = FLEET.get(i);
            long told = lostBefore.get(i) + 1;
            assertEquals(told, w.lines("Redis does not answer"), w.scraper.fork::stderr);
            assertEquals(told, w.lines("Redis answers again"), w.scraper.fork::stderr);
            assertEquals(told, w.events("redis_lost"));
            assertEquals(told, w.events("redis_restored"));
        }
        String metrics = FLEET.get(0).page("/metrics");
        assertTrue(metrics.contains("\ntempolimit_redis_shared 1.0\n") && metrics.contains("\ntempolimit_redis_workers 4.0\n"), metrics);
    }

    /** All four send; one is blocked; nobody sends any more, until the one probe has got its page. */
    @Test
    void aBlockOfOneStopsTheOthers() throws Exception {
        AtomicBoolean block = new AtomicBoolean();
        AtomicLong blocked = new AtomicLong();
        AtomicLong answered = new AtomicLong();
        long begin = System.nanoTime();
        Server.Site site = SITES.site("127.63", exchange -> {
            if (block.compareAndSet(true, false)) {
                blocked.set(System.nanoTime());
                exchange.status(403).header("cf-mitigated", "challenge").header("Content-Type", "text/html")
                        .send("<title>Just a moment...</title>");
            } else if (blocked.get() != 0 && System.nanoTime() - blocked.get() > 2 * SECOND && answered.get() == 0) {
                exchange.pause(Duration.ofSeconds(1)); // the probe's
                answered.set(System.nanoTime());
                exchange.send("a page");
            } else {
                exchange.send("a page");
            }
        });
        int each = 150;
        assembled();
        List<String> calls = load(site, each);
        site.await(150, Duration.ofMinutes(1));
        block.set(true);
        join(calls, each);
        List<Long> after = site.times().stream().map(t -> t - blocked.get()).filter(t -> t > 0).toList();
        long last = after.stream().filter(t -> t < 2 * SECOND).reduce(0L, Math::max);
        List<Long> during = after.stream().filter(t -> t > 2 * SECOND && t < answered.get() - blocked.get()).toList();
        String what = "the last request after the block came " + (last == 0 ? "before it" : last / 1_000_000 + " ms after it")
                + "; then one, alone for a second, after "
                + during.stream().map(t -> t / 1_000_000).toList() + " ms";
        System.out.println("* A block of one of four workers: " + what);
        assertTrue(last < 3 * SECOND / 2 + Recording.hiccupOfAll(begin, System.nanoTime()), what); // 100 ms, and what a busy machine adds
        assertEquals(1, during.size(), what);
        assertTrue(during.get(0) > 2.9 * SECOND, what);
        int heard = 0;
        for (Worker w : FLEET) {
            Wait.until("it says that the host is in cooldown", w.scraper.fork, () -> w.lines(site.host() + ": in cooldown") > 0);
            Wait.until("it says that the host is open", w.scraper.fork, () -> w.lines(site.host() + ": is open again") > 0);
            heard += w.scraper.fork.stderr().lines().anyMatch(l -> l.contains(site.host() + ": in cooldown")
                    && l.contains("another program that shares this limit was blocked")) ? 1 : 0;
        }
        assertEquals(WORKERS - 1, heard, "one was blocked, and the others heard of it");
    }

    @Test
    void thePasswordIsNowhere() throws Exception {
        assembled();
        for (Worker w : FLEET) {
            String said = w.scraper.fork.stderr() + w.scraper.fork.stdout() + Files.readString(w.events) + w.page("/stats.json")
                    + w.page("/metrics") + w.page("/");
            assertFalse(said.contains("hunter2"), said);
        }
    }
}
