package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The event log: what happened, in order, by the contract's names, and nothing secret in it. */
class EventsIT {
    private static final Server SERVER = Server.start();

    /** A block, a block, a cooldown, a probe; a rejection elsewhere; all with things in the URL and headers that are nobody's business. */
    private static final Path PROGRAM = Source.compile(8, """
            import java.net.*;
            public class Talker {
                public static void main(String[] args) throws Exception {
                    for (String url : args) {
                        for (int i = 0; i < (url.contains("reject") ? 2 : 4); i++) {
                            try {
                                HttpURLConnection c = (HttpURLConnection) new URL(url.replace("http://", "http://alice:hunter2@") + "?token=topsecret#frag").openConnection();
                                c.setRequestProperty("X-Api-Key", "keyvalue");
                                c.setRequestProperty("Cookie", "session=cookievalue");
                                System.out.println(c.getResponseCode());
                                if (c.getResponseCode() == 200) {
                                    while (c.getInputStream().read() >= 0) { } // a probe's page is judged when it has been read
                                }
                            } catch (java.io.IOException e) {
                                System.out.println(e.getClass().getName());
                            }
                        }
                    }
                }
            }""");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void tellWhatHappened(int java) throws IOException {
        Server.Site blocking = SERVER.site("127.40", Server.Script.inTurn(Server.Script.status(200), Server.Script.status(403),
                Server.Script.status(429), Server.Script.status(200)));
        Server.Site other = SERVER.site("127.41", Server.Script.status(200));
        Path file = Source.folder().resolve("events.jsonl");
        Path log = file.resolveSibling("agent.log");
        String rejecting = "domain.127.41.0.0/16.";
        try (Fork fork = Jvm.on(java)
                .agent("user-agent.check=off,exclude=-private,rate=1,burst=1,learn=false,cooldown.threshold=2,cooldown.duration=2s-2s,"
                + rejecting + "rate=0.02," + rejecting + "on-limit=reject,log.level=debug,log.file=" + log + ",events=" + file)
                .classpath(PROGRAM).main("Talker", blocking.url("/private/page"), other.url("/reject")).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("200\n403\n429\n200\n200\nio.tempolimit.RequestRejectedException\n", fork.stdout());
            List<JsonObject> events = read(file);

            JsonObject started = only(events, "started");
            assertEquals(events.get(0), started);
            assertTrue(started.has("version") && started.get("java").getAsString()
                    .startsWith(java == 8 ? "1.8" : "" + java), started::toString);
            JsonObject woven = only(events, "client_woven");
            assertEquals("HttpURLConnection", woven.get("client").getAsString(), woven::toString);

            List<JsonObject> throttled = named(events, "throttled");
            // where a request takes a second, the next one need not wait
            assertTrue(throttled.size() >= 1 && throttled.size() <= 3, events::toString);
            long rested = throttled.get(throttled.size() - 1).get("wait_ms").getAsLong();
            assertTrue(rested >= 1000, throttled::toString);
            for (JsonObject event : throttled) {
                assertTrue(event.get("wait_ms").getAsLong() >= 10, event::toString);
                assertEquals(blocking.host(), event.get("key").getAsString(), event::toString);
                assertEquals(blocking.host(), event.get("host").getAsString(), event::toString);
            }
            List<JsonObject> blocked = named(events, "blocked");
            assertEquals(2, blocked.size(), events::toString);
            for (int i = 0; i < 2; i++) {
                JsonObject event = blocked.get(i);
                assertEquals(i == 0 ? "403_forbidden" : "429_rate_limited", event.get("type").getAsString(), event::toString);
                assertEquals(i == 0 ? 403 : 429, event.get("status").getAsInt(), event::toString);
                assertEquals(i + 1, event.get("consecutive").getAsInt(), event::toString);
                assertTrue(event.get("counts").getAsBoolean(), event::toString);
                assertEquals(blocking.url("/private/page"), event.get("url").getAsString(), event::toString);
            }
            JsonObject cooldown = only(events, "cooldown_started");
            assertEquals(2000, cooldown.get("duration_ms").getAsInt(), cooldown::toString);
            assertEquals("429_rate_limited", cooldown.get("reason").getAsString(), cooldown::toString);
            JsonObject open = only(events, "cooldown_ended");
            assertEquals(blocking.host(), open.get("key").getAsString(), open::toString);
            JsonObject rejected = only(events, "rejected");
            assertEquals("RATE_LIMIT_EXCEEDED", rejected.get("code").getAsString(), rejected::toString);
            assertEquals(other.host(), rejected.get("host").getAsString(), rejected::toString);
            assertTrue(events.indexOf(blocked.get(1)) < events.indexOf(cooldown)
                    && events.indexOf(cooldown) < events.indexOf(open), events::toString);

            for (JsonObject event : events) {
                Instant.parse(event.get("time").getAsString());
            }
            assertTrue(Files.readString(log).contains("/private/page"), "the log is not at debug: nothing is shown by its silence");
            for (String text : new String[] {Files.readString(file), Files.readString(log), fork.stderr()}) {
                for (String secret : new String[] {"hunter2", "alice", "topsecret", "token", "frag", "keyvalue", "cookievalue", "Api-Key",
                        "session"}) {
                    assertFalse(text.contains(secret), () -> secret + " in\n" + text);
                }
            }
            if (Set.copyOf(file.getFileSystem().supportedFileAttributeViews()).contains("posix")) {
                assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
                assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(log)));
            }
        }
    }

    static List<JsonObject> read(Path file) throws IOException {
        List<JsonObject> events = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            JsonObject event = JsonParser.parseString(line).getAsJsonObject();
            assertTrue(event.has("time") && event.has("event"), line);
            events.add(event);
        }
        return events;
    }

    static List<JsonObject> named(List<JsonObject> events, String name) {
        return events.stream().filter(e -> e.get("event").getAsString().equals(name)).toList();
    }

    private static JsonObject only(List<JsonObject> events, String name) {
        List<JsonObject> found = named(events, name);
        assertEquals(1, found.size(), () -> name + " in " + events);
        return found.get(0);
    }
}
