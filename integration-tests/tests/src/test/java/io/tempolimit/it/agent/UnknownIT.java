package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With {@code clients=unknown}, requests that no woven client sends are paced and judged, where a thread may block. */
@Order(1)
class UnknownIT {
    private static final Duration PROMPT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Jvm.LONG;
    private static final long SECOND = 1_000_000_000L;
    private static final String OPEN = "exclude=-private,user-agent.check=off,clients=unknown,learn=false";

    /** Reads a command a line: what to send by, host, port, how many requests, by how many threads; says what became of them. */
    private static final String PLAIN = """
            import java.io.*;
            import java.net.*;
            import java.nio.ByteBuffer;
            import java.nio.channels.*;
            import java.security.KeyStore;
            import java.util.*;
            import java.util.concurrent.*;
            import javax.net.ssl.*;
            public class Plain {
                static final List<Closeable> OPEN = Collections.synchronizedList(new ArrayList<Closeable>());
                static SSLContext tls;
                static volatile Thread sender;
                static volatile Future<String> held;
                static ExecutorService pool = Boolean.getBoolean("virtual") ? virtual()
                        : Executors.newCachedThreadPool(new ThreadFactory() {
                    public Thread newThread(Runnable r) {
                        Thread t = new Thread(r);
                        t.setDaemon(true);
                        return t;
                    }
                });

                static ExecutorService virtual() {
                    try {
                        return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
                    } catch (ReflectiveOperationException e) {
                        throw new IllegalStateException(e);
                    }
                }

                /** Arguments: a file of keys, and its password; the port to which TLS goes on without TLS. */
                public static void main(String[] args) throws Exception {
                    KeyStore keys = KeyStore.getInstance("PKCS12");
                    try (InputStream in = new FileInputStream(args[0])) {
                        keys.load(in, args[1].toCharArray());
                    }
                    KeyManagerFactory km = KeyManagerFactory.getInstance("SunX509");
                    km.init(keys, args[1].toCharArray());
                    TrustManagerFactory tm = TrustManagerFactory.getInstance("PKIX");
                    tm.init(keys);
                    tls = SSLContext.getInstance("TLS");
                    tls.init(km.getKeyManagers(), tm.getTrustManagers(), null);
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                    for (String line; (line = in.readLine()) != null; ) {
                        System.out.println(run(line.split(" ")));
                    }
                }

                static String run(final String[] c) throws Exception {
                    if (c[0].equals("hold")) {
                        held = pool.submit(new Callable<String>() {
                            public String call() throws Exception {
                                sender = Thread.currentThread();
                                return send(c[1], c[2], Integer.parseInt(c[3]), Integer.parseInt(c[4]));
                            }
                        });
                        return "held";
                    }
                    if (c[0].equals("close")) {
                        for (Closeable open : OPEN) {
                            open.close();
                        }
                        return held.get(20, TimeUnit.SECONDS);
                    }
                    if (c[0].equals("interrupt")) {
                        sender.interrupt();
                        return held.get(20, TimeUnit.SECONDS);
                    }
                    if (c[0].equals("waits")) {
                        for (;;) {
                            Thread s = sender;
                            if (s != null && s.getState() == Thread.State.TIMED_WAITING) {
                                return "waits";
                            }
                            Thread.sleep(5);
                        }
                    }
                    List<Future<String>> all = new ArrayList<Future<String>>();
                    for (int i = 0; i < Integer.parseInt(c[4]); i++) {
                        all.add(pool.submit(new Callable<String>() {
                            public String call() throws Exception {
                                return send(c[0], c[1], Integer.parseInt(c[2]), Integer.parseInt(c[3]));
                            }
                        }));
                    }
                    StringBuilder said = new StringBuilder();
                    for (Future<String> one : all) {
                        said.append(said.length() == 0 ? "" : " ").append(one.get());
                    }
                    return said.toString();
                }

                static String send(String by, String host, int port, int n) {
                    StringBuilder said = new StringBuilder();
                    Way way = null;
                    for (int i = 0; i < n; i++) {
                        try {
                            if (way == null || by.equals("sockets")) {
                                way = way(by, host, port);
                            }
                            way.write(head(by, host, port, i));
                            said.append(said.length() == 0 ? "" : " ").append(way.status());
                        } catch (Exception e) {
                            said.append(said.length() == 0 ? "" : " ").append(e.getClass().getName());
                            way = null;
                        }
                    }
                    return said.toString();
                }

                static byte[] head(String by, String host, int port, int i) {
                    String method = by.equals("body") ? "POST" : "GET";
                    return (method + " /" + i + " HTTP/1.1\\r\\nHost: " + host + ":" + port + "\\r\\n"
                            + (by.equals("body") ? "Content-Length: 4\\r\\n" : "") + "\\r\\n").getBytes();
                }

                static abstract class Way {
                    abstract void write(byte[] bytes) throws Exception;
                    abstract InputStream in() throws Exception;

                    /** Reads byte by byte, as HTTP clients read lines, then the body. */
                    String status() throws Exception {
                        String first = line();
                        int length = 0;
                        for (String line; !(line = line()).isEmpty(); ) {
                            if (line.startsWith("Content-Length: ")) {
                                length = Integer.parseInt(line.substring(16));
                            }
                        }
                        if (first.startsWith("HTTP/1.1 1")) {
                            return status();
                        }
                        for (int i = 0; i < length; i++) {
                            if (in().read() < 0) {
                                throw new EOFException();
                            }
                        }
                        return first.split(" ")[1];
                    }

                    String line() throws Exception {
                        StringBuilder line = new StringBuilder();
                        for (int c; (c = in().read()) != '\\n'; ) {
                            if (c < 0) {
                                throw new EOFException();
                            }
                            if (c != '\\r') {
                                line.append((char) c);
                            }
                        }
                        return line.toString();
                    }
                }

                static Way way(final String by, String host, int port) throws Exception {
                    if (by.equals("channel")) {
                        final SocketChannel channel = SocketChannel.open(new InetSocketAddress(host, port));
                        OPEN.add(channel);
                        final ByteBuffer one = ByteBuffer.allocate(1);
                        return new Way() {
                            void write(byte[] bytes) throws IOException {
                                channel.write(new ByteBuffer[] {ByteBuffer.wrap(bytes, 0, 20),
                                        ByteBuffer.wrap(bytes, 20, bytes.length - 20)});
                            }

                            InputStream in() {
                                return new InputStream() {
                                    public int read() throws IOException {
                                        one.clear();
                                        return channel.read(one) < 0 ? -1 : one.get(0);
                                    }
                                };
                            }
                        };
                    }
                    final Socket socket = by.equals("tls") ? secured(host, port) : by.equals("adaptor")
                            ? SocketChannel.open(new InetSocketAddress(host, port)).socket() : new Socket(host, port);
                    OPEN.add(socket);
                    socket.setSoTimeout(4000);
                    final InputStream buffered = by.equals("kept") ? new BufferedInputStream(socket.getInputStream())
                            : socket.getInputStream();
                    return new Way() {
                        void write(byte[] bytes) throws IOException {
                            socket.getOutputStream().write(bytes);
                            if (by.equals("body")) {
                                socket.getOutputStream().write("abcd".getBytes());
                            }
                        }

                        InputStream in() {
                            return buffered;
                        }
                    };
                }

                /**
                 * TLS up to a relay in this program, which has nothing to do with HTTP; beyond it the bytes are plain, and no head
                 * begins a write.
                 */
                static Socket secured(final String host, final int port) throws Exception {
                    final ServerSocket relay = tls.getServerSocketFactory().createServerSocket(0);
                    pool.submit(new Callable<Void>() {
                        public Void call() throws Exception {
                            Socket in = relay.accept();
                            Socket out = new Socket(host, port);
                            copy(in, out);
                            copy(out, in);
                            return null;
                        }
                    });
                    return tls.getSocketFactory().createSocket("127.0.0.1", relay.getLocalPort());
                }

                static void copy(final Socket from, final Socket to) {
                    pool.submit(new Callable<Void>() {
                        public Void call() throws Exception {
                            for (int b; (b = from.getInputStream().read()) >= 0; ) {
                                to.getOutputStream().write(b);
                            }
                            to.close();
                            return null;
                        }
                    });
                }
            }
            """;

