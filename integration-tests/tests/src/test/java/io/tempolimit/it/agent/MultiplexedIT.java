package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Http2Server;
import io.vertx.core.http.HttpVersion;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What woven clients send by HTTP/2 and in web sockets' handshakes is told of nobody. */
@Order(1)
class MultiplexedIT {
    /** The client's word that a request was not sent, and may be tried again. */
    private static final String NOT_SENT = "org.apache.hc.core5.http.RequestNotExecutedException";

    private static final String WARNING = " WARN ";
    private static final String FAST = ",rate=100,burst=100";

    static Stream<Arguments> clients() {
        return Stream.of("Jdk", "OkHttp:okhttp-4-newest", "OkHttp:okhttp-5-newest", "Apache5Async:apache-5-newest",
                "ReactorNetty:reactor-netty-oldest", "ReactorNetty:reactor-netty-newest", "AsyncHttpClient:async-http-client-3-newest",
                "Vertx:vertx-4-newest", "Vertx:vertx-5-newest", "Jetty:jetty-11-newest", "Jetty12:jetty-12-newest",
                "Armeria:armeria-newest", "AwsNetty:aws-netty-newest", "Helidon:helidon-newest").map(Arguments::of);
    }

    static Stream<Arguments> clientsWithTls() {
        List<String> without = List.of("Vertx", "ReactorNetty", "AwsNetty"); // their adapters do not agree on HTTP/2 by TLS
        return clients().filter(a -> !without.contains(((String) a.get()[0]).split(":")[0]));
    }

    private static Fork.Builder program(String client, String settings) {
        Path keys = Source.keys();
        Fork.Builder builder = Jvm.scraper(25).agent("exclude=-private,user-agent.check=off" + settings)
                .option("-Djavax.net.ssl.trustStore=" + keys).option("-Djavax.net.ssl.trustStorePassword=secret")
                .option("-Djavax.net.ssl.trustStoreType=PKCS12");
        String[] parts = client.split(":");
        if (parts.length > 1) {
            Source.jarsOf(parts[1]).forEach(builder::classpath);
        }
        return builder;
    }

    /** And one whose server goes away in the middle of a series. */
    @ParameterizedTest
    @MethodSource("clients")
    void aConnectionThatIsBegunAsHttp2(String client) {
        String series = ",learn=false,domain.127.0.0.2.rate=20,domain.127.0.0.2.burst=1,domain.127.0.0.2.concurrency=1";
        try (Http2Server server = Http2Server.start(); Http2Server leaving = Http2Server.start();
                Scraper scraper = Scraper.start(program(client, FAST + series), client.split(":")[0]).with("http2=true")) {
            sendsWithoutAWord(client, scraper, server, "127.0.0.1");
            sendsWhatAServerLeavesBehind(scraper, leaving, "127.0.0.2");
        }
    }

    @ParameterizedTest
    @MethodSource("clientsWithTls")
    void aConnectionOnWhichHttp2IsAgreed(String client) {
        try (Http2Server server = Http2Server.secure(Source.keys(), "secret");
                Scraper scraper = Scraper.start(program(client, FAST), client.split(":")[0])) {
            boolean asks = client.startsWith("OkHttp"); // the option has it speak HTTP/2 without asking, and no TLS
            scraper.with(asks ? "" : "http2=true");
            sendsWithoutAWord(client, scraper, server, "localhost");
        }
    }

    /** On one connection, on further ones, and on one more when the first is gone. */
    private static void sendsWithoutAWord(String client, Scraper scraper, Http2Server server, String host) {
        for (int i = 0; i < 3; i++) {
            assertEquals("200", scraper.get(server.url(host, "/" + i)), scraper.fork::stderr);
        }
        server.arrivals(host).get(0).connection().close();
        String last = scraper.get(server.url(host, "/3")); // some notice only by this one
        last = last.equals("200") ? last : scraper.get(server.url(host, "/4"));
        assertEquals("200", last, scraper.fork::stderr);
        server.arrivals(host).forEach(arrival -> assertEquals(HttpVersion.HTTP_2, arrival.version(), client));
        assertEquals("[]", scraper.statistics().get("unseen").toString());
    }

