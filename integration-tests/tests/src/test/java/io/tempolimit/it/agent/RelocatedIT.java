package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Copies of OkHttp, AsyncHttpClient and Apache's clients under other names, as shaded SDKs carry them, are paced, but for those of
 * another agent.
 */
class RelocatedIT {
    private static final Server SERVER = Server.start();
    private static final Path PROGRAMS = Path.of(System.getProperty("tempolimit.programs", "../programs/target/classes")).toAbsolutePath()
            .normalize();
    private static final String REJECTED = "io.tempolimit.RequestRejectedException";
    private static final Pacing PACING = new Pacing(2, 1);
    /** Paces one network, and rejects in the other. */
    private static final String ARGUMENTS = "user-agent.check=off,exclude=-private,rate=2,burst=1,events=stdout"
            + ",domain.127.51.0.0/16.rate=0.02,domain.127.51.0.0/16.on-limit=reject";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** Which packages are moved where: not every relocation is the same. */
    enum Copy {
        OKHTTP_4_WITHOUT_OKIO("okhttp-4-newest", "OkHttp", "OkHttp", "com.acme.shaded.okhttp3",
                Map.of("okhttp3", "com.acme.shaded.okhttp3")),
        OKHTTP_5_WITH_OKIO("okhttp-5-newest", "OkHttp", "OkHttp", "com.acme.shaded.okhttp3",
                Map.of("okhttp3", "com.acme.shaded.okhttp3", "okio", "com.acme.shaded.okio")),
        OKHTTP_3_WITH_OKIO_ELSEWHERE("okhttp-3-newest", "OkHttp", "OkHttp", "com.acme.okhttp3",
        Map.of("okhttp3", "com.acme.okhttp3", "okio", "com.acme.io.okio")),
        OKHTTP_2_WITH_OKIO("okhttp-2-newest", "OkHttp2", "OkHttp 2", "com.acme.com.squareup.okhttp",
                Map.of("com.squareup.okhttp", "com.acme.com.squareup.okhttp", "okio", "com.acme.okio")),
        COMMONS_3("commons-httpclient-3-newest", "CommonsHttpClient", "Commons HttpClient", "com.acme.org.apache.commons.httpclient",
                Map.of("org.apache.commons.httpclient", "com.acme.org.apache.commons.httpclient")),
        APACHE_4_WITHOUT_ORG("apache-4-newest", "Apache4", "Apache HttpClient 4", "com.acme.internal.apache.http",
                Map.of("org.apache.http", "com.acme.internal.apache.http")),
        APACHE_4_ASYNC("apache-4-async-newest", "Apache4Async", "Apache HttpAsyncClient 4", "com.acme.shaded.org.apache.http",
                Map.of("org.apache.http", "com.acme.shaded.org.apache.http")),
        APACHE_5("apache-5-newest", "Apache5", "Apache HttpClient 5", "com.acme.shaded.org.apache.hc.client5",
                Map.of("org.apache.hc", "com.acme.shaded.org.apache.hc")),
        ASYNC_HTTP_CLIENT_AS_IN_PLAY_WS("async-http-client-2-newest", "AsyncHttpClient", "AsyncHttpClient",
                "play.shaded.ahc.org.asynchttpclient",
                Map.of("org.asynchttpclient", "play.shaded.ahc.org.asynchttpclient", "io.netty", "play.shaded.ahc.io.netty")),
        APACHE_5_ASYNC_WITHOUT_CORE("apache-5-newest", "Apache5Async", "Apache HttpClient 5", "com.acme.client5.org.apache.hc.client5",
                Map.of("org.apache.hc.client5", "com.acme.client5.org.apache.hc.client5"));

        final String folder;
        final String adapter;
        final String client;
        final String at;
        private final Map<String, String> moves;
        private Path classes;

        Copy(String folder, String adapter, String client, String at, Map<String, String> moves) {
            this.folder = folder;
            this.adapter = adapter;
            this.client = client;
            this.at = at;
            this.moves = moves;
        }

        /** A folder with the client, and with the programs, which use it. */
        synchronized Path classes() {
            if (classes == null) {
                classes = with();
            }
            return classes;
        }

