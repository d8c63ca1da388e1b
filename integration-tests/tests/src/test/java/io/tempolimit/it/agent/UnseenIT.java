package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that no woven client sends are counted and told, whatever they are written to; those of woven clients never are. */
class UnseenIT {
    private static final String WARNING = " WARN not paced: ";

    /** Is a server, and sends requests to it by all ways of the JDK that are no client. */
    private static final String RAW = """
            import java.io.*;
            import java.net.*;
            import java.nio.ByteBuffer;
            import java.nio.channels.*;
            import java.security.KeyStore;
            import java.util.concurrent.*;
            import javax.net.ssl.*;
            public class Raw {
                static final String OK = "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n";

                static int serve(ServerSocket listener) {
                    Thread t = new Thread(() -> {
                        for (;;) {
                            try {
                                Socket s = listener.accept();
                                Thread one = new Thread(() -> answer(s));
                                one.setDaemon(true);
                                one.start();
                            } catch (IOException e) {
                                return;
                            }
                        }
                    });
                    t.setDaemon(true);
                    t.start();
                    return listener.getLocalPort();
                }

                static void answer(Socket s) {
                    try (BufferedReader in = new BufferedReader(new InputStreamReader(s.getInputStream()))) {
                        for (String line; (line = in.readLine()) != null; ) {
                            if (line.isEmpty()) {
                                s.getOutputStream().write(OK.getBytes());
                            }
                        }
                    } catch (IOException e) {
                        // the client is gone
                    }
                }

                static byte[] head(String host) {
                    return ("GET /a HTTP/1.1\\r\\nAccept: */*\\r\\nHost: " + host + "\\r\\n\\r\\n").getBytes();
                }

                static void send(Socket s, byte[] bytes) throws IOException {
                    s.getOutputStream().write(bytes);
                    if (s.getInputStream().read(new byte[OK.length()]) <= 0) {
                        throw new IOException("no answer");
                    }
                }

                static void sendAsynchronously(int port) throws Exception {
                    AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
                    channel.connect(new InetSocketAddress("127.0.0.1", port)).get();
                    channel.write(ByteBuffer.wrap(head("future.example"))).get();
                    channel.read(ByteBuffer.allocate(OK.length())).get();
                    CompletableFuture<Long> written = new CompletableFuture<>();
                    CompletionHandler<Long, Object> handler = new CompletionHandler<Long, Object>() {
                        public void completed(Long bytes, Object attachment) {
                            written.complete(bytes);
                        }
                        public void failed(Throwable why, Object attachment) {
                            written.completeExceptionally(why);
                        }
                    };
                    channel.write(new ByteBuffer[] {ByteBuffer.allocateDirect(0), ByteBuffer.wrap(head("handler.example"))}, 0, 2,
                            10, TimeUnit.SECONDS, null, handler);
                    written.get();
                    channel.read(ByteBuffer.allocate(OK.length())).get();
                    channel.close();
                }

                /** Arguments: a file of keys with a certificate, and its password. */
                public static void main(String[] args) throws Exception {
                    int port = serve(new ServerSocket(0));
                    Socket socket = new Socket("127.0.0.1", port);
                    send(socket, head("Socket.Example:8080"));
                    send(socket, head("socket.example"));
                    send(socket, "GET http://user:word@proxied.example/ HTTP/1.1\\r\\nHost: proxy.example\\r\\n\\r\\n".getBytes());
                    send(socket, "CONNECT tunnel.example:443 HTTP/1.1\\r\\nHost: tunnel.example\\r\\n\\r\\n".getBytes());
                    send(socket, head("excluded.example"));
                    send(socket, "GET / HTTP/1.0\\r\\n\\r\\n".getBytes());
                    socket.getOutputStream().write("PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n".getBytes());
                    SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
                    channel.write(ByteBuffer.wrap(head("channel.example")));
                    channel.read(ByteBuffer.allocate(OK.length()));
                    channel.write(new ByteBuffer[] {ByteBuffer.allocateDirect(0), ByteBuffer.wrap("GET / HTTP/1.1\\r\\nHo".getBytes()),
                            ByteBuffer.wrap("st: gathered.example\\r\\n\\r\\n".getBytes())});
                    channel.read(ByteBuffer.allocate(OK.length()));
                    send(channel.socket(), head("adaptor.example"));
                    sendAsynchronously(port);
                    KeyStore keys = KeyStore.getInstance("PKCS12");
                    try (InputStream in = new FileInputStream(args[0])) {
                        keys.load(in, args[1].toCharArray());
                    }
                    KeyManagerFactory km = KeyManagerFactory.getInstance("SunX509");
                    km.init(keys, args[1].toCharArray());
                    TrustManagerFactory tm = TrustManagerFactory.getInstance("PKIX");
                    tm.init(keys);
                    SSLContext tls = SSLContext.getInstance("TLS");
                    tls.init(km.getKeyManagers(), tm.getTrustManagers(), null);
                    int securePort = serve(tls.getServerSocketFactory().createServerSocket(0));
                    Socket secure = tls.getSocketFactory().createSocket("127.0.0.1", securePort);
                    send(secure, head("tls.example"));
                    send(secure, head("tls.example"));
                    SSLEngine client = tls.createSSLEngine("engine.example", 443);
                    client.setUseClientMode(true);
                    SSLEngine server = tls.createSSLEngine();
                    server.setUseClientMode(false);
                    ByteBuffer[] wire = {ByteBuffer.allocate(100_000), ByteBuffer.allocate(100_000)};
                    ByteBuffer text = ByteBuffer.wrap("GET / HTTP/1.0\\r\\n\\r\\n".getBytes());
                    for (int i = 0; i < 1_000 && text.hasRemaining(); i++) { // it is asked again and again, and takes the text once
                        step(client, text, wire[0], wire[1]);
                        step(server, ByteBuffer.allocate(0), wire[1], wire[0]);
                    }
                    if (text.hasRemaining()) {
                        throw new IOException("no handshake");
                    }
                }

                static void step(SSLEngine engine, ByteBuffer text, ByteBuffer out, ByteBuffer in) throws SSLException {
                    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
                        task.run();
                    }
                    engine.wrap(text, out);
                    in.flip();
                    engine.unwrap(in, ByteBuffer.allocate(100_000));
                    in.compact();
                }
            }
            """;

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void whoeverSendsByTheJdkIsCountedAndTold(int java) throws Exception {
        Path folder = Source.folder();
        Path events = folder.resolve("events");
        Path report = folder.resolve("report");
        Fork fork = raw(java, "exclude=-private;excluded.example,events=" + events + ",report=" + report);
        Map<String, Long> expected = new TreeMap<>(Map.of("socket.example", 2L, "proxied.example", 1L, "channel.example", 1L,
                "gathered.example", 1L, "adaptor.example", 1L, "tls.example", 2L, "engine.example", 1L));
        expected.put("future.example", 1L);
        expected.put("handler.example", 1L);
        expected.put("127.0.0.1", 2L); // without a Host, and HTTP/2
        JsonObject all = JsonParser.parseString(Files.readString(report)).getAsJsonObject();
        Map<String, Long> counted = new TreeMap<>();
        JsonArray hosts = all.getAsJsonArray("unseen");
        for (JsonElement host : hosts) {
            counted.put(host.getAsJsonObject().get("host").getAsString(), host.getAsJsonObject().get("requests").getAsLong());
            assertEquals("Raw", host.getAsJsonObject().get("by").getAsString());
        }
        assertEquals(expected, counted, fork::stderr);
        assertEquals(13, all.get("unseen_requests").getAsLong());
        List<String> warnings = Jvm.lines(fork.stderr()).stream().filter(line -> line.contains(WARNING)).toList();
        assertEquals(expected.size(), warnings.size(), fork::stderr);
        assertTrue(warnings.get(0).endsWith(WARNING + "socket.example, by Raw; clients=unknown paces it where its thread may wait;"
                + " exclude=socket.example or clients=-watch silences this"), fork::stderr);
        String told = Files.readString(events);
        assertEquals(expected.size(), told.lines().filter(line -> line.contains("\"event\":\"unseen\"")).count(), told);
        assertTrue(told.contains("\"event\":\"unseen\",\"host\":\"tls.example\",\"by\":\"Raw\"}"), told);
        assertFalse(told.contains("client_woven"), told);
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void theWatchCanBeLeftOut(int java) throws Exception {
        Fork fork = raw(java, "exclude=-private,clients=-watch");
        assertEquals("", fork.stderr());
    }

    private static Fork raw(int java, String settings) {
        Path keys = Source.keys();
        try (Fork fork = Jvm.on(java).agent(settings).classpath(Source.compile(8, RAW)).main("Raw", keys.toString(), "secret").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            return fork;
        }
    }

    /** Clients that are paced, with the first Java that each runs on. */
    private static final Map<String, Integer> WOVEN = new TreeMap<>(Map.ofEntries(Map.entry("UrlConnection", 8), Map.entry("Jdk", 11),
            Map.entry("OkHttp:okhttp-5-newest", 8), Map.entry("OkHttp:okhttp-3-oldest", 8), Map.entry("OkHttp2:okhttp-2-newest", 8),
            Map.entry("Apache4:apache-4-newest", 8), Map.entry("Apache4Async:apache-4-async-newest", 8),
            Map.entry("Apache5:apache-5-newest", 8), Map.entry("Apache5Async:apache-5-newest", 8),
            Map.entry("CommonsHttpClient:commons-httpclient-3-newest", 8), Map.entry("Jetty12:jetty-12-newest", 17),
            Map.entry("ReactorNetty:reactor-netty-newest", 8),
            Map.entry("AsyncHttpClient:async-http-client-2-newest", 8), Map.entry("AsyncHttpClient:async-http-client-3-newest", 11),
            Map.entry("Vertx:vertx-4-newest", 8), Map.entry("Vertx:vertx-5-newest", 11), Map.entry("KtorCio:ktor-3-newest", 8),
            Map.entry("Armeria:armeria-newest", 8), Map.entry("AwsNetty:aws-netty-newest", 8), Map.entry("Helidon:helidon-newest", 21),
            Map.entry("Pekko:pekko-newest", 8), Map.entry("Akka:akka-oldest", 8)));

    static Stream<Arguments> woven() {
        List<String> clients = List.copyOf(WOVEN.keySet());
        return clients.stream().flatMap(client -> Jvm.turn(clients.indexOf(client), WOVEN.get(client))
                .mapToObj(java -> Arguments.of(client, java)));
    }

    /**
     * With and without TLS: redirects, kept connections, and one that the site closes, so that the client sends once more by itself. Each
     * client on each Java with -Pmatrix.
     */
    @ParameterizedTest
    @MethodSource("woven")
    void whatAWovenClientSendsIsNot(String client, int java) {
        Path keys = Source.keys();
        Fork.Builder builder = Jvm.scraper(java).agent("exclude=-private,rate=100,burst=100,user-agent.check=off")
                .option("-Djavax.net.ssl.trustStore=" + keys).option("-Djavax.net.ssl.trustStorePassword=secret")
                .option("-Djavax.net.ssl.trustStoreType=PKCS12");
        String[] parts = client.split(":");
        if (parts.length > 1) {
            Source.jarsOf(parts[1]).forEach(builder::classpath);
        }
        try (Server server = Server.start().secured(Source.tls()); Scraper scraper = Scraper.start(builder, parts[0])) {
            scraper.with("timeout=120000"); // the AWS SDK's ten seconds to connect are too few on a busy machine
            Server.Script pages = exchange -> {
                int n = Integer.parseInt(exchange.request().path().substring(1));
                if (n > 0 && n % 4 == 3) {
                    exchange.status(302).header("Location", "/" + (n - 1)).send("");
                } else {
                    exchange.status(200).send("page");
                }
            };
            Server.Site plain = server.site("127.91", pages);
            Server.Site secure = server.named("localhost", pages);
            for (String url : List.of(plain.url("/"), secure.url("/").replace("http:", "https:"))) {
                for (int i = 0; i < 12; i++) {
                    assertEquals("200", scraper.get(url + i), scraper.fork::stderr);
                }
            }
            Server.Site closes = server.site("127.91", Server.Script.inTurn(Server.Script.status(200), Server.Exchange::drop,
                    Server.Script.status(200)));
            for (int i = 0; i < 3; i++) {
                scraper.get(closes.url("/"));
            }
            for (Server.Site site : List.of(plain, secure)) {
                assertEquals(site.arrivals().size(), scraper.statistics(site.host()).get("total_requests").getAsInt(), site::host);
            }
            assertEquals("[]", scraper.statistics().get("unseen").toString());
        }
    }

    /** What HttpURLConnection repeats on the connection that it has: with a password, and after the site has closed a kept connection. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void roundsOnTheSameConnectionAreNot(int java) {
        Path program = Source.compile(8, """
                import java.io.*;
                import java.net.*;
                public class Signs {
                    public static void main(String[] args) {
                        Authenticator.setDefault(new Authenticator() {
                            protected PasswordAuthentication getPasswordAuthentication() {
                                return new PasswordAuthentication("me", "secret".toCharArray());
                            }
                        });
                        for (String url : args) {
                            System.out.println(get(url));
                        }
                    }
                """ + Source.GET + "}");
        try (Server server = Server.start()) {
            Server.Site locked = server.site("127.92", exchange -> {
                boolean open = exchange.request().header("Authorization") != null;
                exchange.status(open ? 200 : 401).header("WWW-Authenticate", "Basic realm=\"a\"").send("page");
            });
            Server.Site closes = server.site("127.92", Server.Script.inTurn(Server.Script.status(200), Server.Exchange::drop,
                    Server.Script.status(200)));
            try (Fork fork = Jvm.on(java).agent("exclude=-private,user-agent.check=off").classpath(program)
                    .main("Signs", locked.url("/"), closes.url("/"), closes.url("/")).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                assertEquals(List.of("200", "200", "200"), Jvm.lines(fork.stdout()), fork::stderr);
                assertEquals(2, locked.arrivals().size());
                assertEquals(3, closes.arrivals().size());
                assertFalse(fork.stderr().contains(WARNING), fork::stderr);
            }
        }
    }
}
