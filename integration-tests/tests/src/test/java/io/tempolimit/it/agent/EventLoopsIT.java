package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** BlockHound, an agent that notices when an event loop waits, has nothing to say of ours. */
class EventLoopsIT {
    private static final Server SERVER = Server.start();
    private static final int CALLS = 40;
    private static final int RATE = 50;
    /**
     * A lock that is held for microseconds makes who wants it park when its holder loses the processor meanwhile, on a
     * busy machine.
     */
    private static final String LOCK = "BriefLock.lock";
    /**
     * For which an event loop may park for it: who holds the lock may have to wait for a processor on a busy machine. And,
     * beyond that, for as long as the machine lets a thread wait that is to run.
     */
    private static final Duration BRIEF = Duration.ofMillis(100);
    private static final Path BLOCK_HOUND = Path.of("target", "other-agents", "blockhound.jar").toAbsolutePath();

    /** Which threads are event loops, and where one was about to wait since {@code watch} is set. */
    private static final String HOUND = """
            public class Hound implements reactor.blockhound.integration.BlockHoundIntegration {
                static final java.util.List<Throwable> HEARD = new java.util.concurrent.CopyOnWriteArrayList<>();
                static volatile boolean watch;
                static void watch() {
                    System.out.println("watching since " + java.time.Instant.now());
                    watch = true;
                }
                public void applyTo(reactor.blockhound.BlockHound.Builder builder) {
                    builder.nonBlockingThreadPredicate(loops -> loops.or(t -> t.getName().contains("eventloop") || t.getName().startsWith("reactor-http")));
                    builder.blockingMethodCallback(method -> {
                        if (watch) {
                            HEARD.add(new Throwable(method.toString()));
                        }
                    });
                }
                /** Says what of it was ours, since it was last asked. */
                static void tell() {
                    System.out.println("heard " + HEARD.size());
                    for (Throwable t : HEARD) {
                        String stack = java.util.Arrays.toString(t.getStackTrace());
                        if (stack.contains("empolimit")) {
                            System.out.println("ours " + t.getMessage() + " " + stack);
                        }
                    }
                    HEARD.clear();
                }
            }""";

    /** Begins many calls on an event loop, some of which are given up while they wait; at the end the loop sleeps, to be heard. */
    private static final String REACTOR = """
            import java.time.Duration;
            import reactor.core.publisher.*;
            import reactor.netty.http.client.HttpClient;
            public class Loops {
                static final HttpClient CLIENT = HttpClient.create().followRedirect(true);
                static Mono<?> get(String url) {
                    return CLIENT.get().uri(url).responseSingle((response, body) -> body.asString().defaultIfEmpty(""));
                }
                static void calls(String free, String url, int n) {
                    get(free).flatMap(onLoop -> Flux.range(0, n).flatMap(i -> get(url + i), n).then()).block(Duration.ofSeconds(60));
                    get(free).doOnNext(onLoop -> get(url + "unwanted").subscribe().dispose()).block(Duration.ofSeconds(60));
                }
                public static void main(String[] args) {
                    calls(args[0], args[1], 10);
                    Hound.watch();
                    calls(args[0], args[2], %1$d);
                    Hound.watch = false;
                    Hound.tell();
                    Hound.watch = true;
                    get(args[0]).doOnNext(onLoop -> { try { Thread.sleep(1); } catch (InterruptedException e) { } }).block();
                    Hound.tell();
                }
            }""".formatted(CALLS);
    private static final String VERTX = """
            import io.vertx.core.*;
            import io.vertx.core.http.*;
            import java.util.concurrent.*;
            public class Loops {
                static final Vertx VERTX = Vertx.vertx();
                static final HttpClient CLIENT = VERTX.createHttpClient();
                static io.vertx.core.Future<?> get(String url) {
                    return CLIENT.request(new RequestOptions().setAbsoluteURI(url).setFollowRedirects(true)).compose(r -> r.send().compose(HttpClientResponse::body));
                }
                static void calls(String free, String url, int n) throws Exception {
                    CountDownLatch done = new CountDownLatch(n);
                    VERTX.runOnContext(onLoop -> {
                        for (int i = 0; i < n; i++) {
                            get(url + i).onComplete(result -> done.countDown());
                        }
                    });
                    if (!done.await(60, TimeUnit.SECONDS)) {
                        throw new TimeoutException();
                    }
                }
                public static void main(String[] args) throws Exception {
                    calls(args[0], args[1], 10);
                    Hound.watch();
                    calls(args[0], args[2], %1$d);
                    Hound.watch = false;
                    Hound.tell();
                    Hound.watch = true;
                    CountDownLatch slept = new CountDownLatch(1);
                    VERTX.runOnContext(onLoop -> { try { Thread.sleep(1); } catch (InterruptedException e) { } finally { slept.countDown(); } });
                    slept.await();
                    Hound.tell();
                    VERTX.close();
                }
            }""".formatted(CALLS);

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @Test
    void vertx(@TempDir Path folder) throws Exception {
        isNeverHeard("vertx-5-newest", VERTX, folder.resolve("parks.jfr"));
    }

