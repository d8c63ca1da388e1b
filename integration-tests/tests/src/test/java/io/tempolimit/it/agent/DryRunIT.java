package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A dry run: delays and rejects nothing, and tells everything. */
class DryRunIT {
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void tellsAndDoesNothing(int java) throws Exception {
        Path file = Source.folder().resolve("events.jsonl");
        String rejecting = "domain.127.44.0.0/16.";
        try (Server server = Server.start();
                Scraper scraper = Scraper.start(Jvm.scraper(java)
                        .agent("dry-run=true,user-agent.check=off,exclude=-private,rate=0.01,burst=1,learn=false,cooldown.threshold=2,"
                        + rejecting + "on-limit=reject,events=" + file), "UrlConnection")) {
            Server.Site site = server.site("127.43", Server.Script.inTurn(Server.Script.status(403), Server.Script.status(403),
                    Server.Script.status(200)));
            Server.Site other = server.site("127.44", Server.Script.status(200));
            // by a bucket of 0.01/s and a cooldown they would take minutes
            for (String status : new String[] {"403", "403", "200", "200"}) {
                assertEquals(status, scraper.get(site.url("/")));
            }
            assertEquals("200", scraper.get(other.url("/")));
            assertEquals("200", scraper.get(other.url("/")));
            assertEquals(0, scraper.end());

            List<JsonObject> events = EventsIT.read(file);
            assertEquals(List.of(), events.stream().filter(e -> e.has("key") && !(e.has("dry_run") && e.get("dry_run").getAsBoolean()))
                    .toList());
            List<JsonObject> throttled = EventsIT.named(events, "throttled");
            assertEquals(3, throttled.size(), events::toString);
            long wait = throttled.get(0).get("wait_ms").getAsLong();
            assertTrue(wait > 50_000 && wait <= 100_000, events::toString); // what it would have waited alone
            assertEquals(1, EventsIT.named(events, "would_cooldown_started").size(), events::toString);
            assertEquals(0, EventsIT.named(events, "cooldown_started").size(), events::toString);
            assertEquals(1, EventsIT.named(events, "rejected").size(), events::toString);
            String said = scraper.fork.stderr();
            assertTrue(said.contains("Tempolimit, dry run: 6 requests to 2 hosts; 3 would have waited"), said);
            assertTrue(said.contains("would be held to"), said);
            assertFalse(said.contains(": held to"), said);
        }
    }
}
