package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients on Netty that are not known: counted whatever they write with, and held in the encoder with {@code clients=unknown}. */
@Order(1)
class UnknownNettyIT {
    private static final Duration PATIENCE = Jvm.LONG;
    private static final long SECOND = 1_000_000_000L;

    /**
     * Reads a command a line: transport, idle seconds (0: no handler for that), host, port, how many requests, whether all at once,
     * or {@code apart}: at once, each on a channel of its own; or {@code late}: likewise, the first of them is flushed at last. Or
     * {@code hang}, host, port: HttpURLConnection begins a request that never gets to the network.
     */
    private static final String RAW = """
            import io.netty.bootstrap.Bootstrap;
            import io.netty.buffer.Unpooled;
            import io.netty.channel.*;
            import io.netty.channel.nio.NioEventLoopGroup;
            import io.netty.channel.socket.nio.NioSocketChannel;
            import io.netty.handler.codec.http.*;
            import io.netty.handler.timeout.IdleStateHandler;
            import java.io.*;
            import java.util.concurrent.*;
            public class RawNetty {
                public static void main(String[] args) throws Exception {
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                    for (String line; (line = in.readLine()) != null; ) {
                        System.out.println(run(line.split(" ")));
                    }
                    System.exit(0);
                }

                static String run(final String[] c) throws Exception {
                    if (c[0].equals("hang")) {
                        Thread t = new Thread(new Runnable() {
                            public void run() {
                                try {
                                    new java.net.URL("https://" + c[1] + ":" + c[2] + "/").openStream();
                                } catch (IOException e) {
                                    // it is not there for an answer
                                }
                            }
                        });
                        t.setDaemon(true);
                        t.start();
                        return "hangs";
                    }
                    boolean epoll = c[0].equals("epoll");
                    String own = "io.netty.channel.epoll.Epoll";
                    EventLoopGroup loops = epoll ? (EventLoopGroup) Class.forName(own + "EventLoopGroup")
                            .getConstructor(int.class).newInstance(1)
                            : new NioEventLoopGroup(1);
                    final BlockingQueue<String> answers = new LinkedBlockingQueue<String>();
                    Bootstrap b = new Bootstrap().group(loops)
                            .channel(epoll ? Class.forName(own + "SocketChannel").asSubclass(Channel.class) : NioSocketChannel.class)
                            .handler(new ChannelInitializer<Channel>() {
                                protected void initChannel(Channel channel) {
                                    int idle = Integer.parseInt(c[1]);
                                    if (idle > 0) {
                                        channel.pipeline().addLast(new IdleStateHandler(idle, 0, 0));
                                    }
                                    channel.pipeline().addLast(new HttpClientCodec(), new SimpleChannelInboundHandler<HttpObject>() {
                                        protected void channelRead0(ChannelHandlerContext ctx, HttpObject answer) {
                                            if (answer instanceof HttpResponse) {
                                                answers.add("" + ((HttpResponse) answer).status().code());
                                            }
                                        }

                                        public void channelInactive(ChannelHandlerContext ctx) {
                                            answers.add("closed");
                                        }
                                    });
                                }
                            });
                    Channel channel = b.connect(c[2], Integer.parseInt(c[3])).sync().channel();
                    int n = Integer.parseInt(c[4]);
                    StringBuilder said = new StringBuilder();
                    for (int i = 0; i < n; i++) {
                        FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/" + i,
                                Unpooled.copiedBuffer("body " + i, java.nio.charset.StandardCharsets.US_ASCII));
                        request.headers().set("Host", c[2] + ":" + c[3]).set("Content-Length", request.content().readableBytes());
                        boolean apart = c[5].equals("apart") || i > 0 && c[5].equals("late");
                        Channel on = apart ? b.connect(c[2], Integer.parseInt(c[3])).sync().channel() : channel;
                        ChannelFuture written = i == 0 && c[5].equals("late") ? on.write(request) : on.writeAndFlush(request);
                        if (c[5].equals("false")) {
                            said.append(i == 0 ? "" : " ").append(written.awaitUninterruptibly(20000) && written.isSuccess()
                                    ? answers.poll(20, TimeUnit.SECONDS) : written.cause().getClass().getName());
                        }
                    }
                    for (int i = 0; i < n && !c[5].equals("false"); i++) {
                        if (i == n - 1 && c[5].equals("late")) {
                            channel.flush();
                        }
                        said.append(i == 0 ? "" : " ").append(answers.poll(20, TimeUnit.SECONDS));
                    }
                    channel.close().sync();
                    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
                    return said.toString();
                }
            }
            """;