    private static Fork start(int java, String settings, String... options) {
        Path keys = Source.keys();
        Fork.Builder builder = Jvm.on(java).agent(settings).classpath(Source.compile(8, PLAIN));
        for (String option : options) {
            builder.option(option);
        }
        return builder.main("Plain", keys.toString(), "secret").start();
    }

    private static String ask(Fork fork, String by, Server.Site site, int port, int n, int threads) {
        return fork.ask(by + " " + site.host() + " " + port + " " + n + " " + threads, Jvm.LONG);
    }

    private static String all(String status, int n) {
        return String.join(" ", Collections.nCopies(n, status));
    }

    /**
     * The n-th request arrives no earlier than burst, rate and those in flight let it, counted from before the first one.
     *
     * @param ahead how many threads may be one request ahead of their turn
     */
    private static void bounded(List<Long> times, long start, double rate, int burst, int ahead, String what) {
        for (int i = 0; i < times.size(); i++) {
            long earliest = start + (long) ((i + 1 - burst - ahead) / rate * SECOND);
            assertTrue(times.get(i) >= earliest, () -> what + ": " + times.stream().map(t -> (t - start) / 1_000_000).toList());
        }
    }

    /**
     * Turns are shorter than a second: new connections wait before they write, kept ones afterwards. One way writes a body after
     * the head, which is not held.
     */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void whoeverWritesIsPaced(int java) throws Exception {
        Path events = Source.folder().resolve("events");
        try (Server server = Server.start(); Fork fork = start(java, OPEN + ",rate=5,burst=2,events=" + events)) {
            for (String by : List.of("sockets", "kept", "channel", "adaptor", "tls", "body")) {
                Server.Site site = server.site("127.93", Server.Script.status(200));
                long start = System.nanoTime();
                assertEquals(all("200", 8), ask(fork, by, site, server.port(), 8, 1), fork::stderr);
                assertEquals(8, site.arrivals().size());
                bounded(site.times(), start, 5, 2, by.equals("sockets") ? 0 : 1, by);
            }
            Server.Site pool = server.site("127.93", Server.Script.status(200));
            long start = System.nanoTime();
            assertEquals(all("200", 12), ask(fork, "kept", pool, server.port(), 4, 3), fork::stderr);
            bounded(pool.times(), start, 5, 2, 3, "pool");
            Server.Site herd = server.site("127.93", Server.Script.status(200));
            long begun = System.nanoTime();
            assertEquals(all("200", 14), ask(fork, "sockets", herd, server.port(), 1, 14), fork::stderr);
            bounded(herd.times(), begun, 5, 2, 0, "threads that begin together");
            assertFalse(fork.stderr().contains("not paced"), fork::stderr);
            fork.endInput();
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
        }
        String told = Files.readString(events);
        assertTrue(told.contains("\"event\":\"client_woven\",\"client\":\"Plain"), told);
        assertTrue(told.contains("\"event\":\"throttled\""), told);
    }

