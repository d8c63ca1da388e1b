package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.ClosedPort;
import io.tempolimit.it.harness.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;

/** What the application gets is what it would get without the agent. */
interface Fidelity extends Contract {
    @Check
    default void answersAreTheSame() {
        Server.Site site = site(Network.OPEN, Fidelity::answer);
        inEachMode(mode -> {
            String with = program().open();
            String without = cell().plain().open();
            for (String path : List.of("/small", "/10kb", "/1mb", "/gzip", "/chunked", "/empty", "/204", "/304", "/404", "/500",
                    "/redirect")) {
                same(mode, "GET", site.url(path), with, without);
            }
            same(mode, "HEAD", site.url("/10kb"), with, without);
        });
    }

    private void same(String mode, String method, String url, String with, String without) {
        Program.Outcome expected = cell().plain().begin(without, mode, method, url).join();
        Program.Outcome actual = program().begin(with, mode, method, url).join();
        assertTrue(expected.ok(), expected::toString);
        for (String field : List.of("status", "length", "crc", "headers")) {
            assertEquals(expected.get(field), actual.get(field), () -> mode + " " + method + " " + url + ": " + field);
        }
    }

    private static void answer(Server.Exchange exchange) throws IOException {
        exchange.header("X-Shop", "open").header("Set-Cookie", "a=b; path=/");
        switch (exchange.request().path()) {
            case "/small" -> exchange.header("Content-Type", "text/plain").send("hello");
            case "/10kb" -> exchange.send(bytes(10_000));
            case "/1mb" -> exchange.send(bytes(1_000_000));
            case "/gzip" -> exchange.header("Content-Encoding", "gzip").header("Content-Type", "text/html")
                    .send(gzip("<p>page</p>".repeat(1000)));
            case "/chunked" -> exchange.chunk(bytes(10)).chunk(bytes(5000)).chunk(bytes(1)).end();
            case "/empty" -> exchange.send("");
            case "/204", "/304", "/404", "/500" -> exchange.status(Integer.parseInt(exchange.request().path().substring(1)))
                    .send(exchange.request().path().compareTo("/4") > 0 ? "sorry" : "");
            case "/redirect" -> exchange.status(301).header("Location", "/small").send("moved");
            default -> exchange.status(404).send("");
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    @Check
    default void aStreamIsReadWhileItComes() {
        Assumptions.assumeTrue(program().can("ASYNC") || !program().can("BUFFERS_SYNC"), "its calls return when their whole body has come");
        for (String mode : program().can("BUFFERS_SYNC") ? List.of("stream") : program().can("ASYNC") ? List.of("sync", "stream")
                : List.of("sync")) {
            CountDownLatch read = new CountDownLatch(1);
            Server.Site site = site(Network.OPEN, exchange -> {
                exchange.header("Content-Type", "text/event-stream").chunk("data: 1\n\n".getBytes(StandardCharsets.UTF_8));
                try {
                    read.await(60, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                exchange.chunk("data: 2\n\n".getBytes(StandardCharsets.UTF_8)).end();
            });
            Program.Call call = program().get(program().open(), mode, site.url("/events"));
            assertTrue(call.first(PATIENCE), mode + ": the first event did not come before the last was sent");
            read.countDown();
            assertEquals("18", call.join().expect(200).get("length"));
        }
    }

    @Check
    default void errorsAreTheSame() {
        Server.Site site = site(Network.OPEN, exchange -> {
            switch (exchange.request().path()) {
                case "/nothing" -> exchange.drop();
                case "/half" -> exchange.raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this".getBytes(StandardCharsets.US_ASCII));
                case "/half-a-head" -> exchange.raw("HTTP/1.1 200 OK\r\nContent-Le".getBytes(StandardCharsets.US_ASCII));
                case "/garbage" -> exchange.raw("what? who is there?\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                default -> exchange.pause(Duration.ofSeconds(5));
            }
        });
        try (ClosedPort closed = new ClosedPort()) {
            inEachMode(mode -> errorsAreTheSame(site, closed.number(), mode));
        }
    }

    private void errorsAreTheSame(Server.Site site, int closedPort, String mode) {
        // A name of its own: the JDK remembers for a while that one is not known, and fails in another place then.
        List<String> urls = List.of("http://" + site.host() + ":" + closedPort + "/refused",
                "http://no-such-host-" + mode + ".invalid/", site.url("/nothing"), site.url("/half"), site.url("/half-a-head"),
                site.url("/garbage"), site.url("/silent"));
        for (String url : urls) {
            // no other failure takes its time, but on a busy machine
            String timeout = url.endsWith("/silent") ? "timeout=700" : "timeout=20000";
            Program.Outcome actual = program().get(program().open(timeout), mode, url).join();
            Program.Outcome expected = cell().plain().get(cell().plain().open(timeout), mode, url).join();
            assertEquals(expected.ok(), actual.ok(), () -> mode + " " + url + ": " + actual);
            if (!expected.ok() && url.contains("no-such-host")) { // a name server may say something else, or nothing, the next time
                assertEquals(kind(expected), kind(actual), () -> mode + " " + url);
                assertEquals("", actual.get("own-frames"), actual::toString);
            } else if (!expected.ok()) {
                same(withoutIdentities(expected).split(" <- "), withoutIdentities(actual).split(" <- "), url.endsWith("/silent"), mode
                        + " " + url);
                assertEquals("", actual.get("own-frames"), actual::toString);
                if (mode.equals("sync") && !program().can("EVENT_LOOP")) {
                    assertEquals(frames(expected), frames(actual), () -> mode + " " + url);
                }
            }
        }
    }

    /**
     * The same exception and causes. Of a timeout only the client's own exception is compared: what is among its causes
     * depends on which of two threads, that which is interrupted and that which closes the connection, was quicker
     * (OkHttp, JDK).
     */
    static void same(String[] expected, String[] actual, boolean timeout, String what) {
        int own = expected[0].matches("java\\.util\\.concurrent\\.(Completion|Execution)Exception.*") ? 2 : 1;
        int length = timeout ? own : Math.max(expected.length, actual.length);
        assertEquals(List.of(Arrays.copyOf(expected, Math.min(length, expected.length))),
                List.of(Arrays.copyOf(actual, Math.min(length, actual.length))), what);
    }

    /** Without those of reflection, which change with its use. */
    private static String frames(Program.Outcome outcome) {
        return Stream.of(outcome.get("frames").split(",")).filter(f -> !f.contains("reflect.")).collect(Collectors.joining("\n"));
    }

    /** The exception without its message and its causes. */
    private static String kind(Program.Outcome outcome) {
        return outcome.get("chain").split(" <- ")[0].split(":")[0];
    }

    /** The exceptions, but for what a client says of its own objects: identities, ports and states, different each time. */
    private static String withoutIdentities(Program.Outcome outcome) {
        return outcome.get("chain").replaceAll("[\\w.]+@[0-9a-f]{5,}.*?(?= <- |$)", "an object")
                .replaceAll("http-outgoing-\\d+|channel=\\[id: .*?\\], channelAge=[^,]+", "a connection");
    }
}
