package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Javas;
import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Libraries that send through a woven client need nothing of their own, and each request counts once: as many arrive as the
 * agent has counted, as far apart as the bucket says, with the site's bytes and status.
 */
@Order(3)
@ParameterizedClass(name = "{0}")
@MethodSource("programs")
@Execution(ExecutionMode.CONCURRENT)
record RidingIT(Rides rides) {
    private static final Pacing PACING = new Pacing(10, 2);
    private static final int TOKENS = 3;
    private static final String FREE = "127.70";
    private static final String PACED = "127.71";
    private static final String REJECTING = "127.72";
    private static final String OPEN = "127.73";
    private static final String ARGUMENTS = "exclude=-private;" + FREE + ".0.0/16,rate=100,burst=100" + domain(PACED, 10, 2)
            + domain(REJECTING, 0.01, TOKENS)
            + ",domain." + REJECTING + ".0.0/16.on-limit=reject";

    private static final Server SERVER = Server.start();
    private static final Path CLIENTS = Path.of(System.getProperty("tempolimit.clients", "../clients")).toAbsolutePath().normalize();
    private static final Path PROGRAMS = Path.of(System.getProperty("tempolimit.programs", "../programs/target/classes")).toAbsolutePath()
            .normalize();
    private static final byte[] PAGE = ("<html><body>" + "<p>a page\u00e9</p>\n".repeat(200) + "</body></html>")
            .getBytes(StandardCharsets.UTF_8);

    /**
     * A library on a client.
     *
     * @param folder     its module among the clients
     * @param rider      its class among that module's programs, without {@code Rider}
     * @param on         what that class is told to send through
     * @param oldestJava the first Java that it runs on
     */
    private record Ride(String folder, String library, String client, String rider, String on, int oldestJava) {
        @Override
        public String toString() {
            return library + " on " + client;
        }
    }

    private static final List<Ride> ALL = List.of(
            new Ride("riding-spring", "RestTemplate", "HttpURLConnection", "RestTemplate", "url-connection", 17),
            new Ride("riding-spring", "RestTemplate", "JDK HttpClient", "RestTemplate", "jdk", 17),
            new Ride("riding-spring", "RestTemplate", "Apache HttpClient 5", "RestTemplate", "apache5", 17),
            new Ride("riding-spring", "RestTemplate", "Jetty HttpClient", "RestTemplate", "jetty", 17),
            new Ride("riding-spring", "RestTemplate", "Reactor Netty", "RestTemplate", "reactor-netty", 17),
            new Ride("riding-spring", "RestClient", "JDK HttpClient", "RestClient", "jdk", 17),
            new Ride("riding-spring", "RestClient", "Apache HttpClient 5", "RestClient", "apache5", 17),
            new Ride("riding-spring", "RestClient", "Jetty HttpClient", "RestClient", "jetty", 17),
            new Ride("riding-spring", "RestClient", "Reactor Netty", "RestClient", "reactor-netty", 17),
            new Ride("riding-spring", "WebClient", "Reactor Netty", "WebClient", "reactor-netty", 17),
            new Ride("riding-spring", "WebClient", "JDK HttpClient", "WebClient", "jdk", 17),
            new Ride("riding", "Feign", "OkHttp", "Feign", "okhttp", 8),
            new Ride("riding", "Feign", "Apache HttpClient 5", "Feign", "apache5", 8),
            new Ride("riding", "Retrofit", "OkHttp", "Retrofit", "okhttp", 8),
            new Ride("riding", "jsoup", "HttpURLConnection", "Jsoup", "url-connection", 8),
            new Ride("riding", "jsoup", "JDK HttpClient", "Jsoup", "jdk", 11),
            new Ride("riding", "HtmlUnit", "Apache HttpClient 4", "HtmlUnit", "apache4", 8),
            new Ride("riding", "google-http-client", "HttpURLConnection", "Google", "url-connection", 8),
            new Ride("riding", "google-http-client", "Apache HttpClient 4", "Google", "apache4", 8),
            new Ride("riding", "AWS SDK 2", "Apache HttpClient 4", "Aws", "apache4", 8),
            new Ride("riding", "AWS SDK 2", "HttpURLConnection", "Aws", "url-connection", 8),
            new Ride("riding", "WebMagic", "Apache HttpClient 4", "WebMagic", "apache4", 11),
            new Ride("riding", "crawler4j", "Apache HttpClient 4", "Crawler4j", "apache4", 8),
            new Ride("riding-stormcrawler", "StormCrawler", "Apache HttpClient 4", "StormCrawler", "apache4", 8),
            new Ride("riding-stormcrawler", "StormCrawler", "OkHttp", "StormCrawler", "okhttp", 8));

    /** A module's libraries on one Java, in one forked program. */
    static final class Rides {
        private final String folder;
        private final int java;
        private final StringBuilder table = new StringBuilder();
        private Program program;

        Rides(String folder, int java) {
            this.folder = folder;
            this.java = java;
        }

        /** Each on the oldest Java that it runs on, and on the newest. */
        Stream<Ride> all() {
            return ALL.stream().filter(ride -> ride.folder.equals(folder) && (ride.oldestJava == java || java == newest()));
        }