        /** The same, and these. */
        Path with(Path... more) {
            List<Path> all = new ArrayList<>(Source.jarsOf(folder));
            all.removeAll(List.of(kotlin()));
            all.add(PROGRAMS);
            all.addAll(List.of(more));
            return Relocated.copy(moves, all);
        }

        /** What is not moved: a large library, of which the hooks know nothing. */
        Path[] kotlin() {
            return Source.jarsOf(folder).stream().filter(jar -> jar.getFileName().toString().startsWith("kotlin-")).toArray(Path[]::new);
        }
    }

    static Stream<Arguments> copies() {
        return Stream.of(Copy.values()).flatMap(copy -> Jvm.turn(copy.ordinal(), 8).mapToObj(java -> Arguments.of(copy, java)));
    }

    @ParameterizedTest
    @MethodSource("copies")
    void arePaced(Copy copy, int java) {
        try (Scraper scraper = Scraper.start(Jvm.on(java).recordedAgent(ARGUMENTS).classpath(copy.classes())
                .classpath(copy.kotlin()), copy.adapter)) {
            Server.Site rejecting = SERVER.site("127.51", Server.Script.status(200));
            assertEquals("200", scraper.get(rejecting.url("/")), scraper.fork::stderr);
            assertEquals(REJECTED, scraper.get(rejecting.url("/")), scraper.fork::stderr);
            Server.Site paced = SERVER.site("127.50", Server.Script.status(200));
            long begin = System.nanoTime();
            for (int i = 0; i < 3; i++) {
                assertEquals("200", scraper.get(paced.url("/" + i)), scraper.fork::stderr);
            }
            PACING.checkSince(begin, paced.times(), scraper.fork.recording().departures(paced.host()));
            if (!List.of("CommonsHttpClient", "Apache4", "Apache5").contains(copy.adapter)) {
                asynchronously(scraper);
            }
            List<String> woven = scraper.fork.stdout().lines().filter(l -> l.contains("\"event\":\"client_woven\"")).toList();
            assertEquals(1, woven.size(), scraper.fork::stdout);
            assertTrue(woven.get(0).contains("\"client\":\"" + copy.client + "\",\"version\":\"" + copy.at + "\""), scraper.fork::stdout);
            assertTrue(!scraper.fork.stderr().contains("not paced")
                    && !scraper.fork.stderr().contains("\tat io.tempolimit."), scraper.fork::stderr);
        }
    }

