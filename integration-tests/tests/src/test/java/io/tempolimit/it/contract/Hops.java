package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Http2Server;
import io.tempolimit.it.harness.Server;
import io.tempolimit.it.harness.Server.Script;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;

/** One token for each request that goes to the network, to its own host's bucket; never two. */
interface Hops extends Contract {
    @Check
    default void aRedirectChargesEachHost() {
        inEachMode(mode -> {
            Server.Site target = site(Network.SLOW);
            Server.Site source = site(Network.SLOW, Script.redirect(target.url("/there")));
            String client = program().open();
            long begun = System.nanoTime();
            for (int i = 0; i < 3; i++) {
                program().get(client, mode, source.url("/" + i)).join().expect(200);
            }
            program().get(client, mode, target.url("/direct")).join().expect(200);
            assertEquals(3, source.arrivals().size());
            assertEquals(4, target.arrivals().size());
            oneTokenEach(Network.SLOW, begun, source.host(), source.times());
            oneTokenEach(Network.SLOW, begun, target.host(), target.times());
        });
    }

    @Check
    default void aRedirectLoopChargesEachRound() {
        inEachMode(mode -> {
            Server.Site with = loop();
            long begun = System.nanoTime();
            program().get(program().open(), mode, with.url("/0")).join();
            Server.Site without = loop();
            cell().plain().get(cell().plain().open(), mode, without.url("/0")).join();
            assertEquals(without.arrivals().size(), with.arrivals().size());
            oneTokenEach(Network.TIGHT, begun, with.host(), with.times());
        });
    }

    private Server.Site loop() {
        AtomicInteger round = new AtomicInteger();
        return site(Network.TIGHT, exchange -> exchange.status(302).header("Location", "/" + round.incrementAndGet()).send(""));
    }

    /** By Retry-After: it is that hop's business, and not its host's. */
    @Check
    default void aRedirectThatAsksToWaitHoldsUpWhoFollowsIt() {
        inEachMode(mode -> {
            Server.Site site = site(Network.OPEN, exchange -> {
                if (exchange.request().path().equals("/start")) {
                    exchange.status(302).header("Location", "/next").header("Retry-After", "1").send("");
                } else {
                    exchange.send("welcome");
                }
            });
            String client = program().open();
            Program.Call start = program().get(client, mode, site.url("/start"));
            site.await(1, PATIENCE);
            program().get(client, mode, site.url("/other")).join().expect(200);
            start.join().expect(200);
            List<Server.Arrival> arrivals = site.arrivals();
            assertEquals(List.of("/start", "/other", "/next"), arrivals.stream().map(Server.Arrival::path).toList());
            Contract.within(Duration.ofSeconds(2), PATIENCE, arrivals.get(2).nanos() - arrivals.get(0).nanos(), () -> mode
                    + ", with the margin");
        });
    }

    @Check
    default void bothRoundsOfAnAuthenticationAreCharged() {
        without("SENDS_ONCE");
        inEachMode(mode -> {
            Server.Site site = site(Network.SLOW, exchange -> {
                if (exchange.request().header("Authorization") == null) {
                    exchange.status(401).header("WWW-Authenticate", "Basic realm=\"shop\"").send("who are you?");
                } else {
                    exchange.send("welcome");
                }
            });
            String client = program().open("user=me", "password=secret");
            long begun = System.nanoTime();
            program().get(client, mode, site.url("/")).join().expect(200);
            assertEquals(2, site.arrivals().size());
            program().get(client, mode, site.url("/")).join().expect(200);
            paid(site, begun, 2, 2);
            tokens(site.arrivals().size(), site.host());
        });
    }

    @Check
    default void theRoundInWhichAProxyAsksForAPasswordIsFree() {
        needs("PROXY");
        inEachMode(mode -> {
            Server.Site site = site(Network.SLOW, exchange -> {
                if (exchange.request().header("Proxy-Authorization") == null) {
                    exchange.status(407).header("Proxy-Authenticate", "Basic realm=\"proxy\"").send("who are you?");
                } else {
                    exchange.send("welcome");
                }
            });
            // The server itself is the proxy: it goes by the host that is asked for, whatever address it was reached at.
            String proxy = site(Network.OPEN).url("").substring("http://".length());
            String client = program().open("user=me", "password=secret", "proxy=" + proxy);
            long begun = System.nanoTime();
            program().get(client, mode, site.url("/")).join().expect(200);
            assertEquals(2, site.arrivals().size());
            program().get(client, mode, site.url("/")).join().expect(200);
            paid(site, begun, 2, 1);
            tokens(2, site.host());
        });
    }

