package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Server;
import io.tempolimit.it.harness.Server.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Rejected requests that get a response, with {@code reject-with=response}: the clients whose types let one be made;
 * the others' fail as they do without.
 */
interface Answers extends Contract {
    /** No client repeats, follows, stores or judges it: it was made above all that. */
    @Check
    default void aRejectionIsAResponse() {
        inEachMode(mode -> {
            Server.Site site = site(Network.ANSWERING);
            String client = program().open("repeat=3");
            program().get(client, mode, site.url("/first")).join().expect(200);
            String before = null;
            for (int i = 0; i < 4; i++) { // more than a cooldown takes
                Program.Outcome outcome = program().get(client, mode, site.url("/rejected")).join();
                assertTrue(outcome.took().compareTo(PROMPT) < 0, outcome::toString);
                if (!program().can("ANSWERS_REJECTIONS")) {
                    assertTrue(outcome.get("chain").contains(Refusals.REJECTED)
                            && outcome.get("chain").contains("RATE_LIMIT_EXCEEDED"), outcome::toString);
                    continue;
                }
                JsonObject body = body(outcome.expect(429), "RATE_LIMIT_EXCEEDED", site, "rate");
                assertEquals("2/1", text(body.getAsJsonObject("details"), "current_usage"), outcome::toString);
                assertEquals("limit: 0.1 requests/s per host", text(body, "hint"), outcome::toString);
                long seconds = body.get("retry_after").getAsLong();
                assertTrue(seconds >= 1 && seconds <= 10, outcome::toString);
                assertTrue(headers(outcome).contains("retry-after: " + seconds + ","), outcome::toString);
                long reset = Instant.parse(text(body.getAsJsonObject("details"), "reset_time")).getEpochSecond() - Instant.now()
                        .getEpochSecond();
                assertTrue(reset <= 11 && reset >= seconds - 11, () -> "reset in " + reset + " s: " + outcome);
                assertNotEquals(before, text(body, "trace_id"));
                before = text(body, "trace_id");
            }
            assertEquals(1, site.arrivals().size());
            JsonObject statistics = statistics(site);
            assertEquals(5, statistics.get("total_requests").getAsInt(), statistics::toString);
            assertEquals(4, statistics.get("rejected_requests").getAsInt(), statistics::toString);
            assertEquals(0, statistics.get("blocked_requests").getAsInt(), statistics::toString);
            assertEquals("open", text(statistics, "state"), statistics::toString);
            assertEquals(0, statistics.get("active_requests").getAsInt(), statistics::toString);
        });
    }

    @Check
    default void aRejectedHeadHasNoBody() {
        needs("ANSWERS_REJECTIONS");
        inEachMode(mode -> {
            Server.Site site = site(Network.ANSWERING);
            String client = program().open();
            program().get(client, mode, site.url("/first")).join().expect(200);
            Program.Outcome outcome = program().begin(client, mode, "HEAD", site.url("/rejected")).join().expect(429);
            assertEquals("0", outcome.get("length"), outcome::toString);
            assertTrue(headers(outcome).contains("x-tempolimit: RATE_LIMIT_EXCEEDED"), outcome::toString);
            assertEquals(1, site.arrivals().size());
        });
    }

    /** Of a chain that has begun; the connection of the hop before it can be used again. */
    @Check
    default void aRejectedRedirectIsAResponse() {
        needs("ANSWERS_REJECTIONS");
        inEachMode(mode -> {
            Server.Site target = site(Network.ANSWERING);
            Server.Site source = site(Network.OPEN, Script.redirect(target.url("/there")));
            String client = program().open("repeat=3");
            program().get(client, mode, source.url("/")).join().expect(200);
            for (int i = 0; i < 3; i++) {
                body(program().get(client, mode, source.url("/" + i)).join().expect(429), "RATE_LIMIT_EXCEEDED", target, "rate");
            }
            assertEquals(4, source.arrivals().size());
            assertEquals(1, target.arrivals().size());
            assertTrue(source.arrivals().stream().mapToInt(Server.Arrival::connection).distinct().count() <= 2, () -> mode + ": "
                    + source.arrivals());
        });
    }

