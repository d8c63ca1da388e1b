package io.tempolimit.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.watch.Options;
import io.tempolimit.watch.Watch;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoardTest {
    private static Limiter limiter() throws Exception {
        return new Limiter(Clock.SYSTEM, Settings.load(new Sources("rate=1000", Map.of(), Map.of())), Listener.NONE);
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
        assertTrue(lines.contains("tempolimit_excluded_requests_total 1.0"), lines::toString);
    }
}
