package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.tempolimit.it.harness.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/**
 * Heads act at once. Answers whose head says nothing wrong are judged by their bodies, as the application reads them, and before its next
 * request of that host.
 */
interface Bodies extends Contract {
    /** What Cloudflare sends a client that is to prove itself, without the header by which it could be told at once. */
    String CHALLENGE = """
            <!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head>
            <body><div class="main-wrapper" role="main"><div class="main-content"><noscript><div class="h2"><span id="challenge-error-text">Enable JavaScript
            and cookies to continue</span></div></noscript></div></div>
            <script>(function(){window._cf_chl_opt = {cvId: '3',cZone: 'shop.example',cType: 'managed',cRay: '8f00ba5eba11aced',cH: 'x'};
            var a = document.createElement('script');a.src = '/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=8f00ba5eba11aced';
            document.getElementsByTagName('head')[0].appendChild(a);}());</script></body></html>
            """;
    /** A paragraph of a page, of 1024 bytes. */
    String PARAGRAPH = "<p>Violets and roses, by the dozen or by the stem, cut this morning and brought to your door.</p>\n".repeat(11)
            .substring(0, 1023) + "\n";
    String PAGE = "<!DOCTYPE html><html><head><title>Flowers</title></head><body><h1>Flowers</h1>" + PARAGRAPH.repeat(4) + "</body></html>";

    @Check
    default void threeChallengesInTheBodiesStartACooldown() {
        needs("BODIES");
        inEachMode(mode -> {
            SideBySide.each(List.of("plain", "gzip", "chunked"), form -> {
                Server.Site site = site(Network.GUARDED, exchange -> {
                    exchange.header("Content-Type", "text/html; charset=utf-8");
                    answer(exchange, form, (exchange.request().path().startsWith("/good") ? PAGE : CHALLENGE)
                            .getBytes(StandardCharsets.UTF_8));
                });
                String what = form + ", " + mode;
                String client = program().open();
                String plain = cell().plain().open();
                List<String> paths = List.of("/0", "/1", "/good", "/2", "/3", "/4", "/good/after");
                for (String path : paths) {
                    Program.Outcome actual = program().get(client, mode, site.url(path)).join().expect(200);
                    if (!path.endsWith("after")) {
                        Program.Outcome expected = cell().plain().get(plain, mode, site.url(path)).join().expect(200);
                        for (String field : List.of("length", "crc", "headers")) {
                            assertEquals(expected.get(field), actual.get(field), () -> what + ": " + field);
                        }
                    }
                }
                // Each was sent twice, by the program without the agent too; but the last.
                List<Long> times = site.times();
                Contract.within(Network.PAUSE, Network.PAUSE.plus(PROMPT), times.get(12) - times.get(10), () -> what
                        + ": the next request went after");
                List<JsonObject> blocks = cell().events("blocked", site.host(), 5);
                List<Integer> counts = new ArrayList<>();
                for (JsonObject block : blocks) {
                    assertEquals("cloudflare_challenge", block.get("type").getAsString(), block::toString);
                    assertEquals("cloudflare", block.get("vendor").getAsString(), block::toString);
                    assertEquals(200, block.get("status").getAsInt(), block::toString);
                    counts.add(block.get("consecutive").getAsInt());
                }
                assertEquals(List.of(1, 2, 1, 2, 3), counts, () -> what + ": " + blocks);
            });
        });
    }

    private static void answer(Server.Exchange exchange, String form, byte[] page) throws IOException {
        switch (form) {
            case "gzip" -> exchange.header("Content-Encoding", "gzip").send(gzip(page));
            case "chunked" -> {
                for (int from = 0; from < page.length; from += 100) {
                    exchange.chunk(Arrays.copyOfRange(page, from, Math.min(from + 100, page.length)));
                }
                exchange.end();
            }
            default -> exchange.send(page);
        }
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    @Check
    default void refusalsThatNobodyReadsAreCounted() {
        needs("BODIES");
        Server.Site site = site(Network.GUARDED, exchange -> exchange.header("Content-Type", "text/html")
                // in one piece: who is pushed its bodies has it with the head
                .status(exchange.request().path().equals("/good") ? 200 : 403).send("<html><body>No.</body></html>"));
        List<Program.Call> unread = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            // each of its own client, for it may keep its connection
            Program.Call call = program().get(program().open(), "unread", site.url("/" + i));
            call.join().expect(403);
            unread.add(call);
        }
        program().send(program().open(), site.url("/good")).expect(200);
        Contract.within(Network.PAUSE, Network.PAUSE.plus(PROMPT), site.times().get(3) - site.times()
                .get(2), () -> "the next request went after");
        assertEquals(3, cell().events("blocked", site.host(), 3).size());
        unread.forEach(Program.Call::release);
    }

