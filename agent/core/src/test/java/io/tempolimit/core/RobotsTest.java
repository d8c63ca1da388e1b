package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A robots.txt that the application fetches, and what it changes of its host's pace. */
class RobotsTest {
    private static final long SECOND = Scene.SECOND;

    private static Head head(int status) {
        return new Head() {
            @Override
            public int status() {
                return status;
            }

            @Override
            public void headers(Headers to) {
                to.add("Content-Type", "text/plain");
            }
        };
    }

    private static void fetch(Scene scene, String path, int status, String text) throws RequestRejectedException {
        Body body = scene.limiter.charge(new TestTarget("a.example", path)).answered(head(status));
        if (body != null) {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            body.add(bytes, 0, bytes.length);
            body.end();
        }
    }

    private static void fetch(Scene scene, String text) throws RequestRejectedException {
        fetch(scene, "/robots.txt", 200, "User-agent: *\n" + text + "\n");
    }

    private static void limit(Scene scene, double rate, int burst) {
        assertEquals(rate, scene.key().limit().rate(), 1e-9);
        assertEquals(burst, scene.key().limit().burst());
    }

    @Test
    void aCrawlDelayHoldsTheRateDownAndALaterFileWithoutOneLiftsIt() throws Exception {
        Scene scene = new Scene(p -> p.rate(3).burst(5).robots(true));
        fetch(scene, "Crawl-delay: 10");
        limit(scene, 0.1, 1);
        assertEquals(10_000, scene.stats().crawlDelayMillis);
        assertEquals(0, scene.stats().learnedRate, "that was not learnt");
        scene.pass(100 * SECOND);
        long start = scene.clock.nanos();
        List<Permit> all = scene.arrive(4);
        scene.pass(60 * SECOND);
        assertTrue(all.get(0).granted());
        for (int i = 1; i < 4; i++) {
            assertEquals(i * 10 * SECOND, scene.end(all.get(i), start));
        }
        fetch(scene, "Crawl-delay: 20");
        limit(scene, 0.05, 1);
        fetch(scene, "Disallow: /x");
        limit(scene, 3, 5);
        assertEquals(0, scene.stats().crawlDelayMillis);
        assertEquals(List.of("robots 10000", "robots 20000", "robots 0"), scene.heard.stream().filter(h ->
                h.startsWith("robots")).toList());
    }

    @Test
    void itMovesThoseWhoWait() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1).robots(true));
        long start = scene.clock.nanos();
        scene.arrive();
        List<Permit> waiting = scene.arrive(2);
        Permit robots = scene.limiter.charge(new TestTarget("a.example", "/robots.txt"));
        Body body = robots.answered(head(200));
        byte[] bytes = "User-agent: *\nCrawl-delay: 10\n".getBytes(StandardCharsets.US_ASCII);
        body.add(bytes, 0, bytes.length);
        body.end();
        scene.pass(100 * SECOND);
        assertTrue(scene.end(waiting.get(1), start) - scene.end(waiting.get(0), start) >= 10 * SECOND);
    }

    @Test
    void itNeverRaisesARate() throws Exception {
        Scene scene = new Scene(p -> p.rate(0.05).burst(1).robots(true));
        fetch(scene, "Crawl-delay: 10");
        limit(scene, 0.05, 1);
        scene = new Scene(p -> p.rate(3).burst(5).robots(true));
        fetch(scene, "Crawl-delay: 0.1");
        limit(scene, 3, 1); // a time between any two, so none go at once
    }

    @Test
    void whatTheSettingsAndOtherAnswersSayOfIt() throws Exception {
        Scene off = new Scene(p -> p.rate(3).burst(5));
        fetch(off, "Crawl-delay: 10");
        limit(off, 3, 5);
        assertNull(off.limiter.charge(new TestTarget("a.example", "/robots.txt")).answered(head(200)), "nothing to be shown");
        Scene scene = new Scene(p -> p.rate(3).burst(5).robots(true));
        fetch(scene, "/other.txt", 200, "User-agent: *\nCrawl-delay: 10\n");
        fetch(scene, "/robots.txt", 500, "User-agent: *\nCrawl-delay: 10\n");
        limit(scene, 3, 5);
        fetch(scene, "Crawl-delay: 10");
        fetch(scene, "/robots.txt", 503, "");
        limit(scene, 0.1, 1);
        scene.policy(p -> p.rate(3).burst(5));
        limit(scene, 3, 5);
        scene.policy(p -> p.rate(2).burst(5).robots(true));
        limit(scene, 0.1, 1);
        fetch(scene, "/robots.txt", 404, "");
        limit(scene, 2, 5);
    }
}