    /** Waits longer than a second: each request is written at once, and its sender waits with the answer. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void longWaitsComeAfterTheRequestSoThatNoConnectionIsIdle(int java) throws Exception {
        try (Server server = Server.start(); Fork fork = start(java, OPEN + ",rate=0.6,burst=1")) {
            for (String by : List.of("sockets", "kept")) {
                Server.Site site = server.site("127.93", Server.Script.status(200));
                long start = System.nanoTime();
                assertEquals(all("200", 3), ask(fork, by, site, server.port(), 3, 1), fork::stderr);
                assertEquals(3, site.arrivals().size());
                bounded(site.times(), start, 0.6, 1, 1, by);
                assertTrue(System.nanoTime() - start >= 2 / 0.6 * SECOND, "the last one has its turn before its answer is read");
            }
        }
    }

    /** Status and Retry-After are read from the answer's head, byte by byte, behind an interim answer, and over TLS. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aBlockRestsTheHost(int java) throws Exception {
        Path events = Source.folder().resolve("events");
        try (Server server = Server.start(); Fork fork = start(java, OPEN + ",rate=100,burst=10,events=" + events)) {
            for (String by : List.of("sockets", "kept", "channel", "tls")) {
                Server.Site site = server.site("127.93", Server.Script.inTurn(Server.Script.status(200),
                        exchange -> exchange.interim(103).status(429).header("Retry-After", "2").send("slow down"),
                    Server.Script.status(200)));
                assertEquals("200 429 200", ask(fork, by, site, server.port(), 3, 1), fork::stderr);
                List<Long> times = site.times();
                assertTrue(times.get(2) - times.get(1) >= 2 * SECOND, () -> by + ": " + (times.get(2) - times.get(1)));
            }
            fork.endInput();
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
        }
        String told = Files.readString(events);
        assertEquals(4, told.lines().filter(l -> l.contains("\"event\":\"cooldown_started\"")).count(), told);
    }

    @Test
    void aRejectedRequestIsNotWritten() throws Exception {
        try (Server server = Server.start(); Fork fork = start(25, OPEN + ",rate=0.02,burst=1,on-limit=reject")) {
            for (String by : List.of("sockets", "kept", "channel", "tls")) {
                Server.Site site = server.site("127.93", Server.Script.status(200));
                assertEquals("200 io.tempolimit.RequestRejectedException", ask(fork, by, site, server.port(), 2, 1), fork::stderr);
                assertEquals(1, site.arrivals().size());
            }
        }
    }

    /** While the host rests, nothing is written; whoever closes or interrupts need not wait for the end of that. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void closeAndInterruptEndAWaitBeforeTheWrite(int java) throws Exception {
        try (Server server = Server.start(); Fork fork = start(java, OPEN + ",rate=100,burst=10,max-wait=10m")) {
            for (String by : List.of("sockets", "kept", "channel", "tls")) {
                for (String end : List.of("close", "interrupt")) {
                    Server.Site site = server.site("127.93", exchange -> exchange.status(429).header("Retry-After", "300").send(""));
                    fork.ask("hold " + by + " " + site.host() + " " + server.port() + " 2", PATIENCE);
                    site.await(1, PATIENCE);
                    assertEquals("waits", fork.ask("waits", PATIENCE));
                    long start = System.nanoTime();
                    String said = fork.ask(end, PATIENCE);
                    assertTrue(said.startsWith("429 java."), said);
                    assertTrue(System.nanoTime() - start < PROMPT.toNanos(), said);
                    assertEquals(1, site.arrivals().size(), "nothing was written");
                }
            }
        }
    }

    /** The request was written, so its answer is handed over. */
    @Test
    void closeAndInterruptEndAWaitAfterTheWrite() throws Exception {
        try (Server server = Server.start(); Fork fork = start(25, OPEN + ",rate=0.02,burst=1,max-wait=10m")) {
            for (String by : List.of("kept", "channel", "tls")) {
                for (String end : List.of("close", "interrupt")) {
                    Server.Site site = server.site("127.93", Server.Script.status(200));
                    fork.ask("hold " + by + " " + site.host() + " " + server.port() + " 2", PATIENCE);
                    site.await(2, PATIENCE);
                    assertEquals("waits", fork.ask("waits", PATIENCE));
                    long start = System.nanoTime();
                    String said = fork.ask(end, PATIENCE);
                    assertTrue(said.startsWith("200 "), said);
                    assertTrue(System.nanoTime() - start < PROMPT.toNanos(), said);
                }
            }
        }
    }