    @Test
    void reactorNetty(@TempDir Path folder) throws Exception {
        isNeverHeard("reactor-netty-newest", REACTOR, folder.resolve("parks.jfr"));
    }

    private static void isNeverHeard(String client, String program, Path parks) throws Exception {
        List<Path> classpath = new ArrayList<>(Source.jarsOf(client));
        classpath.add(BLOCK_HOUND);
        Path classes = Source.compile(17, classpath, HOUND, program);
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("reactor.blockhound.integration.BlockHoundIntegration"), "Hound");
        Server.Site free = SERVER.site("127.59", Server.Script.status(200));
        Server.Site warm = SERVER.site("127.58", Server.Script.status(200));
        Server.Site target = SERVER.site("127.58", Server.Script.status(200));
        Server.Site source = SERVER.site("127.58", Server.Script.redirect(target.url("/there")));
        // Since Java 13 it cannot put its own natives in the place of the JVM's without that option.
        long begin = System.nanoTime();
        try (Fork fork = Jvm.on(17).recordedAgent("exclude=-private;127.59.0.0/16,rate=" + RATE + ",burst=1,user-agent.check=off")
                .option("-javaagent:" + BLOCK_HOUND)
                .option("-XX:+AllowRedefinitionToAddDeleteMethods")
                .option("-XX:StartFlightRecording:settings=none,+jdk.ThreadPark#enabled=true,+jdk.ThreadPark#stackTrace=true,+jdk.ThreadPark#threshold=0ms,"
                        + "dumponexit=true,filename=" + parks).classpath(classes).classpath(classpath.toArray(Path[]::new))
                .main("Loops", free.url("/"), warm.url("/"), source.url("/")).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> lines = Jvm.lines(fork.stdout());
            assertEquals(List.of(), lines.stream().filter(line -> line.startsWith("ours") && !line.contains(LOCK)).toList());
            Instant since = Instant.parse(lines.stream().filter(line -> line.startsWith("watching")).findFirst().orElseThrow()
                    .substring("watching since ".length()));
            waitsForALockAreBrief(lines.stream().filter(line -> line.startsWith("ours") && line.contains(LOCK)).count(), parks, since,
                    fork.recording().hiccup(begin, System.nanoTime()));
            List<String> heard = lines.stream().filter(line -> line.startsWith("heard")).toList();
            assertTrue(heard.size() == 2 && !heard.get(1).equals("heard 0"), () -> "it hears nothing at all: " + fork.stdout()
                    + fork.stderr());
            assertTrue(source.arrivals().size() >= CALLS && target.arrivals().size() >= CALLS, () -> source.arrivals().size() + " "
                    + fork.stdout() + fork.stderr());
            // cold clients that are listened to bunch what they send: that they were held at all is shown elsewhere more closely
            List<Long> times = target.times();
            long took = times.get(times.size() - 1) - times.get(0);
            assertTrue(took >= (CALLS - 1) * 1_000_000_000L / RATE / 2, () -> CALLS + " calls took " + took + " ns");
        }
    }

    /** Flight Recorder tells how long event loops were parked for it, which the hound cannot. */
    private static void waitsForALockAreBrief(long heard, Path recording, Instant since, long hiccup) throws IOException {
        List<Duration> waits = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
            String thread = event.getThread() == null ? "" : event.getThread().getJavaName();
            if (event.getStartTime().isAfter(since) && thread != null
                    && (thread.contains("eventloop") || thread.startsWith("reactor-http")) && event.getStackTrace() != null
                    && event.getStackTrace().getFrames().stream()
                    .anyMatch(f -> (f.getMethod().getType().getName() + "." + f.getMethod().getName()).endsWith(LOCK))) {
                waits.add(event.getDuration());
            }
        }
        assertTrue(waits.size() >= heard, () -> "the recorder saw " + waits.size() + " waits for the lock, and the hound " + heard);
        Duration longest = waits.stream().max(Duration::compareTo).orElse(Duration.ZERO);
        assertTrue(longest.compareTo(BRIEF.plusNanos(hiccup)) <= 0, () -> "an event loop was parked " + waits.size() + " times, for up to "
                + longest
                + "; threads were woken up to " + hiccup / 1_000_000 + " ms late");
    }
}
