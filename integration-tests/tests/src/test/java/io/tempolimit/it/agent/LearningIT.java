package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What a site tolerates is learnt from its answers over the network; how well, on sites of many kinds, is shown in agent/core. */
class LearningIT {
    private static final Server SERVER = Server.start();
    /** What the site bears, of the 20 a second that the settings allow. */
    private static final double RATE = 5;
    private static final int PAGES = 55;

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** Refuses what comes faster than its bucket fills. */
    private static final class Guarded implements Server.Script {
        /** What it answered, in order. */
        final List<Integer> statuses = Collections.synchronizedList(new ArrayList<>());
        private double tokens = RATE;
        private long filled = System.nanoTime();

        @Override
        public synchronized void answer(Server.Exchange exchange) throws IOException {
            long now = System.nanoTime();
            tokens = Math.min(RATE, tokens + (now - filled) / 1e9 * RATE);
            filled = now;
            boolean refused = tokens < 1;
            tokens -= refused ? 0 : 1;
            statuses.add(refused ? 429 : 200);
            exchange.status(refused ? 429 : 200).header("Content-Type", "text/plain").send(refused ? "slow down" : "page");
        }
    }

    @Test
    void aProgramThatIsTooFastForItsSiteIsHeldToWhatItBears() {
        Guarded guarded = new Guarded();
        Server.Site site = SERVER.site("127.57", guarded);
        try (Scraper scraper = Scraper.start(Jvm.scraper(17).agent("user-agent.check=off,exclude=-private,rate=20,burst=5"),
                "UrlConnection")) {
            assertEquals("ok=" + PAGES + " failed=0 pending=0 ",
                    scraper.joinMany(scraper.beginMany(PAGES, 1, site.url("/")), PAGES, Jvm.LONG));
            List<Integer> statuses = List.copyOf(guarded.statuses);
            long refused = statuses.stream().filter(status -> status == 429).count();
            assertEquals(PAGES, statuses.size(), statuses::toString);
            assertTrue(refused >= 1 && refused <= 10, () -> refused + " refused: " + statuses);
            List<Integer> last = statuses.subList(PAGES - 15, PAGES);
            assertTrue(last.stream().filter(status -> status == 429).count() <= 3, () -> "still refused after it was learnt: " + statuses);
            JsonObject statistics = scraper.statistics(site.host());
            double learned = statistics.get("learned_rate").getAsDouble();
            assertTrue(learned > 1 && learned < 1.3 * RATE, statistics::toString);
            assertEquals(refused, statistics.getAsJsonObject("blocks_by_type").get("429_rate_limited").getAsLong(), statistics::toString);
            List<Long> times = site.times();
            double took = (times.get(PAGES - 1) - times.get(PAGES - 15)) / 1e9;
            assertTrue(took > 14 / (1.3 * RATE), () -> "15 requests at " + learned + " a second took " + took + " s");
            assertTrue(took < 30, () -> "no pages came for long: " + took + " s");
            assertTrue(scraper.fork.stderr().contains("which it seems to tolerate (see help learn)"), scraper.fork::stderr);
        }
    }
}
