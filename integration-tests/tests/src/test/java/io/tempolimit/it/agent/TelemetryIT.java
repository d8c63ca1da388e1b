package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A telemetry agent beside ours, whichever comes first: its headers and our pace both hold, and what it sends itself is
 * no scraper's traffic.
 */
class TelemetryIT {
    private static final Server SERVER = Server.start();
    private static final Pacing PACING = new Pacing(4, 1);
    /** Leaves one network alone, to warm up, and paces one; whatever goes to the third a second time would be rejected. */
    private static final String ARGUMENTS = "exclude=-private;127.54.0.0/16,rate=4,burst=1,user-agent.check=off"
            + ",domain.127.53.0.0/16.rate=0.02,domain.127.53.0.0/16.on-limit=reject";
    private static final String[] CLIENTS = {"UrlConnection", "Jdk", "OkHttp", "Apache5", "Apache5Async"};
    private static final Path PROGRAMS = Path.of(System.getProperty("tempolimit.programs", "../programs/target/classes")).toAbsolutePath()
            .normalize();

    /** Arguments: where to warm up; then a client and a URL, and so on. Sends three requests with each. */
    private static final Path PROGRAM = Source.compile(8, List.of(PROGRAMS), """
            import io.tempolimit.it.programs.Adapter;
            import java.util.HashMap;
            public class Traced {
                public static void main(String[] args) throws Exception {
                    for (int i = 1; i < args.length; i += 2) {
                        Adapter adapter = (Adapter) Class.forName("io.tempolimit.it.programs." + args[i] + "Adapter").getDeclaredConstructor().newInstance();
                        Adapter.Http client = adapter.open(new HashMap<String, String>());
                        for (int n = -3; n < 3; n++) {
                            Adapter.Reply reply = client.send(new Adapter.Request("GET", n < 0 ? args[0] : args[i + 1] + n, false));
                            System.out.println(args[i] + " " + reply.status);
                            while (reply.body.read() >= 0) { }
                            reply.body.close();
                        }
                        client.close();
                    }
                }
            }""");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** Each order on one Java; with -Pmatrix on all. */
    static Stream<Arguments> orders() {
        return Jvm.MATRIX ? Jvm.all().filter(java -> java >= 11).boxed()
                .flatMap(java -> Stream.of(Arguments.of(java, true), Arguments.of(java, false)))
                : Stream.of(Arguments.of(11, true), Arguments.of(25, false));
    }

    @ParameterizedTest(name = "on Java {0}, ours first: {1}")
    @MethodSource("orders")
    void bothWork(int java, boolean oursFirst) {
        Server.Site collector = SERVER.site("127.53", Server.Script.status(200));
        List<Server.Site> sources = new ArrayList<>();
        List<Server.Site> targets = new ArrayList<>();
        Server.Site warm = SERVER.site("127.54", Server.Script.status(200));
        List<String> arguments = new ArrayList<>(List.of(SERVER.site("127.54", Server.Script.redirect(warm.url("/"))).url("/")));
        for (String client : CLIENTS) {
            Server.Site target = SERVER.site("127.52", Server.Script.status(200));
            Server.Site source = SERVER.site("127.52", Server.Script.redirect(target.url("/there")));
            sources.add(source);
            targets.add(target);
            arguments.addAll(List.of(client, source.url("/")));
        }
        Fork.Builder builder = Jvm.on(java);
        if (oursFirst) {
            builder.recordedAgent(ARGUMENTS);
        }
        builder.option("-javaagent:" + Path.of("target", "other-agents", "opentelemetry-javaagent.jar").toAbsolutePath())
                .option("-Dotel.metrics.exporter=none").option("-Dotel.logs.exporter=none").option("-Dotel.traces.exporter=otlp")
                .option("-Dotel.exporter.otlp.protocol=http/protobuf").option("-Dotel.exporter.otlp.endpoint=" + collector.url(""))
                .option("-Dotel.bsp.schedule.delay=200");
        if (!oursFirst) {
            builder.recordedAgent(ARGUMENTS);
        }
        builder.classpath(PROGRAM, PROGRAMS);
        for (String folder : new String[] {"okhttp-4-newest", "apache-5-newest"}) {
            builder.jarsOf(Source.jarsOf(folder).get(0).getParent());
        }
        long before = System.nanoTime(); // no request of a client's before that
        try (Fork fork = builder.main("Traced", arguments.toArray(String[]::new)).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            for (int i = 0; i < CLIENTS.length; i++) {
                for (Server.Site site : List.of(sources.get(i), targets.get(i))) {
                    assertEquals(3, site.arrivals().size(), CLIENTS[i] + "\n" + fork.stdout() + fork.stderr());
                    PACING.checkSince(before, site.times(), fork.recording().departures(site.host()));
                    for (Server.Arrival arrival : site.arrivals()) {
                        assertTrue(arrival.header("traceparent") != null, CLIENTS[i] + " sent " + arrival.path() + " without a trace: "
                                + arrival.headers());
                    }
                }
                before = targets.get(i).times().get(2);
            }
            assertTrue(collector.await(3, Jvm.LONG).size() >= 3);
            assertEquals(List.of(), Jvm.lines(fork.stderr()).stream()
                    .filter(l -> l.contains("WARN") || l.contains("ERROR") || l.contains("\tat ")).toList());
        }
    }
}
