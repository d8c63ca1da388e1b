package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only Pekko HTTP and Akka HTTP have: flows through pools, a pool that takes only so many, and one that gives answers up. */
class PekkoIT {
    private static final long INTERVAL = 50_000_000L;

    private static final String SETTINGS = "exclude=-private,user-agent.check=off,learn=false"
            + of("127.74", "rate=20", "burst=1") + of("127.75", "concurrency=1") + of("127.76", "rate=1/h", "burst=1")
            + of("127.77", "rate=1/h", "burst=2", "on-limit=reject") + of("127.78", "rate=1/h", "burst=1");

    private static String of(String hosts, String... settings) {
        return Stream.of(settings).map(setting -> ",domain." + hosts + ".0.0/16." + setting).collect(Collectors.joining());
    }

    /**
     * Arguments: a host that is paced, one where one request may be in flight, one that is hardly ever let go, one that
     * is rejected, one whose connection is closed while a request waits; and their port.
     */
    private static final String PROGRAM = """
            import java.util.*;
            import java.util.concurrent.*;
            import org.apache.pekko.actor.ActorSystem;
            import org.apache.pekko.http.javadsl.*;
            import org.apache.pekko.http.javadsl.model.*;
            import org.apache.pekko.japi.Pair;
            import org.apache.pekko.stream.*;
            import org.apache.pekko.stream.javadsl.*;
            import scala.util.Try;
            public class Pools {
                static final ActorSystem SYSTEM = ActorSystem.create();
                static final Materializer MATERIALIZER = ActorMaterializer.create(SYSTEM);
                static int status(HttpResponse response) {
                    response.discardEntityBytes(MATERIALIZER);
                    return response.status().intValue();
                }
                static HttpRequest request(String url) {
                    return HttpRequest.create(url);
                }
                static CompletableFuture<HttpResponse> single(String url) {
                    return Http.get(SYSTEM).singleRequest(request(url)).toCompletableFuture();
                }
                static String flow(String url, Flow<Pair<HttpRequest, Integer>, Pair<Try<HttpResponse>, Integer>, ?> pool)
                        throws Exception {
                    Set<Integer> all = new TreeSet<>();
                    for (Pair<Try<HttpResponse>, Integer> pair : Source.range(1, 5).map(i -> Pair.create(request(url + i), i)).via(pool)
                            .runWith(Sink.seq(), MATERIALIZER).toCompletableFuture().get(60, TimeUnit.SECONDS)) {
                        all.add(pair.second() * 1000 + status(pair.first().get()));
                    }
                    return all.toString();
                }
                static String connection(String host, int port) throws Exception {
                    List<Integer> all = new ArrayList<>();
                    CompletionStage<?> done = Source.range(1, 5).map(i -> request("/" + i))
                            .via(Http.get(SYSTEM).outgoingConnection(ConnectHttp.toHost(host, port)))
                            .runForeach(response -> all.add(status(response)), MATERIALIZER);
                    try {
                        done.toCompletableFuture().get(60, TimeUnit.SECONDS);
                        return all.toString();
                    } catch (ExecutionException e) {
                        return all + ", then " + e.getCause().getClass().getName();
                    }
                }
                public static void main(String[] args) throws Exception {
                    String port = ":" + args[5] + "/";
                    String paced = "http://" + args[0] + port;
                    System.out.println(flow(paced, Http.get(SYSTEM).superPool()));
                    System.out.println(flow("/", Http.get(SYSTEM).cachedHostConnectionPool(
                            ConnectHttp.toHost(args[0], Integer.parseInt(args[5])))));
                    System.out.println(connection(args[0], Integer.parseInt(args[5])));
                    System.out.println(connection(args[3], Integer.parseInt(args[5])));
                    System.out.println(connection(args[4], Integer.parseInt(args[5])));
                    List<CompletableFuture<HttpResponse>> more = new ArrayList<>();
                    for (int i = 0; i < 40; i++) { // a pool takes 32
                        more.add(single(paced));
                    }
                    Http.get(SYSTEM).shutdownAllConnectionPools(); // those that wait have another pool
                    for (CompletableFuture<HttpResponse> one : more) {
                        System.out.print(status(one.get(60, TimeUnit.SECONDS)) == 200 ? "." : "!");
                    }
                    System.out.println();

                    String places = "http://" + args[1] + port;
                    HttpResponse unread = single(places + "unread").get();
                    System.out.println(status(single(places).get(40, TimeUnit.SECONDS)) + " " + unread.status().intValue());

                    String rare = "http://" + args[2] + port;
                    System.out.println(status(single(rare).get()));
                    CompletableFuture<HttpResponse> waits = single(rare);
                    SYSTEM.terminate();
                    try {
                        System.out.println(waits.get(60, TimeUnit.SECONDS));
                    } catch (ExecutionException e) {
                        System.out.println(e.getCause());
                    }
                }
            }""";