    private static void asynchronously(Scraper scraper) {
        Server.Site rejecting = SERVER.site("127.51", Server.Script.status(200));
        assertEquals("200", scraper.getAsync(rejecting.url("/")), scraper.fork::stderr);
        assertEquals(REJECTED, scraper.getAsync(rejecting.url("/")), scraper.fork::stderr);
        Server.Site paced = SERVER.site("127.50", Server.Script.status(200));
        long begin = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            assertEquals("200", scraper.getAsync(paced.url("/" + i)), scraper.fork::stderr);
        }
        PACING.checkSince(begin, paced.times(), scraper.fork.recording().departures(paced.host()));
    }

    /** How an agent keeps its client to itself. */
    enum Agent {
        /** Its jar has a loader, which has the client under its own name. */
        LOADER_IN_ITS_JAR,
        /** The loader's class is on the boot path. */
        LOADER_ON_THE_BOOT_PATH,
        /** Its jar has the client, relocated. */
        CLIENT_IN_ITS_JAR
    }

    private static final String SENDER = """
            package spy;
            import io.tempolimit.it.programs.*;
            import java.util.*;
            public class Sender implements Runnable {
                public void run() {
                    try {
                        Adapter.Http client = new OkHttpAdapter().open(new HashMap<String, String>());
                        for (int i = 0; i < 3; i++) {
                            System.out.println(client.send(new Adapter.Request("GET", System.getProperty("url"), false)).status);
                        }
                    } catch (Exception e) {
                        System.out.println(e.getClass().getName());
                    }
                }
            }""";
    private static final String LOADER = """
            package spy;
            import java.net.*;
            public class Loader extends URLClassLoader {
                public Loader(URL[] urls) {
                    super(urls, null);
                }
            }""";
    /** Takes the class path of its own loader as arguments; without one it uses the system's. */
    private static final String AGENT = """
            package spy;
            import java.io.File;
            import java.net.*;
            import java.util.*;
            public class Spy {
                static ClassLoader loader = Spy.class.getClassLoader();
                public static void premain(String path) throws Exception {
                    if (path != null) {
                        List<URL> urls = new ArrayList<URL>();
                        for (String entry : path.split(File.pathSeparator)) {
                            urls.add(new File(entry).toURI().toURL());
                        }
                        loader = (ClassLoader) Class.forName("spy.Loader").getConstructor(URL[].class)
                                .newInstance((Object) urls.toArray(new URL[0]));
                    }
                }
                public static void main(String[] args) throws Exception {
                    if (args.length > 0) {
                        premain(args[0]);
                    }
                    ((Runnable) loader.loadClass("spy.Sender").getConstructor().newInstance()).run();
                    System.exit(0);
                }
            }""";

    static Stream<Arguments> agents() {
        return Stream.of(Agent.values()).flatMap(agent -> Jvm.turn(agent.ordinal(), 8).mapToObj(java -> Arguments.of(agent, java)));
    }

    /** What another agent sends (its spans) is not the scraper's traffic: it takes no token. */
    @ParameterizedTest
    @MethodSource("agents")
    void ofAnotherAgentAreLeftAlone(Agent agent, int java) {
        Server.Site site = SERVER.site("127.52", Server.Script.status(200));
        Path folder = Source.folder();
        Path jar = folder.resolve("spy.jar");
        Fork.Builder builder = Jvm.on(java).agent(Jvm.ONE_TOKEN + ",log.level=debug").option("-Durl=" + site.url("/"));
        if (agent == Agent.CLIENT_IN_ITS_JAR) {
            Path classes = Copy.OKHTTP_3_WITH_OKIO_ELSEWHERE.with(Source.compile(8, List.of(PROGRAMS), AGENT, SENDER));
            Source.jar(jar, Map.of("Premain-Class", "spy.Spy"), Map.of("", classes), List.of());
            builder.option("-javaagent:" + jar);
        } else {
            boolean boot = agent == Agent.LOADER_ON_THE_BOOT_PATH;
            Path loader = Source.jar(folder.resolve("loader.jar"), Map.of(), Map.of("", Source.compile(8, LOADER)), List.of());
            Source.jar(jar, boot ? Map.of("Premain-Class", "spy.Spy", "Boot-Class-Path", "loader.jar") : Map.of("Premain-Class", "spy.Spy"),
                    Map.of("", boot ? Source.compile(8, AGENT) : Source.compile(8, AGENT, LOADER)), List.of());
            builder.option("-javaagent:" + jar + "=" + ownPath());
        }
        try (Fork fork = builder.classpath(Source.folder()).main("spy.Spy").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("200\n200\n200\n", fork.stdout(), fork::stderr);
            assertTrue(fork.stderr().contains("belongs to another agent"), fork::stderr);
        }
    }

    /** The same jar as a program: then its client is the scraper's. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void ofAProgramThatCanBeAnAgentArePaced(int java) {
        Server.Site site = SERVER.site("127.52", Server.Script.status(200));
        Path jar = Source.jar(Source.folder().resolve("spy.jar"), Map.of("Premain-Class", "spy.Spy", "Main-Class", "spy.Spy"),
                Map.of("", Source.compile(8, AGENT, LOADER)), List.of());
        try (Fork fork = Jvm.on(java).agent(Jvm.ONE_TOKEN).option("-Durl=" + site.url("/")).jar(jar, ownPath()).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("200\n" + REJECTED + "\n", fork.stdout(), fork::stderr);
        }
    }

    private static String ownPath() {
        List<Path> path = new ArrayList<>(Source.jarsOf("okhttp-4-newest"));
        path.add(PROGRAMS);
        path.add(Source.compile(8, List.of(PROGRAMS), SENDER));
        return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
