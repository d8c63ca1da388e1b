package io.tempolimit.examples.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The site as its visitors see it, over HTTP and with a clock that the test turns. */
class SiteTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L);
    private final HttpClient client = HttpClient.newHttpClient();
    private Site site;

    @AfterEach
    void close() {
        site.close();
    }

    private void start(String... options) {
        List<String> all = new ArrayList<>(List.of("--pages", "200", "--latency", "0-0"));
        all.addAll(List.of(options));
        site = Site.start(clock::get, all.toArray(new String[0]));
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    private HttpResponse<byte[]> get(String target, String... headers) throws IOException, InterruptedException {
        return send("GET", target, headers);
    }

    private HttpResponse<byte[]> send(String method, String target, String... headers)
            throws IOException, InterruptedException {
        return client.send(request(method, target, headers), HttpResponse.BodyHandlers.ofByteArray());
    }

    private HttpRequest request(String method, String target, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(site.url().resolve(target))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    private List<Integer> statuses(int requests) throws IOException, InterruptedException {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            statuses.add(get("/product/1").statusCode());
        }
        return statuses;
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("none");
    }

    @Test
    void allowsTheBurstAndThenTheRate() throws Exception {
        start("--rate", "2", "--burst", "3");
        assertEquals(List.of(200, 200, 200, 429), statuses(4));
        pass(Duration.ofMillis(499));
        assertEquals(List.of(429), statuses(1));
        pass(Duration.ofMillis(1));
        assertEquals(List.of(200, 429), statuses(2));
        pass(Duration.ofHours(1));
        assertEquals(List.of(200, 200, 200, 429), statuses(4));
    }

    @Test
    void namesRetryAfterOnlyWhereToldTo() throws Exception {
        start("--rate", "1", "--burst", "1", "--retry-after", "7");
        statuses(1);
        HttpResponse<byte[]> refused = get("/");
        assertEquals(429, refused.statusCode());
        assertEquals("7", header(refused, "Retry-After"));
        assertTrue(text(refused).contains("Too many requests"));
        site.close();

        start("--rate", "1", "--burst", "1");
        statuses(1);
        assertEquals("none", header(get("/"), "Retry-After"));
    }

    @Test
    void bansAfterTheStrikesUntilTheBanHasPassed() throws Exception {
        start("--rate", "1", "--burst", "1", "--strikes", "3", "--ban", "5m");
        assertEquals(List.of(200, 429, 429, 429, 403, 403), statuses(6));
        pass(Duration.ofMinutes(5).minusNanos(1));
        HttpResponse<byte[]> banned = get("/");
        assertEquals(403, banned.statusCode());
        assertTrue(text(banned).contains("not a robot"));
        assertFalse(text(banned).contains("{reference}"));
        pass(Duration.ofNanos(1));
        assertEquals(List.of(200, 429), statuses(2));
        assertEquals(1, site.counts().bans());
    }

    @Test
    void startsABanAnewAtEachKnockWhereToldTo() throws Exception {
        start("--rate", "1", "--burst", "1", "--strikes", "1", "--ban", "60s", "--ban-restarts");
        assertEquals(List.of(200, 429, 403), statuses(3));
        pass(Duration.ofSeconds(59));
        assertEquals(List.of(403), statuses(1));
        pass(Duration.ofSeconds(59));
        assertEquals(List.of(403), statuses(1));
        pass(Duration.ofSeconds(60));
        assertEquals(List.of(200), statuses(1));
        assertEquals(1, site.counts().bans());
    }

    @Test
    void forgetsStrikesThatAreOlderThanTheirWindow() throws Exception {
        start("--rate", "1000", "--burst", "1", "--strikes", "2", "--strike-window", "10s");
        assertEquals(List.of(200, 429), statuses(2));
        pass(Duration.ofSeconds(11));
        assertEquals(List.of(200, 429), statuses(2));
        assertEquals(0, site.counts().bans());
        pass(Duration.ofSeconds(9));
        assertEquals(List.of(200, 429, 403), statuses(3));
    }

    @Test
    void tellsClientsApartByTheirHeader() throws Exception {
        start("--rate", "1", "--burst", "1", "--client-header");
        assertEquals(200, get("/", "X-Client", "ann").statusCode());
        assertEquals(429, get("/", "X-Client", "ann").statusCode());
        assertEquals(200, get("/", "X-Client", "bob").statusCode());
        assertEquals(200, get("/").statusCode());
        assertEquals(1, site.counts("ann").of(Outcome.REFUSED_429));
        assertEquals(0, site.counts("bob").of(Outcome.REFUSED_429));
        assertEquals(1, site.counts("127.0.0.1").requests());
    }

    @Test
    void compressesForThoseWhoTakeIt() throws Exception {
        start("--rate", "none");
        HttpResponse<byte[]> plain = get("/product/3");
        HttpResponse<byte[]> zipped = get("/product/3", "Accept-Encoding", "deflate, gzip");
        assertEquals("none", header(plain, "Content-Encoding"));
        assertEquals("gzip", header(zipped, "Content-Encoding"));
        assertTrue(zipped.body().length < plain.body().length / 2);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped.body()))) {
            assertEquals(text(plain), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void saysNotModifiedToThoseWhoHaveThePage() throws Exception {
        start("--rate", "none");
        String version = header(get("/product/3"), "ETag");
        HttpResponse<byte[]> again = get("/product/3", "If-None-Match", version);
        assertEquals(304, again.statusCode());
        assertEquals(0, again.body().length);
        assertEquals(version, header(again, "ETag"));
        assertEquals(200, get("/product/4", "If-None-Match", version).statusCode());
    }

    @Test
    void answersHeadLikeGetWithoutTheBody() throws Exception {
        start("--rate", "none");
        HttpResponse<byte[]> head = send("HEAD", "/product/3");
        assertEquals(200, head.statusCode());
        assertEquals(0, head.body().length);
        assertEquals(Integer.toString(get("/product/3").body().length), header(head, "Content-Length"));
        assertEquals(405, send("DELETE", "/product/3").statusCode());
    }

    @Test
    void redirectsAndKnowsWhatItDoesNotHave() throws Exception {
        start("--rate", "none");
        HttpResponse<byte[]> moved = get("/go/3");
        assertEquals(302, moved.statusCode());
        assertEquals("/product/3", header(moved, "Location"));
        assertEquals(404, get("/go/9999").statusCode());
        assertEquals(404, get("/product/0").statusCode());
        assertEquals(404, get("/category/garden?page=99").statusCode());
        assertEquals(404, get("/nowhere").statusCode());
    }

    @Test
    void namesACrawlDelayOnlyWhereToldTo() throws Exception {
        start("--crawl-delay", "4");
        assertTrue(text(get("/robots.txt")).endsWith("Crawl-delay: 4\n"));
        site.close();

        start();
        assertFalse(text(get("/robots.txt")).contains("Crawl-delay"));
    }

    @Test
    void countsAndRemembersEveryRequestButThatForItsCounts() throws Exception {
        start("--rate", "1", "--burst", "4", "--strikes", "1");
        get("/");
        get("/go/1");
        get("/nowhere");
        get("/about", "If-None-Match", "*");
        get("/about");
        get("/about");
        String fields = "\"requests\":6,\"pages\":1,\"not_modified\":1,\"redirects\":1,\"not_found\":1,\"not_allowed\":0,"
                + "\"refused_429\":1,\"refused_403\":1,\"bans\":1";
        String expected = "{" + fields + ",\"clients\":{\"127.0.0.1\":{" + fields + "}}}\n";
        assertEquals(expected, text(get("/_stats")));
        assertEquals(expected, text(get("/_stats")));
        assertEquals(List.of(200, 302, 404, 304, 429, 403), site.arrivals().stream().map(Arrival::status).toList());
        assertEquals(new Arrival(clock.get(), "127.0.0.1", "GET", "127.0.0.1:" + site.port(), "/go/1", 302),
                site.arrivals().get(1));
    }

    @Test
    void answersManyAtOnce() {
        start("--rate", "none", "--latency", "300-300");
        long began = System.nanoTime();
        List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
        for (int i = 1; i <= 50; i++) {
            answers.add(client.sendAsync(request("GET", "/product/" + i), HttpResponse.BodyHandlers.ofByteArray()));
        }
        answers.forEach(answer -> assertEquals(200, answer.join().statusCode()));
        // One after the other they would take 15 s.
        assertTrue(System.nanoTime() - began < Duration.ofSeconds(5).toNanos());
    }
}