    /** Among the jars of the unknown clients is a copy of Netty, that of gRPC. */
    private static Fork start(int java, String jars, String settings) {
        List<Path> libraries = Source.jarsOf(jars);
        String program = jars.equals("unknown") ? RAW.replace("io.netty.", "io.grpc.netty.shaded.io.netty.") : RAW;
        Fork.Builder builder = Jvm.on(java).agent("exclude=-private,user-agent.check=off,learn=false," + settings)
                .classpath(Source.compile(8, libraries, program));
        libraries.forEach(builder::classpath);
        return builder.main("RawNetty").start();
    }

    private static String ask(Fork fork, String transport, int idle, Server.Site site, int port, int n, boolean atOnce) {
        return fork.ask(transport + " " + idle + " " + site.host() + " " + port + " " + n + " " + atOnce, Jvm.LONG);
    }

    private static String all(String status, int n) {
        return String.join(" ", Collections.nCopies(n, status));
    }

    @ParameterizedTest
    @CsvSource({"8, reactor-netty-newest", "25, reactor-netty-newest", "25, vertx-5-newest", "25, unknown"})
    void aRequestIsHeldInTheEncoder(int java, String jars) {
        try (Server server = Server.start(); Fork fork = start(java, jars, "clients=unknown,rate=5,burst=2")) {
            for (boolean atOnce : new boolean[] {false, true}) {
                Server.Site site = server.site("127.94", Server.Script.status(200));
                long start = System.nanoTime();
                assertEquals(all("200", 6), ask(fork, "nio", 60, site, server.port(), 6, atOnce), fork::stderr);
                List<Server.Arrival> arrivals = site.arrivals();
                for (int i = 0; i < 6; i++) {
                    assertTrue(arrivals.get(i).nanos() >= start + (i - 1) * SECOND / 5, () -> site.times().toString());
                    assertEquals("/" + i, arrivals.get(i).path());
                    assertEquals("body " + i, new String(arrivals.get(i).body()));
                }
            }
            Server.Site blocks = server.site("127.94", Server.Script.inTurn(
                    exchange -> exchange.status(429).header("Retry-After", "2").send("slow down"), Server.Script.status(200)));
            assertEquals("429 200", ask(fork, "nio", 0, blocks, server.port(), 2, false), fork::stderr);
            assertTrue(blocks.times().get(1) - blocks.times().get(0) >= 2 * SECOND);
            assertFalse(fork.stderr().contains("not paced"), fork::stderr);
        }
    }

    /** A new host, for a program that has been to another one. */
    private static Server.Site siteOfOneAwake(Fork fork, Server server) {
        Server.Site other = server.site("127.94", Server.Script.status(200));
        assertEquals("200", ask(fork, "nio", 60, other, server.port(), 1, true), fork::stderr);
        return server.site("127.94", Server.Script.status(200));
    }

    /** What is held on one channel is not what another one sends. */
    @ParameterizedTest
    @CsvSource({"25, reactor-netty-newest"})
    void requestsOnSeveralChannelsGoInTurn(int java, String jars) {
        try (Server server = Server.start(); Fork fork = start(java, jars, "clients=unknown,rate=1,burst=1")) {
            Server.Site site = siteOfOneAwake(fork, server);
            long start = System.nanoTime();
            assertEquals(all("200", 4), fork.ask("nio 60 " + site.host() + " " + server.port() + " 4 apart", Jvm.LONG), fork::stderr);
            List<Long> times = site.times().stream().sorted().toList();
            for (int i = 0; i < 4; i++) {
                assertTrue(times.get(i) >= start + i * SECOND,
                        () -> times.stream().map(time -> (time - start) / 1_000_000).toList().toString());
            }
            assertFalse(fork.stderr().contains("not paced"), fork::stderr);
        }
    }

    /** The first request is granted, and stays in its channel's buffer while others come on channels of their own. */
    @ParameterizedTest
    @CsvSource({"25, reactor-netty-newest"})
    void whatOneChannelIsToWriteLetsNothingGoOnANewOne(int java, String jars) {
        try (Server server = Server.start(); Fork fork = start(java, jars, "clients=unknown,rate=0.5,burst=1")) {
            Server.Site site = siteOfOneAwake(fork, server);
            long start = System.nanoTime();
            assertEquals(all("200", 3), fork.ask("nio 60 " + site.host() + " " + server.port() + " 3 late", Jvm.LONG), fork::stderr);
            List<Server.Arrival> arrivals = site.arrivals();
            assertEquals(List.of("/1", "/2", "/0"), arrivals.stream().map(Server.Arrival::path).toList());
            assertTrue(arrivals.get(0).nanos() >= start + 2 * SECOND, () -> site.times().toString());
            assertTrue(arrivals.get(1).nanos() >= start + 4 * SECOND, () -> site.times().toString());
            assertFalse(fork.stderr().contains("not paced"), fork::stderr);
        }
    }

