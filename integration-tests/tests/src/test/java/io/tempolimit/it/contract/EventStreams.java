package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Server;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Open event streams are counted, and closed where they are too many or too old: their readers see an I/O error of their client's. */
interface EventStreams extends Contract {
    /** A host whose answers are events without end, until the check or their reader ends them. */
    final class Events {
        final Server.Site site;
        final CountDownLatch end = new CountDownLatch(1);
        /** Paths of those whose connection their reader has closed. */
        private final List<String> closed = new ArrayList<>();

        Events(Contract contract, Network network) {
            site = contract.site(network, exchange -> {
                exchange.header("Content-Type", "text/event-stream;charset=utf-8");
                byte[] event = "data: something has happened\n\n".getBytes(StandardCharsets.UTF_8);
                try {
                    do {
                        exchange.chunk(event);
                    } while (!end.await(50, TimeUnit.MILLISECONDS));
                    exchange.end();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    if (end.getCount() > 0) {
                        synchronized (closed) {
                            closed.add(exchange.request().path());
                            closed.notifyAll();
                        }
                    }
                }
            });
        }

        Program.Call open(Program program, String client, String mode, String path) {
            Program.Call call = program.get(client, mode, site.url(path));
            assertTrue(call.first(PATIENCE), () -> "no event has come: " + path);
            return call;
        }

        void awaitClosed(String path, String what) {
            long limit = System.nanoTime() + PATIENCE.toNanos();
            synchronized (closed) {
                while (!closed.contains(path)) {
                    assertTrue(System.nanoTime() - limit < 0, () -> what + ": the connection of " + path + " is still open");
                    try {
                        closed.wait(100);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                assertEquals(List.of(path), closed, what);
            }
        }
    }

    private List<String> streamingModes() {
        List<String> modes = new ArrayList<>();
        if (!program().can("BUFFERS_SYNC")) {
            modes.add("sync");
        }
        if (program().can("ASYNC")) {
            modes.add("stream");
        }
        return modes;
    }

    private int active(Events events) {
        return JsonParser.parseString(program().ask("statistics " + events.site.host())).getAsJsonObject().get("active_streams").getAsInt();
    }

    private void awaitActive(Events events, int expected, String what) {
        for (long end = System.nanoTime() + PATIENCE.toNanos(); active(events) != expected; ) {
            assertTrue(System.nanoTime() - end < 0, () -> what + ": streams open: " + active(events));
            LockSupport.parkNanos(2_000_000);
        }
    }

    @Check
    default void aStreamTooManyIsTurnedAway() {
        needs("BODIES");
        SideBySide.each(streamingModes(), mode -> {
            Events events = new Events(this, Network.STREAMING);
            String client = program().open();
            Program.Call first = events.open(program(), client, mode, "/first");
            Program.Outcome second = program().get(client, mode, events.site.url("/second")).join();
            assertFalse(second.ok(), () -> mode + ": " + second);
            events.awaitClosed("/second", mode);
            assertEquals("SSE_CONCURRENCY_LIMIT_EXCEEDED", cell().events("rejected", events.site.host(), 1).get(0).get("code")
                    .getAsString());
            assertEquals(1, active(events), mode);
            events.end.countDown();
            first.join().expect(200);
            awaitActive(events, 0, mode);
            program().get(client, mode, events.site.url("/third")).join().expect(200);
            awaitActive(events, 0, mode);
        });
    }

    @Check
    default void theOldestStreamGivesWay() {
        needs("BODIES");
        SideBySide.each(streamingModes(), mode -> {
            Events events = new Events(this, Network.EVICTING);
            String client = program().open();
            Program.Call first = events.open(program(), client, mode, "/first");
            Program.Call second = events.open(program(), client, mode, "/second");
            Program.Outcome evicted = first.join();
            assertFalse(evicted.ok(), () -> mode + ": " + evicted);
            events.awaitClosed("/first", mode);
            assertEquals(1, active(events), mode);
            events.end.countDown();
            second.join().expect(200);
            awaitActive(events, 0, mode);
            // and nobody has tried again
            assertEquals(List.of("/first", "/second"), events.site.arrivals().stream().map(Server.Arrival::path).toList(), mode);
        });
    }

    @Check
    default void aStreamEndsWithItsTime() {
        needs("BODIES");
        SideBySide.each(streamingModes(), mode -> {
            Events events = new Events(this, Network.FLEETING);
            long begin = System.nanoTime();
            Program.Outcome outcome = events.open(program(), program().open(), mode, "/events").join();
            Duration latest = Network.PAUSE.plus(PROMPT).plus(PROMPT);
            Contract.within(Network.PAUSE, latest, System.nanoTime() - begin, () -> mode + ": ended after");
            assertFalse(outcome.ok(), () -> mode + ": " + outcome);
            events.awaitClosed("/events", mode);
            awaitActive(events, 0, mode);
            events.end.countDown();
        });
    }
}