    /** A hop within a host, over the connection that it has already. */
    @Check
    default void aRejectedHopOnALeasedConnectionIsAResponse() {
        needs("ANSWERS_REJECTIONS");
        inEachMode(mode -> {
            Server.Site site = site(Network.ANSWERING, Script.redirect("/there"));
            body(program().get(program().open(), mode, site.url("/")).join().expect(429), "RATE_LIMIT_EXCEEDED", site, "rate");
            assertEquals(1, site.arrivals().size());
        });
    }

    @Check
    default void aDeniedHostIsForbidden() {
        needs("ANSWERS_REJECTIONS");
        inEachMode(mode -> {
            Server.Site site = site(Network.ANSWERING_DENIED);
            Program.Outcome outcome = program().get(program().open(), mode, site.url("/")).join().expect(403);
            JsonObject body = body(outcome, "HOST_BLOCKED", site, "blocked");
            assertTrue(body.get("retry_after").isJsonNull() && body.getAsJsonObject("details").get("reset_time").isJsonNull()
                    && body.getAsJsonObject("details").get("current_usage").isJsonNull(), outcome::toString);
            assertTrue(!headers(outcome).contains("retry-after"), outcome::toString);
            assertEquals(0, site.arrivals().size());
        });
    }

    /** One that has waited: its turn moves beyond what it would wait for. */
    @Check
    default void aRejectionInTheMiddleOfAWaitIsAResponse() {
        needs("ANSWERS_REJECTIONS");
        inEachMode(mode -> {
            CountDownLatch waiting = new CountDownLatch(1);
            Server.Site site = site(Network.ANSWERING_GUARDED, exchange -> {
                if (exchange.request().path().equals("/blocked")) {
                    try {
                        waiting.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                exchange.status(403).header("Connection", "close").send("go away");
            });
            String client = program().open();
            Program.Call blocked = program().get(client, mode, site.url("/blocked"));
            site.await(1, PATIENCE);
            Program.Calls held = program().many(client, mode, 5, 5, site.url("/held")); // 0.5 s to 2.5 s to wait
            for (long end = System.nanoTime() + PATIENCE.toNanos(); statistics(site).get("waiting_requests").getAsInt() < 4; ) {
                assertTrue(System.nanoTime() - end < 0, () -> "not waiting: " + statistics(site));
            }
            waiting.countDown();
            blocked.join().expect(403);
            for (int i = 0; i < 5; i++) {
                Program.Outcome outcome = new Program.Call(program(), held.id() + i).join();
                if (outcome.status() != 403) { // one, or two on a slow machine, may have gone before
                    body(outcome.expect(429), "HOST_COOLING_DOWN", site, "cooldown");
                    assertTrue(outcome.get("text").contains("\"1/1\""), outcome::toString);
                }
            }
            assertTrue(site.arrivals().size() < 5, () -> mode + ": " + site.arrivals());
        });
    }

    private JsonObject statistics(Server.Site site) {
        return JsonParser.parseString(program().ask("statistics " + site.host())).getAsJsonObject();
    }

    /** The body, checked for what is the same in all of them. */
    private static JsonObject body(Program.Outcome outcome, String code, Server.Site host, String limitType) {
        String headers = headers(outcome);
        assertTrue(headers.contains("x-tempolimit: " + code + ",")
                && headers.contains("content-type: application/json,"), outcome::toString);
        assertTrue(headers.contains("content-length: " + outcome.get("length") + ","), outcome::toString);
        JsonObject body = JsonParser.parseString(outcome.get("text")).getAsJsonObject();
        assertEquals("error", text(body, "status"), outcome::toString);
        assertEquals(code, text(body, "code"), outcome::toString);
        assertTrue(text(body, "message").contains(code) && text(body, "message").contains(host.host()), outcome::toString);
        assertTrue(text(body, "trace_id").matches("[0-9a-f]{32}"), outcome::toString);
        assertTrue(text(body, "hint").length() > 10, outcome::toString);
        assertEquals(host.host(), text(body.getAsJsonObject("details"), "host"), outcome::toString);
        assertEquals(limitType, text(body.getAsJsonObject("details"), "limit_type"), outcome::toString);
        return body;
    }

    private static String text(JsonObject object, String field) {
        return object.get(field).getAsString();
    }

    /** Each with a comma behind it. */
    private static String headers(Program.Outcome outcome) {
        return outcome.get("headers").replaceAll("^\\[|\\]$", "") + ",";
    }
}