    @ParameterizedTest
    @CsvSource({"25, pekko-newest", "8, akka-oldest"})
    void flowsArePacedAndNoWaitFillsAPoolOrOutlivesItsSystem(int java, String version) {
        List<Path> jars = Source.jarsOf(version);
        String root = version.startsWith("akka") ? "akka" : "org.apache.pekko";
        String closed = root + ".http.impl.engine.client.OutgoingConnectionBlueprint$UnexpectedConnectionClosureException";
        String program = PROGRAM.replace("org.apache.pekko", root);
        try (Server server = Server.start()) {
            Server.Site paced = server.site("127.74", Server.Script.status(200));
            Server.Site places = server.site("127.75", exchange -> {
                if (exchange.request().path().equals("/unread")) {
                    exchange.chunk("begin".getBytes(StandardCharsets.UTF_8)).chunk("end".getBytes(StandardCharsets.UTF_8)).end();
                } else {
                    exchange.send("next");
                }
            });
            Server.Site closing = server.site("127.78", exchange -> exchange.header("Connection", "close").send("bye"));
            Server.Site rejected = server.site("127.77", Server.Script.status(200));
            Server.Site rare = server.site("127.76", Server.Script.status(200));
            long begun = System.nanoTime();
            try (Fork fork = Jvm.on(java).agent(SETTINGS).classpath(Source.compile(8, jars, program)).jarsOf(jars.get(0).getParent())
                    .option("-Dpekko.stdout-loglevel=OFF").option("-Dpekko.loglevel=OFF").option("-Dakka.stdout-loglevel=OFF")
                    .option("-Dakka.loglevel=OFF").main("Pools", paced.host(), places.host(), rare.host(), rejected.host(),
                            closing.host(), String.valueOf(server.port())).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                assertEquals(List.of("[1200, 2200, 3200, 4200, 5200]", "[1200, 2200, 3200, 4200, 5200]", "[200, 200, 200, 200, 200]",
                        "[200, 200], then io.tempolimit.RequestRejectedException", "[200], then " + closed, ".".repeat(40), "200 200",
                        "200", "java.lang.IllegalStateException: Pool shutdown unexpectedly"), Jvm.lines(fork.stdout()), fork::stderr);
                assertTrue(!fork.stderr().contains("ERROR") && !fork.stderr().contains("not paced"), fork::stderr);
            }
            List<Long> times = paced.times();
            assertEquals(55, times.size());
            for (int i = 0; i < times.size(); i++) {
                int n = i;
                assertTrue(times.get(i) >= begun + i * INTERVAL, () -> n + ": " + (times.get(n) - begun) / 1_000_000 + " ms");
            }
            assertEquals(1, rare.arrivals().size());
            assertEquals(2, rejected.arrivals().size());
            assertEquals(1, closing.arrivals().size());
        }
    }

    /** Arguments: hosts for a pool, a web socket and HTTP/2; and their port. */
    private static final String UNPACED = """
            import java.util.concurrent.*;
            import org.apache.pekko.actor.ActorSystem;
            import org.apache.pekko.http.javadsl.*;
            import org.apache.pekko.http.javadsl.model.*;
            import org.apache.pekko.http.javadsl.model.ws.*;
            import org.apache.pekko.stream.*;
            import org.apache.pekko.stream.javadsl.*;
            public class Unpaced {
                static void end(CompletionStage<?> call) throws Exception {
                    call.handle((answer, failure) -> failure).toCompletableFuture().get(60, TimeUnit.SECONDS);
                }
                public static void main(String[] args) throws Exception {
                    ActorSystem system = ActorSystem.create();
                    Materializer materializer = ActorMaterializer.create(system);
                    Http http = Http.get(system);
                    String port = ":" + args[3] + "/";
                    end(http.singleRequest(HttpRequest.create("http://" + args[0] + port)));
                    end(http.singleWebSocketRequest(WebSocketRequest.create("ws://" + args[1] + port),
                            Flow.fromSinkAndSource(Sink.ignore(), Source.<Message>empty()), materializer).first());
                    end(Source.single(HttpRequest.create("http://" + args[2] + port)).via(http.connectionTo(args[2])
                            .toPort(Integer.parseInt(args[3])).http2WithPriorKnowledge()).runWith(Sink.ignore(), materializer));
                    system.terminate();
                }
            }""";

    @ParameterizedTest
    @CsvSource("25, pekko-newest")
    void webSocketsAndHttp2AreNamed(int java, String version) {
        List<Path> jars = Source.jarsOf(version);
        try (Server server = Server.start()) {
            Server.Site pool = server.site("127.74", Server.Script.status(200));
            Server.Site socket = server.site("127.74", Server.Script.status(200));
            Server.Site http2 = server.site("127.74", Server.Exchange::drop);
            try (Fork fork = Jvm.on(java).agent("exclude=-private,user-agent.check=off").classpath(Source.compile(8, jars, UNPACED))
                    .jarsOf(jars.get(0).getParent()).option("-Dpekko.stdout-loglevel=OFF").option("-Dpekko.loglevel=OFF")
                    .main("Unpaced", pool.host(), socket.host(), http2.host(), String.valueOf(server.port())).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                assertTrue(!fork.stderr().contains(pool.host() + ", by"), fork::stderr);
                assertTrue(fork.stderr().contains("WARN not paced: " + socket.host() + ", by"), fork::stderr);
                assertTrue(fork.stderr().contains("WARN HTTP/2 connection to " + http2.host() + " by"), fork::stderr);
            }
        }
    }
}