    /** HttpURLConnection waits for a site that does not answer its greeting, so its request is still expected. */
    @ParameterizedTest
    @CsvSource({"25, reactor-netty-newest"})
    void whatAPacedClientIsToWriteLetsNothingGoOnANewChannel(int java, String jars) throws Exception {
        try (Server server = Server.start(); Fork fork = start(java, jars, "clients=unknown,rate=0.5,burst=1")) {
            Server.Site site = server.site("127.94", Server.Script.status(200));
            try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName(site.host()))) {
                assertEquals("hangs", fork.ask("hang " + site.host() + " " + silent.getLocalPort(), Jvm.LONG));
                silent.accept();
                long connected = System.nanoTime();
                assertEquals("200", ask(fork, "nio", 60, site, server.port(), 1, false), fork::stderr);
                assertTrue(site.times().get(0) >= connected + SECOND, () -> "" + (site.times().get(0) - connected));
            }
        }
    }

    /** What they send comes to the limiter above the encoder. The agent paces unknown clients beside them. */
    @ParameterizedTest
    @CsvSource({"8, ReactorNetty, reactor-netty-oldest", "25, ReactorNetty, reactor-netty-newest", "8, Vertx, vertx-4-oldest",
        "25, Vertx, vertx-5-newest", "8, AsyncHttpClient, async-http-client-2-oldest", "25, AsyncHttpClient, async-http-client-3-newest",
        "8, AwsNetty, aws-netty-oldest", "25, AwsNetty, aws-netty-newest", "8, Armeria, armeria-oldest", "25, Armeria, armeria-newest"})
    void noPacedClientIsPacedTwice(int java, String client, String jars) {
        Fork.Builder builder = Jvm.scraper(java).agent("exclude=-private,clients=unknown,rate=100,burst=100");
        Source.jarsOf(jars).forEach(builder::classpath);
        try (Server server = Server.start(); Scraper scraper = Scraper.start(builder, client)) {
            Server.Site site = server.site("127.94", Server.Script.status(200));
            scraper.with("timeout=120000"); // the AWS SDK's ten seconds to connect are too few on a busy machine
            List<String> calls = IntStream.range(0, 8).mapToObj(i -> scraper.beginAsync(site.url("/" + i))).toList();
            calls.forEach(call -> assertEquals("200", scraper.join(call, Jvm.LONG), scraper.fork::stderr));
            for (int i = 0; i < 8; i++) {
                assertEquals("200", scraper.get(site.url("/" + i)), scraper.fork::stderr);
            }
            assertEquals(16, site.arrivals().size());
            assertEquals(16, scraper.statistics(site.host()).get("total_requests").getAsInt(), scraper.fork::stderr);
            assertFalse(scraper.fork.stderr().contains("not paced"), scraper.fork::stderr);
        }
    }

    /** Then neither the stack nor what is expected says whose request it is: its head is written when its body begins. */
    @Test
    void aPacedClientThatGetsItsBodyFromAnotherThreadIsNotPacedTwice() throws Exception {
        List<Path> libraries = Source.jarsOf("reactor-netty-newest");
        Path report = Source.folder().resolve("report");
        Fork.Builder builder = Jvm.on(25).agent("exclude=-private,user-agent.check=off,clients=unknown,rate=100,report=" + report)
                .classpath(Source.compile(8, libraries, """
                public class Posts {
                    public static void main(String[] args) {
                        for (int i = 0; i < 10; i++) {
                            System.out.println(reactor.netty.http.client.HttpClient.create().post().uri(args[0])
                                    .send(reactor.core.publisher.Flux.just("a", "b")
                                            .map(s -> io.netty.buffer.Unpooled.wrappedBuffer(s.getBytes()))
                                            .publishOn(reactor.core.scheduler.Schedulers.boundedElastic()))
                                    .responseSingle((response, body) -> body.asString().defaultIfEmpty("")
                                            .map(text -> response.status().code())).block());
                        }
                        System.exit(0);
                    }
                }
                """));
        libraries.forEach(builder::classpath);
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.94", Server.Script.status(200));
            try (Fork fork = builder.main("Posts", site.url("/")).start()) {
                assertEquals(0, fork.exit(PATIENCE), fork::stderr);
                assertEquals(Collections.nCopies(10, "200"), Jvm.lines(fork.stdout()), fork::stderr);
            }
            assertTrue(Files.readString(report).matches("(?s).*\"total_requests\": *10\\b.*"), () -> "" + site.arrivals().size());
        }
    }

    @ParameterizedTest
    @CsvSource({"25, reactor-netty-newest"})
    void whatItsChannelWouldNotOutlastIsCountedAndNotHeld(int java, String jars) {
        try (Server server = Server.start(); Fork fork = start(java, jars, "clients=unknown,rate=0.2,burst=1")) {
            Server.Site site = server.site("127.94", Server.Script.status(200));
            assertEquals(all("200", 3), ask(fork, "nio", 2, site, server.port(), 3, false), fork::stderr);
            fork.endInput();
            assertEquals(0, fork.exit(PATIENCE), fork::stderr);
            assertTrue(fork.stderr().contains("WARN not paced: " + site.host()), fork::stderr);
            assertTrue(fork.stderr().contains("; clients=unknown cannot hold its thread or channel; exclude="), fork::stderr);
        }
    }

    @ParameterizedTest
    @CsvSource({"25, reactor-netty-newest"})
    void aRejectionFailsTheWriteAndClosesTheChannel(int java, String jars) {
        try (Server server = Server.start(); Fork fork = start(java, jars, "clients=unknown,rate=0.02,burst=1,on-limit=reject")) {
            Server.Site site = server.site("127.94", Server.Script.status(200));
            assertEquals("200 io.tempolimit.RequestRejectedException", ask(fork, "nio", 0, site, server.port(), 2, false), fork::stderr);
            assertEquals(1, site.arrivals().size());
        }
    }

    /** What a transport of Netty's own writes is counted, once; and so is what the JDK's does. */
    @ParameterizedTest
    @CsvSource({"8, reactor-netty-oldest", "25, reactor-netty-newest"})
    void whateverTheTransportEachRequestIsCountedOnce(int java, String jars) throws Exception {
        Path report = Source.folder().resolve("report");
        try (Server server = Server.start()) {
            Server.Site nio = server.site("127.94", Server.Script.status(200));
            Server.Site epoll = server.site("127.94", Server.Script.status(200));
            try (Fork fork = start(java, jars, "report=" + report)) {
                assertEquals(all("200", 3), ask(fork, "nio", 0, nio, server.port(), 3, false), fork::stderr);
                assertEquals(all("200", 2), ask(fork, "epoll", 0, epoll, server.port(), 2, false), fork::stderr);
                fork.endInput();
                assertEquals(0, fork.exit(PATIENCE), fork::stderr);
                assertTrue(fork.stderr().contains("WARN not paced: " + epoll.host()), fork::stderr);
            }
            String told = Files.readString(report);
            assertTrue(told.matches("(?s).*\"unseen_requests\":\\s*5\\b.*"), told);
        }
    }

    /** It stands on a copy of Netty, with a transport of its own, and speaks HTTP/2: no class of the JDK writes that. */
    @ParameterizedTest
    @ValueSource(ints = {8, 25})
    void aConnectionOfGrpcIsCountedAndTold(int java) throws Exception {
        List<Path> libraries = Source.jarsOf("unknown");
        Path report = Source.folder().resolve("report");
        Fork.Builder builder = Jvm.on(java).agent("exclude=-private,report=" + report).classpath(Source.compile(8, libraries, """
                import io.grpc.*;
                import io.grpc.netty.shaded.io.grpc.netty.*;
                import java.util.concurrent.*;
                public class Connects {
                    public static void main(String[] args) throws Exception {
                        System.out.println(io.grpc.netty.shaded.io.netty.channel.epoll.Epoll.isAvailable());
                        Server server = NettyServerBuilder.forPort(0).build().start();
                        ManagedChannel channel = NettyChannelBuilder.forAddress("localhost", server.getPort()).usePlaintext().build();
                        for (ConnectivityState state; (state = channel.getState(true)) != ConnectivityState.READY; ) {
                            CountDownLatch changed = new CountDownLatch(1);
                            channel.notifyWhenStateChanged(state, changed::countDown);
                            changed.await();
                        }
                        channel.shutdownNow();
                        server.shutdownNow();
                        System.exit(0);
                    }
                }
                """));
        libraries.forEach(builder::classpath);
        try (Fork fork = builder.main("Connects").start()) {
            assertEquals(0, fork.exit(PATIENCE), fork::stderr);
            assertEquals("true", fork.stdout().trim());
            assertTrue(fork.stderr().matches("(?s).* WARN HTTP/2 connection to localhost by .*: not paced.*"), fork::stderr);
        }
        String told = Files.readString(report);
        assertTrue(told.matches("(?s).*\"unseen_requests\":\\s*1\\b.*"), told);
    }
}
