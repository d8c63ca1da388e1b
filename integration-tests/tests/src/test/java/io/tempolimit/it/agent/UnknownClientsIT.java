package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Clients that people scrape with and that are not woven: each is counted and named, and paced with {@code clients=unknown}. */
class UnknownClientsIT {
    private static final long SECOND = 1_000_000_000L;

    /** Who is told to have sent, by client. A web socket's handshake is one request, which the site refuses here. */
    private static final Map<String, String> SENDERS = new TreeMap<>(Map.of(
            "core4", "org.apache.http.impl.", "core5", "org.apache.hc.core5.http.impl.", "jodd", "jodd.http.",
            "javaWebSocket", "org.java_websocket.client.WebSocketClient", "nvWebSocket", "com.neovisionaries.ws.client.",
            "littleProxy", "org.littleshoot.proxy."));

    /** Reads a command a line: client, host, port, path. Gives a status, or what became of the handshake. */
    private static final String PROGRAM = """
            import java.io.*;
            import java.net.*;
            import java.util.concurrent.TimeUnit;
            public class Unknown {
                public static void main(String[] args) throws Exception {
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                    for (String line; (line = in.readLine()) != null; ) {
                        String[] c = line.split(" ");
                        try {
                            System.out.println("=" + Unknown.class.getDeclaredMethod(c[0], String.class, int.class, String.class)
                                    .invoke(null, c[1], Integer.parseInt(c[2]), c[3]));
                        } catch (java.lang.reflect.InvocationTargetException e) {
                            System.out.println("=" + e.getCause());
                        }
                    }
                    System.exit(0);
                }

                static Object core4(String host, int port, String path) throws Exception {
                    try (Socket socket = new Socket(host, port)) {
                        org.apache.http.impl.DefaultBHttpClientConnection connection =
                                new org.apache.http.impl.DefaultBHttpClientConnection(8192);
                        connection.bind(socket);
                        org.apache.http.message.BasicHttpRequest request = new org.apache.http.message.BasicHttpRequest("GET", path);
                        request.addHeader("Host", host + ":" + port);
                        return new org.apache.http.protocol.HttpRequestExecutor().execute(request, connection,
                                new org.apache.http.protocol.BasicHttpContext()).getStatusLine().getStatusCode();
                    }
                }

                static Object core5(String host, int port, String path) throws Exception {
                    return org.apache.hc.core5.http.impl.bootstrap.RequesterBootstrap.bootstrap().create()
                            .execute(new org.apache.hc.core5.http.HttpHost("http", host, port),
                                    new org.apache.hc.core5.http.message.BasicClassicHttpRequest("GET", path),
                                    org.apache.hc.core5.util.Timeout.ofMinutes(1),
                                    org.apache.hc.core5.http.protocol.HttpCoreContext.create(), response -> response.getCode());
                }

                static Object jodd(String host, int port, String path) {
                    return jodd.http.HttpRequest.get("http://" + host + ":" + port + path).send().statusCode();
                }

                static Object javaWebSocket(String host, int port, String path) throws Exception {
                    return new org.java_websocket.client.WebSocketClient(new URI("ws://" + host + ":" + port + path)) {
                        public void onOpen(org.java_websocket.handshake.ServerHandshake shake) {
                        }
                        public void onMessage(String message) {
                        }
                        public void onClose(int code, String reason, boolean remote) {
                        }
                        public void onError(Exception e) {
                        }
                    }.connectBlocking(60, TimeUnit.SECONDS) ? "open" : "refused";
                }

                static Object nvWebSocket(String host, int port, String path) throws Exception {
                    try {
                        new com.neovisionaries.ws.client.WebSocketFactory().createSocket("ws://" + host + ":" + port + path).connect();
                        return "open";
                    } catch (com.neovisionaries.ws.client.OpeningHandshakeException e) {
                        return e.getStatusLine().getStatusCode();
                    }
                }

                /** Others send through it. */
                static Object littleProxy(String host, int port, String path) {
                    return org.littleshoot.proxy.impl.DefaultHttpProxyServer.bootstrap().withPort(0).start().getListenAddress().getPort();
                }
            }
            """;

    private static Fork start(String settings) {
        List<Path> jars = Source.jarsOf("unknown");
        Fork.Builder builder = Jvm.on(17).agent("exclude=-private,user-agent.check=off,learn=false," + settings)
                .classpath(Source.compile(11, jars, PROGRAM));
        jars.forEach(builder::classpath);
        return builder.main("Unknown").start();
    }

    private static String ask(Fork fork, String command) {
        fork.tell(command);
        String line = fork.line(Jvm.LONG);
        while (!line.startsWith("=")) { // what the libraries print
            line = fork.line(Jvm.LONG);
        }
        return line.substring(1);
    }

    /** Sends so many requests by this client. */
    private static void send(Fork fork, String client, Server.Site site, int port, int count) throws Exception {
        HttpClient through = null;
        if (client.equals("littleProxy")) {
            int proxy = Integer.parseInt(ask(fork, "littleProxy - 0 -"));
            through = HttpClient.newBuilder().proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", proxy))).build();
        }
        for (int i = 0; i < count; i++) {
            String status = through == null ? ask(fork, client + " " + site.host() + " " + port + " /" + i)
                    : "" + through.send(HttpRequest.newBuilder(URI.create(site.url("/" + i))).build(),
                    HttpResponse.BodyHandlers.discarding()).statusCode();
            assertEquals(client.equals("javaWebSocket") ? "refused" : "200", status, () -> client + ": " + fork.stderr());
        }
        assertEquals(count, site.arrivals().size(), client);
    }

    @Test
    void eachIsCountedAndNamed() throws Exception {
        try (Server server = Server.start(); Fork fork = start("rate=100")) {
            Map<String, Server.Site> sites = new TreeMap<>();
            for (String client : SENDERS.keySet()) {
                sites.put(client, server.site("127.95", Server.Script.status(200)));
                send(fork, client, sites.get(client), server.port(), 2);
            }
            fork.endInput();
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            for (String client : SENDERS.keySet()) {
                String warning = "not paced: " + sites.get(client).host() + ", by ";
                List<String> told = Jvm.lines(fork.stderr()).stream().filter(line -> line.contains(warning)).toList();
                assertEquals(1, told.size(), () -> client + ": " + fork.stderr());
                assertTrue(told.get(0).contains(warning + SENDERS.get(client)), () -> client + ": " + told);
            }
        }
    }

    /** Those that keep a connection may be one request ahead. */
    @Test
    void eachIsPacedIfUnknownClientsAre() throws Exception {
        try (Server server = Server.start(); Fork fork = start("clients=unknown,rate=10,burst=1")) {
            for (String client : SENDERS.keySet()) {
                Server.Site site = server.site("127.95", Server.Script.status(200));
                long start = System.nanoTime();
                send(fork, client, site, server.port(), 5);
                List<Long> times = site.times();
                for (int i = 0; i < times.size(); i++) {
                    assertTrue(times.get(i) >= start + (i - 1) * SECOND / 10,
                            () -> client + ": " + times.stream().map(t -> (t - start) / 1_000_000).toList());
                }
            }
            assertFalse(fork.stderr().contains("not paced: "), fork::stderr);
        }
    }
}
