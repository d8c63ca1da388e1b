package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Server;
import io.tempolimit.it.harness.Unjudged;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A request is in flight until its answer's body has ended, in whatever way: on hosts where one may be in flight, the
 * next one goes then, and
 * not before. For pages, which the detector looks at, and for images, which it does not, alike.
 */
interface Flights extends Contract {
    List<String> TYPES = List.of("text/html", "image/png");

    /** A host whose answer to {@code /first} begins, and goes on when the check says so. */
    final class Open {
        final Server.Site site;
        private final CountDownLatch goOn = new CountDownLatch(1);
        private volatile long ended;

        Open(Contract contract, String type, Server.Script end) {
            site = contract.site(Network.SINGLE, exchange -> {
                exchange.header("Content-Type", type);
                if (!exchange.request().path().equals("/first")) {
                    exchange.send("next");
                    return;
                }
                exchange.chunk("<html><body>begin".getBytes(StandardCharsets.UTF_8));
                try {
                    goOn.await(LONG.toMillis(), TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                ended = System.nanoTime();
                end.answer(exchange);
            });
        }

        Open(Contract contract, String type) {
            this(contract, type, exchange -> exchange.chunk("end</body></html>".getBytes(StandardCharsets.UTF_8)).end());
        }

        Program.Call begin(Program program, String client, String mode) {
            Program.Call call = program.get(client, mode, site.url("/first"));
            site.await(1, PATIENCE);
            return call;
        }

        Program.Call next(Program program, String client, String mode) {
            Program.Call next = program.get(client, mode, site.url("/next"));
            return mode.equals("sync") ? next.parked() : next;
        }

        void goOn() {
            goOn.countDown();
        }

        /** Fails unless the next one has arrived, and not before the first one's end was sent. */
        void inTurn(String what) {
            List<Server.Arrival> arrivals = site.await(2, PATIENCE);
            long after = arrivals.get(1).nanos() - ended;
            assertTrue(after >= 0, () -> what + ": the next request came " + -after / 1_000_000 + " ms before the first one's end");
            assertEquals(List.of("/first", "/next"), arrivals.stream().map(Server.Arrival::path).toList(), what);
        }
    }

    private List<String> allModes() {
        List<String> modes = new ArrayList<>(program().modes());
        if (program().can("ASYNC")) {
            modes.add("stream");
        }
        return modes;
    }

    @Check
    default void theNextRequestGoesWhenTheBodyHasBeenRead() {
        needs("BODIES");
        SideBySide.each(allModes(), mode -> {
            SideBySide.each(TYPES, type -> {
                Open open = new Open(this, type);
                String client = program().open();
                Program.Call first = open.begin(program(), client, mode);
                Program.Call next = open.next(program(), client, mode);
                open.goOn();
                first.join().expect(200);
                next.join().expect(200);
                open.inTurn(mode + ", " + type);
                noneUnanswered(open.site, mode + ", " + type);
            });
        });
    }

    @Check
    default void theNextRequestGoesWhenTheBodyIsClosed() {
        needs("BODIES");
        without("BUFFERS_SYNC");
        SideBySide.each(TYPES, type -> {
            Open open = new Open(this, type);
            String client = program().open();
            Program.Call first = open.begin(program(), client, "glance");
            assertTrue(first.first(PATIENCE), "the body has not begun");
            Program.Call next = program().get(client, "sync", open.site.url("/next"));
            open.goOn(); // for those that read on when they are closed
            first.join().expect(200);
            next.join().expect(200);
            noneUnanswered(open.site, type);
        });
    }

    @Check
    default void theNextRequestGoesWhenTheCallIsCancelled() {
        needs("BODIES");
        SideBySide.each(cancellableModes(), mode -> {
            SideBySide.each(TYPES, type -> {
                Open open = new Open(this, type);
                String client = program().open();
                Program.Call first = open.begin(program(), client, mode);
                Program.Call next = open.next(program(), client, mode);
                first.cancel();
                // not every client's cancelling ends a call whose body has begun, and then it is in flight to its end
                if (!next.first(Duration.ofSeconds(1))) {
                    open.goOn();
                }
                if (program().can("LOSES_CANCELLED") && !next.ends(PATIENCE) && cell().connected(open.site.arrivals().get(0))) {
                    throw new Unjudged("the client has left a cancelled call open");
                }
                next.join().expect(200);
                noneUnanswered(open.site, mode + ", " + type);
                open.goOn();
            });
        });
    }

    @Check
    default void theNextRequestGoesWhenTheConnectionIsLost() {
        needs("BODIES");
        SideBySide.each(allModes(), mode -> {
            SideBySide.each(TYPES, type -> {
                Open open = new Open(this, type, Server.Exchange::drop);
                String client = program().open();
                Program.Call first = open.begin(program(), client, mode);
                Program.Call next = open.next(program(), client, mode);
                open.goOn();
                first.join();
                next.join().expect(200);
                noneUnanswered(open.site, mode + ", " + type);
            });
        });
    }

    @Check
    default void theNextRequestGoesAfterATimeout() {
        inEachMode(mode -> {
            Server.Site site = site(Network.SINGLE, exchange -> {
                if (exchange.request().path().equals("/first")) {
                    exchange.pause(Duration.ofSeconds(4));
                } else {
                    exchange.send("next");
                }
            });
            Program.Outcome first = program().get(program().open("timeout=500"), mode, site.url("/first")).join();
            assertTrue(!first.ok(), first::toString);
            program().get(program().open(), mode, site.url("/next")).join().expect(200);
            noneUnanswered(site, mode);
        });
    }

    @Check
    default void theNextRequestGoesWhenTheTlsHandshakeFails() {
        without("NO_TLS");
        inEachMode(mode -> {
            Server.Site site = site(Network.SINGLE, exchange -> exchange.send("next")); // which speaks no TLS
            Program.Outcome first = program().get(program().open(), mode, site.url("/first").replace("http:", "https:")).join();
            assertTrue(!first.ok(), first::toString);
            program().get(program().open(), mode, site.url("/next")).join().expect(200);
            noneUnanswered(site, mode);
        });
    }

    @Check
    default void answersWithoutABodyHoldNothing() {
        inEachMode(mode -> {
            Server.Site site = site(Network.SINGLE, exchange -> {
                exchange.header("Content-Type", "text/html");
                switch (exchange.request().path()) {
                    case "/204" -> exchange.status(204).send("");
                    case "/304" -> exchange.status(304).send("");
                    case "/empty" -> exchange.send("");
                    case "/chunked" -> exchange.header("Connection", "close").chunk(new byte[0]); // which is the last chunk
                    default -> exchange.send("a page");
                }
            });
            String client = program().open();
            for (String path : List.of("/204", "/304", "/empty", "/chunked", "/page")) {
                Program.Call call = program().get(client, mode, site.url(path));
                Program.Outcome outcome = call.join();
                assertTrue(outcome.ok(), () -> path + ", " + mode + ": " + outcome);
            }
            program().begin(client, mode, "HEAD", site.url("/head")).join().expect(200);
            program().get(client, mode, site.url("/last")).join().expect(200);
            assertEquals(7, site.arrivals().size());
            noneUnanswered(site, mode);
        });
    }

    @Check
    default void whatTheClientSkipsByItselfHoldsNothing() {
        inEachMode(mode -> {
            SideBySide.each(List.of("short", "chunked"), form -> {
                Server.Site site = site(Network.SINGLE, exchange -> {
                    boolean there = exchange.request().path().equals("/there");
                    exchange.header("Content-Type", "text/html").status(there ? 200 : 302).header("Location", "/there");
                    String page = "<html><body>moved</body></html>";
                    if (form.equals("short")) {
                        exchange.send(page);
                    } else {
                        exchange.chunk(page.getBytes(StandardCharsets.UTF_8)).chunk(page.getBytes(StandardCharsets.UTF_8)).end();
                    }
                });
                String client = program().open();
                for (int i = 0; i < 2; i++) {
                    program().get(client, mode, site.url("/" + i)).join().expect(200);
                }
                assertEquals(List.of("/0", "/there", "/1", "/there"), site.arrivals().stream().map(Server.Arrival::path).toList());
                noneUnanswered(site, mode + ", " + form);
            });
        });
    }

    @Check
    default void anAuthenticationHoldsNothing() {
        without("SENDS_ONCE");
        inEachMode(mode -> {
            SideBySide.each(List.of("keep-alive", "close"), connection -> {
                Server.Site site = site(Network.SINGLE, exchange -> {
                    exchange.header("Content-Type", "text/html").header("Connection", connection);
                    if (exchange.request().header("Authorization") == null) {
                        exchange.status(401).header("WWW-Authenticate", "Basic realm=\"shop\"").send("who are you?");
                    } else {
                        exchange.send("welcome");
                    }
                });
                String client = program().open("user=me", "password=secret");
                program().get(client, mode, site.url("/first")).join().expect(200);
                program().get(client, mode, site.url("/second")).join().expect(200);
                noneUnanswered(site, mode + ", " + connection);
            });
        });
    }

    @Check
    default void aResponseThatIsDroppedUnreadHoldsNothing() {
        needs("COLLECTS");
        SideBySide.each(TYPES, type -> {
            Open open = new Open(this, type);
            Program.Call first = open.begin(program(), program().open(), "unread");
            first.join().expect(200);
            Program.Call next = open.next(program(), program().open(), "sync");
            first.drop();
            collectUntilDone(next).expect(200);
            noneUnanswered(open.site, type);
            open.goOn();
        });
    }

    @Check
    default void streamsOfOneConnectionAreInFlightOneByOne() {
        needs("HTTP2");
        inEachMode(mode -> {
            String host = site(Network.SINGLE).host();
            String client = program().open("http2=true");
            for (int i = 0; i < 3; i++) {
                program().get(client, mode, cell().http2().url(host, "/" + i)).join().expect(200);
            }
            assertEquals(3, cell().http2().arrivals(host).size());
        });
    }

    /** No request of it is without an answer any more, by the agent's own count. */
    private void noneUnanswered(Server.Site site, String what) {
        for (long end = System.nanoTime() + PATIENCE.toNanos(); ; ) {
            int active = JsonParser.parseString(program().ask("statistics " + site.host())).getAsJsonObject().get("active_requests")
                    .getAsInt();
            if (active == 0) {
                return;
            }
            assertTrue(System.nanoTime() - end < 0, () -> what + ": in flight " + active);
            LockSupport.parkNanos(2_000_000);
        }
    }
}
