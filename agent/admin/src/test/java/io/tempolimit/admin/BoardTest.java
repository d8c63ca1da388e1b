package io.tempolimit.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonWriter;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.watch.Options;
import io.tempolimit.watch.Watch;
import java.io.InterruptedIOException;
import java.io.StringWriter;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoardTest {
    private static Limiter limiter() throws Exception {
        return limiter("rate=1000");
    }

    private static Limiter limiter(String settings) throws Exception {
        return new Limiter(Clock.SYSTEM, new Seeded(), Settings.load(new Sources(settings, Map.of(), Map.of())), Listener.NONE);
    }

    private static Permit request(Limiter limiter, String host) throws Exception {
        return limiter.arrive(new TestTarget(host));
    }

    private static List<String> lines(Limiter limiter, int named) throws Exception {
        return lines(limiter, named, "text/plain");
    }

    private static List<String> lines(Limiter limiter, int named, String accept) throws Exception {
        Watch watch = new Watch(new Options(System.err, System.out, "1.2.3").log("off", null, 0));
        return new String(new Metrics(limiter, Board.lastHour(limiter, named), watch).text(Metrics.format(accept)),
                StandardCharsets.UTF_8).lines().toList();
    }

    private static long series(List<String> lines) {
        return lines.stream().filter(l -> l.startsWith("tempolimit_requests_total{")).count();
    }

    /** 200 JVMs of 500 keys each were too much for one Prometheus. */
    @Test
    void soManyKeysHaveSeriesOfTheirOwn() throws Exception {
        Limiter limiter = limiter();
        for (int i : IntStream.range(0, 5).toArray()) {
            request(limiter, "h" + i + ".example").answered(200);
        }
        assertEquals(5, series(lines(limiter, 100)));
        assertEquals(3, series(lines(limiter, 2)));
        assertTrue(lines(limiter, 2).contains("tempolimit_requests_total{key=\"_other\"} 3.0"));
        List<String> none = lines(limiter, 0);
        assertEquals(1, series(none));
        assertTrue(none.contains("tempolimit_requests_total{key=\"_other\"} 5.0"), none::toString);
        assertFalse(none.toString().contains("h0.example"));
        assertFalse(none.stream().anyMatch(l -> l.startsWith("tempolimit_in_cooldown{")), "of several keys together that says nothing");
    }

    /** 250 requests had waited for 90 s, and the page said that none had. A host in deny was called open. */
    @Test
    void whatWaitsStillAndWhatIsDeniedIsShown() throws Exception {
        Limiter limiter = limiter("rate=1/h,burst=1,deny=denied.example");
        request(limiter, "slow.example").answered(200);
        Permit waits = request(limiter, "slow.example");
        assertTrue(waits.waiting());
        assertThrows(InterruptedIOException.class, () -> request(limiter, "denied.example"));
        long since = System.nanoTime();
        while (System.nanoTime() - since < 20_000_000) {
            Thread.onSpinWait();
        }
        StringWriter text = new StringWriter();
        JsonWriter w = new JsonWriter(text);
        w.beginObject();
        Board board = Board.lastHour(limiter, 100);
        board.join();
        board.write(w, 0);
        w.endObject();
        Map<String, JsonArray> rows = new HashMap<>();
        for (JsonElement row : JsonParser.parseString(text.toString()).getAsJsonObject().getAsJsonArray("rows")) {
            rows.put(row.getAsJsonArray().get(0).getAsString(), row.getAsJsonArray());
        }
        assertEquals("open", rows.get("slow.example").get(1).getAsString());
        assertTrue(rows.get("slow.example").get(21).getAsLong() >= 20, text::toString);
        assertEquals("denied", rows.get("denied.example").get(1).getAsString());
        assertEquals(1, rows.get("denied.example").get(12).getAsInt());
        assertEquals(0, rows.get("denied.example").get(21).getAsLong());
        List<String> lines = lines(limiter, 100);
        assertTrue(lines.contains("tempolimit_longest_wait_seconds{key=\"denied.example\"} 0.0"), lines::toString);
        String longest = "tempolimit_longest_wait_seconds{key=\"slow.example\"} ";
        assertTrue(lines.stream().filter(l -> l.startsWith(longest)).mapToDouble(l -> Double.parseDouble(l.split(" ")[1])).sum() >= 0.02,
                lines::toString);
        waits.cancel();
    }

    /** A chart said 19 requests a second beside a number that said 4: the others had been rejected. */
    @Test
    void chartsShowWhatWasSent() throws Exception {
        Limiter limiter = limiter("rate=1/h,burst=2,on-limit=reject,deny=denied.example");
        Board board = Board.lastHour(limiter, 100);
        request(limiter, "shop.example").answered(200);
        request(limiter, "shop.example").answered(403);
        for (int i = 0; i < 3; i++) {
            assertThrows(InterruptedIOException.class, () -> request(limiter, "shop.example"));
            assertThrows(InterruptedIOException.class, () -> request(limiter, "denied.example"));
        }
        StringWriter text = new StringWriter();
        board.writeHistory(new JsonWriter(text), null);
        assertEquals("[2]", JsonParser.parseString(text.toString()).getAsJsonObject().get("requests").toString());
    }

    /** The first block of a host would be none to Prometheus, whose increase() knows nothing before the first value. */
    @Test
    void blocksOfAHostAreCountedFromZeroOn() throws Exception {
        Limiter limiter = limiter();
        request(limiter, "h.example").answered(200);
        assertTrue(lines(limiter, 100).contains("tempolimit_blocked_requests_total{key=\"h.example\"} 0.0"));
        request(limiter, "h.example").answered(403);
        assertTrue(lines(limiter, 100).contains("tempolimit_blocked_requests_total{key=\"h.example\"} 1.0"));
    }

    /** As Prometheus asks; others get what Prometheus has always read. */
    @Test
    void whoAsksForOpenMetricsGetsThem() throws Exception {
        Limiter limiter = limiter();
        request(limiter, "h.example").answered(200);
        List<String> lines = lines(limiter, 100, "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3");
        assertEquals("# EOF", lines.get(lines.size() - 1));
        assertTrue(lines.contains("# TYPE tempolimit_requests counter"), lines::toString);
        assertTrue(lines.contains("tempolimit_requests_total{key=\"h.example\"} 1.0"), lines::toString);
        assertTrue(lines.stream().anyMatch(l -> l.matches(
                "tempolimit_agent_info\\{host=\".+\",java=\".+\",pid=\"\\d+\",version=\"1.2.3\"} 1")),
                lines::toString);
        assertEquals(lines(limiter, 100, null).get(0), lines(limiter, 100, "*/*").get(0));
        assertFalse(lines(limiter, 100, null).contains("# EOF"));
    }

    @Test
    void requestsThatNoWovenClientSendsAreMetrics() throws Exception {
        Limiter limiter = limiter();
        for (int i = 0; i < 3; i++) {
            limiter.unseen().sent("h" + i + ".example", false, () -> "nutch.HttpResponse");
            limiter.unseen().sent("h0.example", false, () -> "nutch.HttpResponse");
        }
        List<String> lines = lines(limiter, 2);
        assertTrue(lines.contains("tempolimit_unseen_requests_total{host=\"h0.example\"} 4.0"), lines::toString);
        assertTrue(lines.contains("tempolimit_unseen_requests_total{host=\"h1.example\"} 1.0"), lines::toString);
        assertTrue(lines.contains("tempolimit_unseen_requests_total{host=\"_other\"} 1.0"), lines::toString);
    }

    @Test
    void failuresAndWhatIsLeftOutAreMetrics() throws Exception {
        Limiter limiter = limiter();
        request(limiter, "down.example").failed(new ConnectException("refused"));
        request(limiter, "down.example").answered(502);
        assertEquals(null, request(limiter, "localhost"));
        List<String> lines = lines(limiter, 100);
        assertTrue(lines.contains("tempolimit_failed_requests_total{key=\"down.example\"} 1.0"), lines::toString);
        assertTrue(lines.contains("tempolimit_overloads_total{key=\"down.example\"} 1.0"), lines::toString);
        assertTrue(lines.contains("tempolimit_answers_total{key=\"down.example\",status=\"502\"} 1.0"), lines::toString);
        assertTrue(lines.contains("tempolimit_excluded_requests_total 1.0"), lines::toString);
    }
}
