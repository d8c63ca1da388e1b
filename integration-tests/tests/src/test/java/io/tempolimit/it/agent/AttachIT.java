package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.tempolimit.examples.site.Arrival;
import io.tempolimit.examples.site.Site;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code attach}: programs that run already. */
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
class AttachIT {
    private static final Server SERVER = Server.start();
    /** The second request has to wait for most of a minute. */
    private static final String[] TWO_TOKENS = {"user-agent.check=off", "exclude=-private", "rate=0.04", "burst=2", "on-limit=reject"};
    /** The same, and no token comes back while a busy machine runs some commands. */
    private static final String[] SLOW_TOKENS = {"user-agent.check=off", "exclude=-private", "rate=2/h", "burst=2", "on-limit=reject"};
    private static final String REJECTED = "io.tempolimit.RequestRejectedException";
    private static final Path WEBMAGIC = Path.of(System.getProperty("tempolimit.examples", "../../examples"), "scrapers", "webmagic",
            "target", "scraper.jar");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    private static Command attach(Fork fork, String... settings) {
        return Command.run(Stream.concat(Stream.of("attach", fork.pid()), Stream.of(settings)).toArray());
    }

    /**
     * Java, client, its jars, its name, and whether it has asynchronous calls: the JDK's own on the oldest Java and the newest, the others
     * on one Java; with -Pmatrix the first of them on all.
     */
    static Stream<Arguments> clientsInUse() {
        Stream.Builder<Arguments> all = Stream.builder();
        Jvm.ends().forEach(java -> all.add(Arguments.of(java, "UrlConnection", null, "HttpURLConnection", false)));
        Jvm.turn(0, 8).forEach(java -> all.add(Arguments.of(java, "OkHttp", "okhttp-4-newest", "OkHttp", true)));
        Jvm.turn(1, 8).forEach(java -> all.add(Arguments.of(java, "Apache5", "apache-5-newest", "Apache HttpClient 5", false)));
        Jvm.turn(2, 8).forEach(java -> all.add(Arguments.of(java, "Apache5Async", "apache-5-newest", "Apache HttpClient 5", true)));
        Jvm.endsFrom11().forEach(java -> all.add(Arguments.of(java, "Jdk", null, "JDK HttpClient", true)));
        all.add(Arguments.of(17, "Apache4", "apache-4-newest", "Apache HttpClient 4", false));
        all.add(Arguments.of(17, "CommonsHttpClient", "commons-httpclient-3-newest", "Commons HttpClient", false));
        all.add(Arguments.of(17, "OkHttp2", "okhttp-2-newest", "OkHttp 2", true));
        all.add(Arguments.of(17, "Apache4Async", "apache-4-async-newest", "Apache HttpAsyncClient 4", true));
        all.add(Arguments.of(17, "Jetty", "jetty-9-newest", "Jetty HttpClient", true));
        all.add(Arguments.of(17, "ReactorNetty", "reactor-netty-newest", "Reactor Netty", true));
        all.add(Arguments.of(17, "Armeria", "armeria-newest", "Armeria", true));
        all.add(Arguments.of(17, "AwsNetty", "aws-netty-newest", "AWS SDK 2 Netty client", true));
        all.add(Arguments.of(17, "AsyncHttpClient", "async-http-client-2-newest", "AsyncHttpClient", true));
        all.add(Arguments.of(17, "Vertx", "vertx-4-newest", "Vert.x", true));
        all.add(Arguments.of(17, "KtorCio", "ktor-3-newest", "Ktor CIO", true));
        all.add(Arguments.of(21, "Helidon", "helidon-newest", "Helidon WebClient", false));
        all.add(Arguments.of(17, "Pekko", "pekko-newest", "Pekko HTTP", true));
        all.add(Arguments.of(17, "Akka", "akka-newest", "Akka HTTP", true));
        return all.build();
    }

