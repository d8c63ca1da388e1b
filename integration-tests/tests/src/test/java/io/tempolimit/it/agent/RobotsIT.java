package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code robots=observe}: what the program itself fetches lowers its rate; the agent fetches nothing. */
class RobotsIT {
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @CsvSource({"Jdk,", "OkHttp,okhttp-5-newest", "UrlConnection,"})
    void aCrawlDelayThatTheProgramHasFetchedIsKeptUntilItIsGone(String adapter, String client) throws Exception {
        AtomicReference<String> robots = new AtomicReference<>("User-agent: *\r\nCrawl-delay: 2\r\n");
        Server.Site site = SERVER.site("127.54", exchange -> {
            if (!exchange.request().path().equals("/robots.txt")) {
                exchange.send("page");
            } else if (exchange.request().header("Accept-Encoding") != null
                    && exchange.request().header("Accept-Encoding").contains("gzip")) {
                exchange.header("Content-Type", "text/plain").header("Content-Encoding", "gzip").send(gzip(robots.get()));
            } else {
                exchange.header("Content-Type", "text/plain").send(robots.get());
            }
        });
        var jvm = Jvm.scraper(17).agent("user-agent.check=off,exclude=-private,rate=50,burst=50,robots=observe");
        if (client != null) {
            jvm.classpath(Source.jarsOf(client).toArray(new java.nio.file.Path[0]));
        }
        try (Scraper scraper = Scraper.start(jvm, adapter)) {
            assertEquals("200", scraper.get(site.url("/robots.txt")));
            long begun = System.nanoTime();
            fetch(scraper, site, 3);
            double took = (site.times().get(3) - begun) / 1e9;
            assertTrue(took >= 4, () -> "three pages 2 s apart took " + took + " s");
            Wait.until("it is told", scraper.fork, () -> scraper.fork.stderr()
                    .contains(site.host()
                    + ": its robots.txt asks for 2 s between requests; held to 0.5 requests/s. robots=off changes that"));
            robots.set("User-agent: *\nDisallow: /private\n");
            assertEquals("200", scraper.get(site.url("/robots.txt")));
            fetch(scraper, site, 20);
            List<Long> all = site.times();
            double lifted = (all.get(24) - all.get(5)) / 1e9;
            assertTrue(lifted < 38, () -> "twenty pages took " + lifted + " s, as if they were still 2 s apart");
            assertEquals(2, site.arrivals().stream().filter(a -> a.path().equals("/robots.txt")).count());
        }
    }

    private static void fetch(Scraper scraper, Server.Site site, int pages) {
        for (int i = 0; i < pages; i++) {
            assertEquals("200", scraper.get(site.url("/" + i)));
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }
}