    /**
     * Twice the server goes away while others wait: each of these is sent, each request costs one token, and no place stays taken. Some
     * clients lose the answer that was under way, or send a request once more that has met the end of its connection. Apache's fails the
     * one behind with {@link #NOT_SENT} if it gave it to the connection just before it read that this goes.
     */
    private static void sendsWhatAServerLeavesBehind(Scraper scraper, Http2Server server, String host) {
        List<String> paths = List.of("/0", Http2Server.LAST, "/2", "/3", Http2Server.LAST, "/5", "/6");
        List<String> calls = paths.stream().map(path -> scraper.begin(server.url(host, path))).toList();
        int unsent = 0;
        for (int i = 0; i < calls.size(); i++) {
            String outcome = scraper.join(calls.get(i), Jvm.LONG);
            if (outcome.equals(NOT_SENT)) {
                unsent++;
            } else {
                assertTrue(outcome.equals("200") || paths.get(i).equals(Http2Server.LAST), paths.get(i) + ": " + outcome);
            }
        }
        assertTrue(unsent <= 2, "a server that went twice left more than two requests behind: " + unsent);
        assertEquals("200", scraper.get(server.url(host, "/7")));
        JsonObject key = scraper.statistics(host);
        int again = key.get("total_requests").getAsInt() - server.arrivals(host).size();
        assertTrue(again >= 0 && again <= 2 + unsent, key::toString);
        assertEquals(0, key.get("active_requests").getAsInt(), key::toString);
    }

    private static final String VERTX = """
            import io.vertx.core.*;
            import io.vertx.core.http.*;
            import java.io.*;
            import java.net.URI;
            import java.util.concurrent.TimeUnit;
            public class Connects {
                static final Vertx VERTX = Vertx.vertx();

                static <T> T get(Future<T> future) throws Exception {
                    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
                }

                /** Opens a connection, and sends two requests by it. */
                static int connect(String url) throws Exception {
                    URI uri = URI.create(url);
                    boolean tls = uri.getScheme().equals("https");
                    HttpClientAgent client = VERTX.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2)
                            .setHttp2ClearTextUpgrade(false).setSsl(tls).setUseAlpn(tls).setTrustAll(true).setVerifyHost(false));
                    HttpClientConnection connection = get(client.connect(new HttpConnectOptions().setHost(uri.getHost())
                            .setPort(uri.getPort()).setSsl(tls)));
                    int status = 0;
                    for (int i = 0; i < 2; i++) {
                        HttpClientRequest request = get(connection.request(new RequestOptions().setURI("/" + i)));
                        HttpClientResponse response = get(request.send().compose(r -> r.body().map(r)));
                        status = response.statusCode();
                    }
                    return status;
                }

                /** The address is not the one that the host has. */
                static int elsewhere(String url) throws Exception {
                    URI uri = URI.create(url);
                    boolean tls = uri.getScheme().equals("https");
                    HttpClientAgent client = VERTX.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2)
                            .setHttp2ClearTextUpgrade(false).setSsl(tls).setUseAlpn(tls).setTrustAll(true).setVerifyHost(false));
                    return get(client.request(new RequestOptions().setHost("elsewhere.example").setPort(uri.getPort()).setSsl(tls)
                            .setServer(io.vertx.core.net.SocketAddress.inetSocketAddress(uri.getPort(), uri.getHost())).setURI("/"))
                            .compose(r -> r.send().compose(a -> a.body().map(a)))).statusCode();
                }
            """ + Source.COMMANDS + "}";

    /** The preface is sent before there is a request. */
    @ParameterizedTest
    @ValueSource(strings = {"vertx-5-oldest", "vertx-5-newest"})
    void aConnectionOfVertxThatIsOpenedByItself(String version) {
        List<Path> jars = Source.jarsOf(version);
        Fork.Builder builder = program("vertx:" + version, FAST).classpath(Source.compile(17, jars, VERTX));
        try (Http2Server plain = Http2Server.start(); Http2Server secure = Http2Server.secure(Source.keys(), "secret");
                Fork fork = builder.main("Connects").start()) {
            for (Http2Server server : List.of(plain, secure)) {
                String host = server == plain ? "127.0.0.1" : "localhost";
                tell(fork, "connect " + server.url(host, "/"));
                assertEquals(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_2),
                        server.arrivals(host).stream().map(Http2Server.Arrival::version).toList());
                tell(fork, "elsewhere " + server.url(host, "/"));
            }
            fork.tell("end");
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertFalse(fork.stderr().contains(WARNING), fork::stderr);
        }
    }

    private static void tell(Fork fork, String command) {
        fork.tell(command);
        String line = fork.line(Jvm.LONG);
        while (!line.startsWith("=")) { // what the libraries print
            line = fork.line(Jvm.LONG);
        }
        assertEquals("=200", line, () -> command + ": " + fork.stderr());
    }
}
