package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Events, statistics, Flight Recorder and report tell the same. */
class FactsIT {
    private static final Server SERVER = Server.start();
    private static final String REJECTED = "io.tempolimit.RequestRejectedException";
    private static final String AGENT =
            "user-agent.check=off,exclude=-private,learn=false,rate=1,burst=1,cooldown.threshold=2,cooldown.duration=300s-300s,"
            + "domain.127.70.0.0/16.rate=1000,domain.127.70.0.0/16.burst=100,domain.127.70.0.0/16.on-limit=reject";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurnFrom11")
    void allPlacesTellTheSame(int java) throws IOException {
        Path folder = Source.folder();
        Path recording = folder.resolve("r.jfr");
        Server.Site open = SERVER.site("127.69", Server.Script.status(200));
        Server.Site blocking = SERVER.site("127.70", Server.Script.inTurn(Server.Script.status(429), Server.Script.status(403)));
        JsonObject statistics;
        String err;
        try (Scraper scraper = Scraper.start(Jvm.scraper(java).option("-XX:StartFlightRecording=filename=" + recording + ",dumponexit=true")
                .agent(AGENT + ",events=" + folder.resolve("e.json") + ",report=" + folder.resolve("r.json")), "UrlConnection")) {
            for (int i = 0; i < 4; i++) {
                assertEquals("200", scraper.get(open.url("/p?secret=1")));
            }
            assertEquals("429", scraper.get(blocking.url("/p?secret=1")));
            assertEquals("403", scraper.get(blocking.url("/p?secret=1")));
            assertEquals(REJECTED, scraper.get(blocking.url("/")));
            assertEquals(REJECTED, scraper.get(blocking.url("/")));
            statistics = JsonParser.parseString(Command.run("status", scraper.fork.pid(), "--json").out()).getAsJsonObject();
            assertEquals(0, scraper.end());
            err = scraper.fork.stderr();
        }
        List<JsonObject> events = Files.readAllLines(folder.resolve("e.json")).stream()
                .map(l -> JsonParser.parseString(l).getAsJsonObject()).toList();
        List<RecordedEvent> recorded = RecordingFile.readAllEvents(recording);
        JsonObject report = JsonParser.parseString(Files.readString(folder.resolve("r.json"))).getAsJsonObject();
        JsonObject o = domain(statistics, open);
        JsonObject b = domain(statistics, blocking);

        Map<String, Long> throttled = count(events, "throttled", e -> e.get("key").getAsString());
        assertTrue(throttled.get(open.host()) > 0, events::toString);
        assertEquals(throttled, recorded(recorded, "io.tempolimit.Throttle", e -> e.getString("key")));
        assertEquals(throttled, Map.of(open.host(), o.get("delayed_requests").getAsLong()));

        Map<String, Long> blocked = count(events, "blocked", e -> e.get("type").getAsString());
        assertEquals(Map.of("429_rate_limited", 1L, "403_forbidden", 1L), blocked);
        assertEquals(blocked, recorded(recorded, "io.tempolimit.Block", e -> e.getString("type")));
        assertEquals(blocked, b.getAsJsonObject("blocks_by_type").entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().getAsLong())));

        Map<String, Long> rejected = count(events, "rejected", e -> e.get("code").getAsString());
        assertEquals(Map.of("HOST_COOLING_DOWN", 2L), rejected);
        assertEquals(rejected, recorded(recorded, "io.tempolimit.Rejection", e -> e.getString("code")));
        assertEquals(2, b.get("rejected_requests").getAsInt());

        Map<String, Long> cooldowns = count(events, "cooldown_started", e -> e.get("key").getAsString() + " " + e.get("reason")
                .getAsString());
        assertEquals(cooldowns, recorded(recorded, "io.tempolimit.Cooldown", e -> e.getString("key") + " " + e.getString("reason")));
        assertEquals(1, b.get("cooldowns").getAsInt());
        assertEquals("403_forbidden", b.get("cooldown_reason").getAsString());

        for (Server.Site site : List.of(open, blocking)) {
            for (String name : List.of("total_requests", "delayed_requests", "total_wait_time_ms", "rejected_requests", "blocks_by_type",
                    "cooldowns", "state")) {
                assertEquals(domain(statistics, site).get(name), domain(report, site).get(name), name);
            }
        }
        assertTrue(err.contains("Tempolimit: 8 requests to 2 hosts; " + o.get("delayed_requests") + " waited "), err);
        assertTrue(err.contains("2 blocked; 1 cooldown ("), err);
        assertTrue(err.contains("2 rejected"), err);

        for (RecordedEvent e : recorded) {
            assertFalse(e.getEventType().getName().startsWith("io.tempolimit.") && e.toString().contains("secret"), e::toString);
            if (e.getEventType().getName().equals("io.tempolimit.Throttle")) {
                assertTrue(e.getLong("waited") >= 10_000_000, e::toString);
                // shorter for the first one, during whose wait the event's class is loaded
                assertTrue(e.getDuration().toNanos() > 0, e::toString);
                assertTrue(e.getStackTrace().getFrames().stream()
                        .anyMatch(f -> f.getMethod().getType().getName().equals("sun.net.www.protocol.http.HttpURLConnection")),
                        e::toString);
            }
        }
    }

    private static JsonObject domain(JsonObject statistics, Server.Site site) {
        for (JsonElement e : statistics.getAsJsonArray("domains")) {
            if (e.getAsJsonObject().get("domain").getAsString().equals(site.host())) {
                return e.getAsJsonObject();
            }
        }
        throw new AssertionError(statistics);
    }

    private static Map<String, Long> count(List<JsonObject> events, String name, Function<JsonObject, String> by) {
        return events.stream().filter(e -> e.get("event").getAsString().equals(name))
                .collect(Collectors.groupingBy(by, TreeMap::new, Collectors.counting()));
    }

    private static Map<String, Long> recorded(List<RecordedEvent> events, String name, Function<RecordedEvent, String> by) {
        return events.stream().filter(e -> e.getEventType().getName().equals(name))
                .collect(Collectors.groupingBy(by, TreeMap::new, Collectors.counting()));
    }

    /** A recording that begins while the program runs, and wants long waits alone. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurnFrom11")
    void aRecordingThatBeginsLaterAndItsThreshold(int java) throws Exception {
        Path folder = Source.folder();
        Path settings = folder.resolve("long.jfc");
        Files.writeString(settings, """
                <?xml version="1.0" encoding="UTF-8"?>
                <configuration version="2.0">
                  <event name="io.tempolimit.Throttle"><setting name="enabled">true</setting><setting name="threshold">1 s</setting></event>
                  <event name="io.tempolimit.Rejection"><setting name="enabled">false</setting></event>
                </configuration>
                """);
        Server.Site quick = SERVER.site("127.71", Server.Script.status(200));
        Server.Site slow = SERVER.site("127.72", Server.Script.status(200));
        try (Scraper scraper = Scraper.start(Jvm.scraper(java)
                .agent("user-agent.check=off,exclude=-private,rate=20,burst=1,domain.127.72.0.0/16.rate=0.2"), "UrlConnection")) {
            assertEquals("200", scraper.get(quick.url("/")));
            assertEquals("200", scraper.get(quick.url("/")));
            jcmd(scraper.fork, "JFR.start", "name=long", "settings=" + settings);
            assertEquals("200", scraper.get(quick.url("/")));
            assertEquals("200", scraper.get(quick.url("/")));
            assertEquals("200", scraper.get(slow.url("/")));
            assertEquals("200", scraper.get(slow.url("/")));
            jcmd(scraper.fork, "JFR.dump", "name=long", "filename=" + folder.resolve("long.jfr"));
        }
        List<RecordedEvent> recorded = RecordingFile.readAllEvents(folder.resolve("long.jfr"));
        assertEquals(Map.of(slow.host(), 1L), recorded(recorded, "io.tempolimit.Throttle", e -> e.getString("host")));
    }

    private static void jcmd(Fork fork, String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "jcmd")
                .toString(), String.valueOf(fork.pid())));
        words.addAll(List.of(command));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
    }
}