    /** Two clients with a proxy each, and one without, do not share a bucket of one token; and the key says which it was. */
    @Check
    default void eachProxyHasABucketOfItsOwn() throws IOException {
        Assumptions.assumeTrue(program().can("PROXY") || program().can("TAKES_PROXY"), "the client takes no proxy");
        Path events = Files.createTempFile("tempolimit-events", ".jsonl");
        try (Program program = cell()
                .start("key=proxy;host,exclude=-private,rate=0.01,burst=1,on-limit=reject,user-agent.check=off,learn=false,events="
                + events)) {
            for (String mode : program.modes()) {
                Server.Site site = site(Network.OPEN);
                // The server itself is each proxy, as above.
                String one = site(Network.OPEN).url("").substring("http://".length());
                String other = site(Network.OPEN).url("").substring("http://".length());
                String[] clients = {program.open("proxy=" + one), program.open("proxy=" + other), program.open()};
                for (String client : clients) {
                    program.get(client, mode, site.url("/")).join().expect(200);
                }
                assertEquals(3, site.arrivals().size(), mode);
                for (String client : clients) {
                    assertTrue(program.get(client, mode, site.url("/")).join().toString().contains("RATE_LIMIT_EXCEEDED"), mode);
                }
                assertEquals(3, site.arrivals().size(), mode);
                Set<String> keys = Cell.events(events, "rejected", site.host(), 3).stream().map(e -> e.get("key").getAsString())
                        .collect(Collectors.toSet());
                assertTrue(keys.remove(site.host() + ";proxy=" + one) && keys.remove(site.host() + ";proxy=" + other), keys::toString);
                assertTrue(Set.of(site.host() + ";proxy=direct", site.host() + ";proxy=unknown").containsAll(keys), keys::toString);
            }
        } finally {
            Files.delete(events);
        }
    }

    /**
     * On one connection, that is, over which the first request has gone before the others begin; two calls that look at
     * once may open another.
     */
    @Check
    default void eachStreamOfHttp2IsCharged() {
        needs("HTTP2");
        inEachMode(mode -> {
            String host = site(Network.TIGHT).host();
            Http2Server server = cell().http2();
            String client = program().open("http2=true");
            long begun = System.nanoTime();
            program().get(client, mode, server.url(host, "/first")).join().expect(200);
            program().many(client, mode, 20, 8, server.url(host, "/")).allOk(Duration.ofSeconds(30));
            List<Http2Server.Arrival> arrivals = server.arrivals(host);
            assertEquals(21, arrivals.size(), mode);
            assertEquals(Set.of(HttpVersion.HTTP_2), arrivals.stream().map(Http2Server.Arrival::version).collect(Collectors.toSet()), mode);
            long connections = arrivals.stream().map(Http2Server.Arrival::connection).distinct().count();
            assertTrue(connections <= 4, mode + ": " + connections + " connections"); // eight threads, and a busy machine
            oneTokenEach(Network.TIGHT, begun, host, arrivals.stream().map(Http2Server.Arrival::nanos).toList());
        });
    }

    @Check
    default void theClientsOwnRetryIsCharged() {
        Assumptions.assumeFalse(program().can("NEVER_RETRIES"), "the client retries nothing");
        without("SENDS_ONCE");
        inEachMode(mode -> {
            Script drop = Server.Exchange::drop;
            Server.Site site = site(Network.SLOW, Script.inTurn(Script.status(200), drop, Script.status(200)));
            String client = program().open();
            long begun = System.nanoTime();
            for (int i = 0; i < 2; i++) { // the second on the connection of the first, which the server then closes
                program().get(client, mode, site.url("/" + i)).join().expect(200);
            }
            assertEquals(List.of("/0", "/1", "/1"), site.arrivals().stream().map(Server.Arrival::path).toList());
            program().get(client, mode, site.url("/next")).join().expect(200);
            paid(site, begun, 3, 3);
            tokens(4, site.host());
        });
    }

    /**
     * Whether the first requests took that many tokens before the next one; a round on a connection that is leased may
     * itself not have waited.
     */
    private static void paid(Server.Site site, long begun, int requests, int tokens) {
        Contract.due(Duration.ofMillis(500L * tokens), Check.LIMIT, begun, site.times(), requests,
                () -> tokens + " tokens, then the next request");
    }

    @Check
    default void aCacheHitIsFree(@TempDir Path folders) throws IOException {
        needs("CACHE");
        inEachMode(mode -> {
            Path folder = Files.createDirectory(folders.resolve(mode));
            Server.Site site = site(Network.SLOW, exchange -> exchange.header("Cache-Control", "max-age=60").header("Date", date())
                    .send("cached"));
            String client = program().open("cache=" + folder);
            long begun = System.nanoTime();
            for (int i = 0; i < 6; i++) {
                program().get(client, mode, site.url("/cached")).join().expect(200);
            }
            assertEquals(1, site.arrivals().size());
            program().get(client, mode, site.url("/other")).join().expect(200);
            oneTokenEach(Network.SLOW, begun, site.host(), site.times());
        });
    }

    private static String date() {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    }
}
