package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Http2Server;
import io.tempolimit.it.harness.Server;
import io.tempolimit.it.harness.Server.Script;
import org.junit.jupiter.api.Assumptions;

/** What a server may send before an answer, and what it does not take. */
interface Protocols extends Contract {
    /** The status and the pause that count are those of the answer that follows. */
    @Check
    default void anInterimAnswerIsNoAnswer() {
        Script hints = exchange -> exchange.interim(103).header("Connection", "close").send("welcome");
        Program.Outcome plain = cell().plain().send(cell().plain().open(), site(Network.FREE, hints).url("/"));
        Assumptions.assumeTrue(plain.toString().contains("status=200"), "the client takes an interim answer for the answer");
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
}