    /** As where thousands of them wait: on Java 21, where more pins a thread than later; with -Pmatrix on Java 25, too. */
    static IntStream withVirtualThreads() {
        return IntStream.of(21, 25).filter(java -> Jvm.MATRIX || java == 21);
    }

    /** There is one thread to carry them: while some wait, others send all the same. */
    @ParameterizedTest
    @MethodSource("withVirtualThreads")
    void virtualThreadsWaitWithoutTheThreadThatCarriesThem(int java) throws Exception {
        try (Server server = Server.start(); Fork fork = start(java, OPEN + ",rate=20,burst=2", "-Dvirtual=true",
                "-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1")) {
            for (String by : List.of("sockets", "kept", "channel")) {
                Server.Site resting = server.site("127.93", exchange -> exchange.status(429).header("Retry-After", "300").send(""));
                fork.ask("hold " + by + " " + resting.host() + " " + server.port() + " 2", PATIENCE);
                resting.await(1, PATIENCE);
                assertEquals("waits", fork.ask("waits", PATIENCE));
                Server.Site site = server.site("127.93", Server.Script.status(200));
                long start = System.nanoTime();
                assertEquals(all("200", 20), ask(fork, by, site, server.port(), 2, 10), fork::stderr);
                bounded(site.times(), start, 20, 2, by.equals("sockets") ? 0 : 10, by);
                assertTrue(fork.ask("interrupt", PATIENCE).startsWith("429 java."));
                assertEquals(1, resting.arrivals().size());
            }
        }
    }

    @Test
    void settingsHoldAsForAnyClient() throws Exception {
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.93", Server.Script.status(200));
            for (String settings : List.of("exclude=-private,dry-run=true", "exclude=-private;" + site.host())) {
                String all = "user-agent.check=off,clients=unknown,rate=0.02,burst=1," + settings;
                try (Fork fork = start(25, all)) {
                    assertEquals(all("200", 3), ask(fork, "sockets", site, server.port(), 3, 1), fork::stderr);
                    assertFalse(fork.stderr().contains("not paced: "), fork::stderr);
                }
            }
        }
    }
}