    /** Connections are open, requests on their way: they end as if nothing had happened, and the next ones are paced. */
    @ParameterizedTest
    @MethodSource("clientsInUse")
    void aClientInUse(int java, String adapter, String jars, String label, boolean async) throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        Server.Site slow = SERVER.site("127.61", exchange -> {
            if (!exchange.request().path().equals("/open")) {
                wait(answers);
            }
            exchange.status(200).send("slow");
        });
        Server.Site site = SERVER.site("127.61", Server.Script.status(200));
        Fork.Builder builder = Jvm.scraper(java);
        if (jars != null) {
            Source.jarsOf(jars).forEach(builder::classpath);
        }
        try (Scraper scraper = Scraper.start(builder, adapter)) {
            for (int i = 0; i < 3; i++) {
                assertEquals("200", scraper.get(site.url("/open")));
                assertEquals("200", scraper.get(slow.url("/open")));
            }
            List<String> inFlight = new ArrayList<>(List.of(scraper.begin(slow.url("/1")), scraper.begin(slow.url("/2"))));
            if (async) {
                inFlight.add(scraper.beginAsync(slow.url("/3")));
                inFlight.add(scraper.beginAsync(slow.url("/4")));
            }
            slow.await(3 + inFlight.size(), Jvm.LONG);

            Command attach = attach(scraper.fork, TWO_TOKENS);
            assertEquals(0, attach.exit(), attach::err);
            assertTrue(attach.lines().stream().anyMatch(l -> l.startsWith("  woven:       " + label + " ")), attach::out);

            assertEquals("200", scraper.get(site.url("/a")));
            answers.countDown();
            for (String call : inFlight) {
                assertEquals("200", scraper.join(call, Jvm.LONG));
            }
            assertEquals("200", async ? scraper.getAsync(site.url("/b")) : scraper.get(site.url("/b")));
            String rejected = adapter.equals("Helidon") ? "java.io.UncheckedIOException" : REJECTED; // whose cause it is
            assertEquals(rejected, scraper.get(site.url("/c")));
            if (async) {
                String what = scraper.getAsync(site.url("/d"));
                assertTrue(what.equals(REJECTED) || what.equals("java.util.concurrent.CompletionException"), what);
            }
            assertEquals("200", scraper.get(slow.url("/5")), "what was on its way took tokens");
            assertEquals(5, site.arrivals().size());
            String problems = scraper.fork.stderr().lines().filter(l -> l.contains("WARN ") || l.contains("An error inside")).toList()
                    .toString();
            assertEquals("[]", problems);
        }
    }

    private static void wait(CountDownLatch latch) {
        try {
            latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** In the middle of a crawl: no page is lost, and from then on the site sees the rate that was asked for. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurnFrom11")
    void inTheMiddleOfACrawlByWebMagic(int java) throws Exception {
        try (Site site = Site.start("--rate", "none", "--pages", "400", "--latency", "200-300");
                Fork fork = Jvm.on(java).jar(WEBMAGIC.toAbsolutePath().normalize(), site.url()
                        .toString(), "--pages", "350", "--threads", "4").start()) {
            Wait.until("the crawl is under way", fork, () -> site.arrivals().size() >= 20);
            long begun = System.nanoTime();
            Command attach = attach(fork, "exclude=-private", "rate=10", "burst=2", "user-agent.check=off");
            assertEquals(0, attach.exit(), attach::err);
            int before = site.arrivals().size();
            assertTrue(before < 300, "the crawl was over before the attach: " + before);
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<Arrival> all = site.arrivals();
            assertTrue(all.stream().allMatch(a -> a.status() < 400), all::toString);
            List<Arrival> after = all.subList(before + 4, all.size()); // four threads may have been on their way
            assertTrue(after.size() > 10, all::toString);
            double seconds = (after.get(after.size() - 1).nanos() - begun) / 1e9;
            assertTrue(after.size() <= 2 + 10 * seconds, after.size() + " pages within " + seconds + " s of the attach");
            assertTrue(fork.stderr().contains("Tempolimit: "), "no report: " + fork.stderr());
        }
    }

    /** {@code enabled=false} leaves everything alone, until somebody attaches. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void startsWhatWasLeftOff(int java) {
        Server.Site site = SERVER.site("127.62", Server.Script.status(200));
        for (Fork.Builder builder : List.of(Jvm.scraper(java).agent("enabled=false"), Jvm.scraper(java)
                .option("-Dtempolimit.enabled=false"))) {
            try (Scraper scraper = Scraper.start(builder, "UrlConnection")) {
                for (int i = 0; i < 3; i++) {
                    assertEquals("200", scraper.get(site.url("/")));
                }
                assertEquals("", scraper.fork.stderr());
                Command nothing = attach(scraper.fork, "enabled=false");
                assertEquals(0, nothing.exit(), nothing::err);
                assertTrue(nothing.out().contains("enabled=false: nothing is woven"), nothing::out);
                Command attach = attach(scraper.fork, SLOW_TOKENS);
                assertEquals(0, attach.exit(), attach::err);
                assertEquals("200", scraper.get(site.url("/")));
                assertEquals("200", scraper.get(site.url("/")));
                assertEquals(REJECTED, scraper.get(site.url("/")));
                assertEquals(0, attach(scraper.fork, "enabled=false").exit());
                assertEquals("200", scraper.get(site.url("/")));
                assertEquals(0, attach(scraper.fork, "enabled=true").exit());
                assertEquals(REJECTED, scraper.get(site.url("/")));
            }
        }
    }

    /**
     * An agent that was there from the start takes other settings, too; wrong ones change nothing, also those that only
     * the other JVM finds out.
     */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void onlyChangesSettingsWhereTheAgentRuns(int java) throws Exception {
        Server.Site site = SERVER.site("127.63", Server.Script.status(200));
        Path config = Source.folder().resolve("limits.json");
        Files.writeString(config, "{\"default_config\":{\"jitter\":0.5}}");
        try (Scraper scraper = Scraper.start(Jvm.scraper(java)
                .agent(String.join(",", TWO_TOKENS) + ",config=" + config), "UrlConnection")) {
            assertEquals("200", scraper.get(site.url("/")));
            Command faulty = attach(scraper.fork, "rate=0", "brst=3");
            assertEquals(1, faulty.exit(), faulty::out);
            assertEquals(2, Jvm.lines(faulty.err()).size(), faulty::err);
            assertTrue(faulty.err().contains("did you mean burst?"), faulty::err);
            Files.writeString(config, "{\"default_config\":{\"jitter\":2}}");
            Command faultyThere = attach(scraper.fork, "rate=100");
            assertEquals(1, faultyThere.exit(), faultyThere::out);
            assertTrue(faultyThere.err().contains("jitter"), faultyThere::err);
            Files.writeString(config, "{\"default_config\":{\"jitter\":0.5}}");
            assertEquals("200", scraper.get(site.url("/")));
            assertEquals(REJECTED, scraper.get(site.url("/")));
            Command good = attach(scraper.fork, "on-limit=wait", "rate=1000", "events=e.json");
            assertEquals(0, good.exit(), good::err);
            assertTrue(good.lines().containsAll(List.of("  The agent runs in that JVM already.",
                    "  changed:     on-limit=wait (was reject)",
                    "  changed:     rate=1000 (was 0.04)", "  not changed: events, which needs a restart")), good::out);
            for (int i = 0; i < 5; i++) {
                assertEquals("200", scraper.get(site.url("/")));
            }
            Command nothing = attach(scraper.fork);
            assertTrue(nothing.lines().contains("  Nothing has changed."), nothing::out);
            assertFalse(nothing.out().contains("not changed"), nothing::out);
        }
    }

    /** Settings that only its own environment makes faulty leave a JVM as it was, and running. */
    @Test
    void aFaultOfTheOtherJvmsOwnLeavesItAlone() {
        Server.Site site = SERVER.site("127.64", Server.Script.status(200));
        try (Scraper scraper = Scraper.start(Jvm.scraper(17).environment("TEMPOLIMIT_BURST", "none"), "UrlConnection")) {
            assertEquals("200", scraper.get(site.url("/")));
            Command attach = attach(scraper.fork, TWO_TOKENS);
            assertEquals(1, attach.exit(), attach::out);
            assertTrue(attach.err().contains("environment: TEMPOLIMIT_BURST=none: not a whole number"), attach::err);
            for (int i = 0; i < 5; i++) {
                assertEquals("200", scraper.get(site.url("/")));
            }
            assertEquals("", scraper.fork.stderr());
        }
    }

    @Test
    void filesAreTakenFromWhereTheCommandRuns() throws Exception {
        Path folder = Source.folder();
        Files.writeString(folder.resolve("limits.json"),
                "{\"default_config\":{\"requests_per_second\":0.02,\"burst_capacity\":1,\"on_limit\":\"reject\"}}");
        Server.Site site = SERVER.site("127.65", Server.Script.status(200));
        try (Scraper scraper = Scraper.start(Jvm.scraper(17), "UrlConnection");
                Fork command = Jvm.on(17).directory(folder).jar(Fork.agentJar(), "attach", String.valueOf(scraper.fork.pid()),
                        "config=limits.json", "events=events.json",
                        "exclude=-private", "user-agent.check=off").start()) {
            assertEquals("200", scraper.get(site.url("/")));
            assertEquals(0, command.exit(Jvm.LONG), command::stderr);
            assertEquals("200", scraper.get(site.url("/")));
            assertEquals(REJECTED, scraper.get(site.url("/")));
            assertEquals(0, scraper.end());
            List<String> events = Files.readAllLines(folder.resolve("events.json")).stream()
                    .map(l -> JsonParser.parseString(l).getAsJsonObject().get("event").getAsString()).toList();
            assertEquals(List.of("started", "client_woven", "rejected"), events);
        }
    }

    /** What is no JVM would be ended by the signal that asks it. */
    @Test
    void aProcessThatIsNoJvmIsNotHarmed() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "600").start();
        try {
            for (String command : List.of("attach", "status")) {
                Command c = Command.run(command, sleep.pid());
                assertEquals(3, c.exit(), c::err);
                assertTrue(c.err().startsWith("Process " + sleep.pid() + " is not a JVM"), c::err);
                assertTrue(sleep.isAlive());
            }
        } finally {
            sleep.destroyForcibly();
        }
    }

    /** Nor one that waits for that signal itself, as programs in Go do, which end then. */
    @Test
    void aProcessThatKnowsTheSignalIsNotHarmedEither() throws Exception {
        Process other = new ProcessBuilder("sh", "-c", "trap 'exit 9' QUIT; echo ready; while :; do sleep 1; done").start();
        try (var said = other.inputReader()) {
            assertEquals("ready", said.readLine());
            for (String command : List.of("attach", "status")) {
                Command c = Command.run(command, other.pid());
                assertEquals(3, c.exit(), c::err);
                assertTrue(c.err().startsWith("Process " + other.pid() + " is not a JVM"), c::err);
            }
            assertFalse(other.waitFor(1500, TimeUnit.MILLISECONDS), "it was asked by a signal");
        } finally {
            other.descendants().forEach(ProcessHandle::destroyForcibly);
            other.destroyForcibly();
        }
    }

    @Test
    void saysWhatIsWrong() {
        Command none = Command.run("attach", "999999999");
        assertEquals(3, none.exit());
        assertTrue(none.err().startsWith("There is no process 999999999."), none::err);
        Command word = Command.run("attach", "shop", "rate=1");
        assertEquals(2, word.exit());
        assertEquals(List.of("attach: shop is not a process id"), Jvm.lines(word.err()));
        Command missing = Command.run("attach");
        assertEquals(2, missing.exit());
        assertTrue(missing.err().startsWith("usage: "), missing::err);
        Command help = Command.run("attach", "--help");
        assertEquals(0, help.exit());
        assertTrue(help.out().startsWith("usage: ") && help.err().isEmpty(), help::err);
        Command old = Command.on(8, "attach", "1");
        assertEquals(3, old.exit());
        assertTrue(old.err().startsWith("attach needs Java 11 or later, and this is Java 1.8"), old::err);
    }

    /** Java 21 and later can forbid it. */
    @Test
    void saysWhenTheOtherJvmForbidsIt() {
        try (Scraper scraper = Scraper.start(Jvm.scraper(25).option("-XX:-EnableDynamicAgentLoading"), "UrlConnection")) {
            Command attach = attach(scraper.fork);
            assertEquals(3, attach.exit(), attach::out);
            assertTrue(attach.err().contains("Dynamic agent loading is not enabled"), attach::err);
        }
    }
}