        Program program() {
            if (program == null) {
                Fork.Builder builder = Fork.on(Javas.require(java)).recordedAgent(ARGUMENTS)
                        .option("-Xmx256m").option("-XX:+UseSerialGC").option("-XX:TieredStopAtLevel=1")
                        .classpath(PROGRAMS, CLIENTS.resolve(folder).resolve("target/classes"))
                        .jarsOf(CLIENTS.resolve(folder).resolve("target/lib"));
                program = new Program(builder.main("io.tempolimit.it.programs.Main", "io.tempolimit.it.programs.RidingAdapter").start());
            }
            return program;
        }

        @Override
        public String toString() {
            return folder + " on Java " + java;
        }
    }

    static Stream<Rides> programs() {
        return ALL.stream().map(Ride::folder).distinct().flatMap(folder -> Javas.SUPPORTED.stream()
                .map(java -> new Rides(folder, java)).filter(rides -> rides.all().findAny().isPresent()));
    }

    private static int newest() {
        return Javas.SUPPORTED.get(Javas.SUPPORTED.size() - 1);
    }

    private static String domain(String network, double rate, int burst) {
        String domain = ",domain." + network + ".0.0/16.";
        return domain + "rate=" + rate + domain + "burst=" + burst;
    }

    @TestFactory
    @Execution(ExecutionMode.SAME_THREAD)
    Stream<DynamicTest> countOnce() {
        return rides.all().map(ride -> DynamicTest.dynamicTest(ride.toString(), () -> countsOnce(ride)));
    }

    private void countsOnce(Ride ride) throws Exception {
        Program program = rides.program();
        String client = program.open("rider=" + ride.rider + "Rider", "on=" + ride.on);
        Server.Site free = page(FREE);
        for (int i = 0; i < 3; i++) { // a cold one's first requests arrive late
            program.get(client, "sync", free.url("/")).join(Duration.ofSeconds(60)).expect(200);
        }
        String paced = paced(program, client);
        String tokens = tokens(program, client);
        String hops = hops(program, client);
        String blocks = blocks(program, client);
        rides.table.append(String.format("%-19s %-20s %4d  %-28s %-24s %-18s %s%n", ride.library, ride.client, rides.java, paced, tokens,
                hops, blocks));
        String log = program.fork().stderr();
        assertTrue(log.lines().noneMatch(l -> l.contains("WARN") && l.contains("not paced") || l.contains("An error inside Tempolimit")),
                log);
    }

    /** As far apart as the bucket says, and the page's bytes. */
    private static String paced(Program program, String client) {
        Server.Site site = page(PACED);
        long begun = System.nanoTime();
        for (int i = 0; i < 8; i++) {
            Program.Outcome outcome = program.send(client, site.url("/" + i)).expect(200);
            assertEquals(Program.Outcome.crc(PAGE, 1), outcome.get("crc"), outcome::toString);
        }
        assertEquals(8, site.arrivals().size());
        assertEquals(8, statistics(program, site).get("total_requests").getAsInt());
        PACING.checkSince(begun, site.times(), program.fork().recording().departures(site.host()));
        return "8 in " + (site.times().get(7) - begun) / 1_000_000 + " ms, 8 counted";
    }

    /** Each takes one token. */
    private static String tokens(Program program, String client) {
        Server.Site site = page(REJECTING);
        for (int i = 0; i < TOKENS; i++) {
            program.send(client, site.url("/" + i)).expect(200);
        }
        Program.Outcome more = program.get(client, "sync", site.url("/more")).join(Duration.ofSeconds(30));
        assertTrue(more.status() != 200, more::toString);
        assertEquals(TOKENS, site.arrivals().size());
        return TOKENS + " with " + TOKENS + " tokens, no more";
    }

    /** A redirect to another host costs a token of each. */
    private static String hops(Program program, String client) {
        Server.Site to = page(OPEN);
        Server.Site from = SERVER.site(OPEN, Server.Script.redirect(to.url("/to")));
        program.send(client, from.url("/")).expect(200);
        for (Server.Site site : List.of(from, to)) {
            assertEquals(1, site.arrivals().size());
            assertEquals(1, statistics(program, site).get("total_requests").getAsInt());
        }
        return "1 + 1 by redirect";
    }

    /** The status is seen, whatever the library makes of it, and what a client sends again by itself counts. */
    private static String blocks(Program program, String client) {
        Server.Site site = SERVER.site(OPEN, Server.Script.inTurn(Server.Script.status(429), Server.Script.status(200)));
        program.get(client, "sync", site.url("/")).join(Duration.ofSeconds(30));
        JsonObject statistics = statistics(program, site);
        assertEquals(1, statistics.get("blocked_requests").getAsInt(), statistics::toString);
        assertEquals(site.arrivals().size(), statistics.get("total_requests").getAsInt(), statistics::toString);
        return "1 block of " + site.arrivals().size();
    }

    private static Server.Site page(String network) {
        return SERVER.site(network, exchange -> exchange.header("Content-Type", "text/html; charset=utf-8").send(PAGE));
    }

    private static JsonObject statistics(Program program, Server.Site site) {
        return JsonParser.parseString(program.ask("statistics " + site.host())).getAsJsonObject();
    }

    @AfterParameterizedClassInvocation
    static void end(Rides rides) {
        if (rides.program != null) {
            rides.program.close();
        }
        System.err.print(String.format("%nWhat rides on the clients, as it ran%n%-19s %-20s %4s  %-28s %-24s %-18s %s%n",
                "library", "client", "Java", "paced at 10/s, burst 2", "tokens", "hops", "blocks") + rides.table);
    }
}
