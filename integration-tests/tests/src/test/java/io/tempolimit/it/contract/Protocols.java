package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Http2Server;
import io.tempolimit.it.harness.Server;
import io.tempolimit.it.harness.Server.Script;
import io.tempolimit.it.harness.Unjudged;
import io.vertx.core.http.HttpConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** What a server may send before an answer and after it, and what it does not take. */
interface Protocols extends Contract {
    /** The status and the pause that count are those of the answer that follows. */
    @Check
    default void anInterimAnswerIsNoAnswer() {
        Script hints = exchange -> exchange.interim(103).header("Connection", "close").send("welcome");
        Program.Call plain = cell().plain().get(cell().plain().open(), "sync", site(Network.FREE, hints).url("/"));
        Assumptions.assumeTrue(plain.ends(PATIENCE), "the client never ends after an interim answer");
        Assumptions.assumeTrue(plain.join().toString().contains("status=200"), "the client takes an interim answer for the answer");
        inEachMode(mode -> {
            Server.Site site = site(Network.OPEN, Script.inTurn(
                    exchange -> exchange.interim(103).status(403).header("Retry-After", "1").send("slow down"), hints));
            String client = program().open();
            program().get(client, mode, site.url("/")).join().expect(403);
            program().get(client, mode, site.url("/")).join().expect(200);
            long between = site.times().get(1) - site.times().get(0);
            assertTrue(between >= 1_000_000_000L, () -> "asked to wait a second, it waited " + between / 1_000_000 + " ms");
            tokens(2, site.host());
        });
    }

    /** Who asks whether to send a body learns that it is not wanted. Some clients send the request once more, and do not ask. */
    @Check
    default void aBodyThatIsNotWantedCostsWhatIsSent() {
        needs("EXPECTS");
        inEachMode(mode -> {
            Server.Site free = site(Network.FREE, unwanted());
            Program.Outcome plain = cell().plain().begin(cell().plain().open(), mode, "POST", free.url(Server.UNWANTED)).join();
            Server.Site site = site(Network.SINGLE, unwanted());
            String client = program().open();
            Program.Outcome outcome = program().begin(client, mode, "POST", site.url(Server.UNWANTED)).join();
            assertEquals(plain.get("status"), outcome.get("status"), () -> mode + ": expected " + plain + ", but: " + outcome);
            assertEquals(free.arrivals().size(), site.arrivals().size(), mode);
            tokens(site.arrivals().size(), site.host());
            program().get(client, mode, site.url("/next")).join().expect(200);
        });
    }

    private static Script unwanted() {
        return Script.inTurn(exchange -> exchange.status(417).header("Connection", "close").send("no"), Script.status(200));
    }

    /** The server says that it has not looked at a request. Some clients send it once more. */
    @Check
    default void eachTimeThatARefusedStreamIsSentIsCharged() {
        needs("HTTP2");
        inEachMode(mode -> {
            String host = site(Network.OPEN).host();
            program().get(program().open("http2=true"), mode, cell().http2().url(host, Http2Server.REFUSED)).join();
            tokens(cell().http2().arrivals(host).size(), host);
        });
    }

    /** It says so while the next request waits. */
    @Check
    default void aRequestThatWaitsWhileTheServerGoesAwayIsSentOnce() {
        needs("HTTP2");
        inEachMode(mode -> {
            String host = site(Network.SLOWEST).host();
            Http2Server server = cell().http2();
            String client = program().open("http2=true");
            long begun = System.nanoTime();
            program().get(client, mode, server.url(host, "/first")).join().expect(200);
            Program.Call next = program().get(client, mode, server.url(host, "/next"));
            HttpConnection connection = server.arrivals(host).get(0).connection();
            connection.shutdown().toCompletionStage().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            long gone = System.nanoTime();
            Program.Outcome outcome = next.join();
            if (gone > departures(host).get(1)) {
                throw new Unjudged("the connection ended after the request had left the gate");
            }
            outcome.expect(200);
            List<Http2Server.Arrival> arrivals = server.arrivals(host);
            assertNotSame(connection, arrivals.get(1).connection(), mode);
            oneTokenEach(Network.SLOWEST, begun, host, arrivals.stream().map(Http2Server.Arrival::nanos).toList());
        });
    }

    /** Three are under way, and the server says that it has not looked at the later ones. Some clients send these once more. */
    @Check
    default void eachTimeThatAStreamAboveTheLastIsSentIsCharged() {
        needs("HTTP2");
        inEachMode(mode -> {
            String host = site(Network.OPEN).host();
            Http2Server server = cell().http2();
            String client = program().open("http2=true");
            program().get(client, mode, server.url(host, "/first")).join().expect(200);
            String left = server.url(host, Http2Server.LEFT);
            List<Program.Call> calls = Stream.generate(() -> program().get(client, mode, left)).limit(3).toList();
            calls.forEach(Program.Call::join);
            tokens(server.arrivals(host).size(), host);
        });
    }

    /** One request may be in flight, so the next one goes when the answer is known to have ended. */
    @Check
    default void anAnswerThatEndsWithTrailersIsOver() {
        without("LEAVES_TRAILERS");
        Script trailed = exchange -> exchange.header("Trailer", "Checksum").chunk("answer".getBytes(StandardCharsets.US_ASCII))
                .end("Checksum: of the page");
        Program.Outcome plain = cell().plain().send(cell().plain().open(), site(Network.FREE, trailed).url("/"));
        Assumptions.assumeTrue(plain.ok(), "the client takes no trailers");
        Server.Site site = site(Network.SINGLE, trailed);
        inEachMode(mode -> {
            String client = program().open();
            for (int i = 0; i < 3; i++) {
                assertEquals("6", program().get(client, mode, site.url("/" + mode)).join().expect(200).get("length"));
            }
            if (program().can("HTTP2") && takesTrailersOfHttp2()) {
                String host = site(Network.SINGLE).host();
                String http2 = program().open("http2=true");
                for (int i = 0; i < 3; i++) {
                    String url = cell().http2().url(host, Http2Server.TRAILED);
                    assertEquals("6", program().get(http2, mode, url).join().expect(200).get("length"));
                }
                tokens(3, host);
            }
        });
        tokens(site.arrivals().size(), site.host());
        assertEquals(3 * program().modes().size(), site.arrivals().size());
    }

    private boolean takesTrailersOfHttp2() {
        String url = cell().http2().url(site(Network.FREE).host(), Http2Server.TRAILED);
        return cell().plain().send(cell().plain().open("http2=true"), url).ok();
    }
}