    /** And whether anybody reads it or not. The next one of those who wait would go four seconds after the first. */
    @Check
    default void whatAHeadSaysStopsThoseWhoWaitBeforeItsBodyHasCome() {
        List<String> modes = new ArrayList<>(program().modes());
        if (program().can("BODIES") && !program().can("BUFFERS_SYNC")) {
            modes.add("unread");
        }
        SideBySide.each(modes, mode -> {
            CountDownLatch over = new CountDownLatch(1);
            Server.Site site = site(Network.SLOWEST, exchange -> {
                exchange.header("Content-Type", "text/html");
                if (exchange.request().path().equals("/0")) {
                    exchange.status(429).header("Retry-After", "6").chunk("<html><body>Slow".getBytes(StandardCharsets.UTF_8));
                    try {
                        over.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    exchange.chunk(" down</body></html>".getBytes(StandardCharsets.UTF_8)).end();
                } else {
                    exchange.send(PAGE);
                }
            });
            String client = program().open();
            Program.Call blocked = program().get(client, mode, site.url("/0"));
            site.await(1, PATIENCE);
            List<Program.Call> waiting = new ArrayList<>();
            for (int i = 1; i < 4; i++) {
                waiting.add(program().get(program().open(), mode, site.url("/" + i))); // of a client each: it may keep its connection
            }
            List<Server.Arrival> arrivals = site.await(2, PATIENCE);
            over.countDown();
            long after = arrivals.get(1).nanos() - arrivals.get(0).nanos();
            assertTrue(after >= 6_000_000_000L, () -> mode + ": asked to wait six seconds, it sent the next one after " + after / 1_000_000
                    + " ms");
            blocked.join();
            if (!mode.equals("unread")) {
                waiting.forEach(call -> call.join().expect(200));
            }
        });
    }

    @Check
    default void aBodyThatIsClosedEarlyEndsAsItDoesWithoutTheAgent() {
        needs("BODIES");
        Duration soon = Duration.ofSeconds(6);
        if (glance(cell().plain()).compareTo(soon) < 0) { // some clients read on when they are closed
            Duration took = glance(program());
            assertTrue(took.compareTo(soon) < 0, () -> "took " + took);
        }
    }

    private Duration glance(Program program) {
        CountDownLatch closed = new CountDownLatch(1);
        Server.Site site = site(Network.OPEN, exchange -> {
            exchange.header("Content-Type", "text/html").chunk(PAGE.getBytes(StandardCharsets.UTF_8));
            try {
                closed.await(8, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.chunk("the end".getBytes(StandardCharsets.UTF_8)).end();
        });
        String client = program.open();
        Duration took = program.get(client, "glance", site.url("/")).join().expect(200).took();
        closed.countDown();
        program.send(client, site.url("/again")).expect(200);
        return took;
    }

    @Check
    default void aLongPageIsNotKept() {
        needs("BODIES");
        without("BUFFERS_ALL");
        int megabytes = 16;
        byte[] megabyte = PARAGRAPH.repeat(1024).getBytes(StandardCharsets.UTF_8);
        CountDownLatch measured = new CountDownLatch(1);
        Server.Site site = site(Network.OPEN, exchange -> {
            exchange.header("Content-Type", "text/html");
            for (int i = 0; i < megabytes; i++) {
                exchange.chunk(megabyte);
            }
            try {
                measured.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.end();
        });
        String client = program().open();
        long before = program().memory();
        Program.Call call = program().get(client, program().can("BUFFERS_SYNC") ? "stream" : "sync", site.url("/"));
        call.read((long) megabytes << 20);
        long grown = program().memory() - before;
        measured.countDown();
        Program.Outcome outcome = call.join().expect(200);
        assertEquals(String.valueOf((long) megabytes << 20), outcome.get("length"));
        assertEquals(Program.Outcome.crc(megabyte, megabytes), outcome.get("crc"));
        assertTrue(grown < 10 << 20, () -> "when all of the page had been read, " + grown + " bytes more were held than before");
    }

    @Check
    default void threeEmptyPagesStartACooldown() {
        needs("BODIES");
        inEachMode(mode -> {
            Server.Site site = site(Network.GUARDED, exchange -> {
                exchange.header("Content-Type", "text/html");
                switch (exchange.request().path()) {
                    case "/short" -> exchange.send("");
                    case "/chunked" -> exchange.header("Connection", "close").chunk(new byte[0]); // which is the last chunk
                    default -> exchange.send(PAGE);
                }
            });
            String client = program().open();
            for (String path : List.of("/good", "/short", "/chunked", "/chunked", "/after")) {
                program().get(client, mode, site.url(path)).join().expect(200);
            }
            for (JsonObject block : cell().events("blocked", site.host(), 3)) {
                assertEquals("blank_page", block.get("type").getAsString(), block::toString);
            }
            Contract.within(Network.PAUSE, Network.PAUSE.plus(PROMPT), site.times().get(4) - site.times().get(3), () -> mode
                    + ": the next request went after");
        });
    }

    /** Though the client may still be busy with the end of the answer before when a head comes. */
    @Check
    default void aHeadIsWholeWhenItIsJudged() {
        needs("BODIES");
        int pages = 20;
        inEachMode(mode -> {
            Server.Site site = site(Network.OPEN, exchange -> exchange.header("Content-Type", "text/html")
                    .send(exchange.request().path().equals("/empty") ? "" : PAGE));
            String client = program().open();
            for (int i = 0; i < pages; i++) {
                program().get(client, mode, site.url("/page")).join().expect(200);
                program().get(client, mode, site.url("/empty")).join().expect(200);
            }
            assertEquals(pages, cell().events("blocked", site.host(), pages).size(), mode);
        });
    }

    @Check
    default void theUserAgentIsKnownAtTheGate() {
        needs("USER_AGENT");
        inEachMode(mode -> {
            Server.Site site = site(Network.CHOOSY);
            program().get(program().open("user-agent=Mozilla/5.0_(X11)"), mode, site.url("/browser")).join().expect(200);
            Program.Outcome outcome = program().get(program().open("user-agent=curl/8.5.0"), mode, site.url("/bot")).join();
            assertTrue(!outcome.ok() && outcome.get("chain").contains("SUSPICIOUS_USER_AGENT"), outcome::toString);
            Program.Outcome none = program().get(program().open(), mode, site.url("/default")).join();
            assertTrue(!none.ok() && none.get("chain").contains("SUSPICIOUS_USER_AGENT"), none::toString);
            assertEquals(List.of("/browser"), site.arrivals().stream().map(Server.Arrival::path).toList());
        });
    }
}
