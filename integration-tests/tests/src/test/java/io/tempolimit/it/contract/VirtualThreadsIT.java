package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Javas;
import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Thousands of virtual threads wait on two carriers in a small heap, none of which is held. */
@Order(1)
class VirtualThreadsIT {
    private static final Server SERVER = Server.start();
    private static final Pacing PACING = new Pacing(1000, 5);

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /**
     * On Java 21, where more pins a thread than later; with -Pmatrix on Java 25, too. The JDK's client goes through all idle connections
     * for each request, so without -Pmatrix it has fewer threads.
     */
    static Stream<Arguments> clients() {
        return Stream.of(21, 25).filter(java -> Cell.MATRIX || java == 21).flatMap(java -> Stream.of(
                Arguments.of("UrlConnection", java, 10_000), Arguments.of("Jdk", java, Cell.MATRIX ? 10_000 : 2_500)));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void wait(String client, int java, int threads, @TempDir Path folder) throws IOException {
        Path recording = folder.resolve("pinned.jfr");
        Fork.Builder builder = Fork.on(Javas.require(java)).recordedAgent("exclude=-private;127.57.0.0/16,rate=1000,burst=5")
                .option("-Djdk.virtualThreadScheduler.parallelism=2")
                .option("-XX:StartFlightRecording:settings=none,+jdk.VirtualThreadPinned#enabled=true,+jdk.VirtualThreadPinned#stackTrace=true,"
                        + "+jdk.VirtualThreadPinned#threshold=0ms,dumponexit=true,filename=" + recording)
                .option("-Xmx256m").option("-XX:+UseSerialGC").option("-XX:TieredStopAtLevel=1").classpath(Cell.PROGRAMS);
        try (Program program = new Program(builder.main("io.tempolimit.it.programs.Main", "io.tempolimit.it.programs." + client + "Adapter")
                .start())) {
            Server.Site free = SERVER.site("127.57", Server.Script.status(200));
            Server.Site paced = SERVER.site("127.56", Server.Script.status(200));
            String name = program.open();
            for (Server.Site warm : List.of(free, SERVER.site("127.56", Server.Script.status(200)))) {
                program.many(name, "virtual", 200, 1, warm.url("/")).allOk(Duration.ofSeconds(30));
            }
            long begun = System.nanoTime();
            Instant begin = Instant.now(); // while a class is loaded for the first time every thread is pinned, whosever the class
            Program.Calls calls = program.many(name, "virtual", threads, 1, paced.url("/"));
            int gone = paced.arrivals().size();
            assertTrue(gone < threads / 2, () -> "most have gone already: " + gone); // else it shows nothing
            program.get(name, "virtual", free.url("/beside")).join().expect(200);
            paced.await(threads, Duration.ofMinutes(15)); // milliseconds of CPU each, beside whatever else runs
            calls.allOk(Contract.PATIENCE);
            assertEquals(threads, paced.arrivals().size());
            PACING.checkSince(begun, paced.times(), program.fork().recording().departures(paced.host()));
            program.fork().tell("end");
            assertEquals(0, program.fork().exit(Duration.ofSeconds(30)), program.fork()::stderr);
            assertEquals(List.of(), pinnedInTheAgent(recording, begin));
        }
    }

    /**
     * But not where the JDK pins by itself, for a microsecond: while a thread takes a collected reference out of its
     * queue, and the collector puts another in.
     */
    private static List<String> pinnedInTheAgent(Path recording, Instant begin) throws IOException {
        assertTrue(Files.size(recording) > 0);
        List<String> pinned = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
            if (event.getEventType().getName().equals("jdk.VirtualThreadPinned") && event.getStartTime().isAfter(begin)
                    && event.getStackTrace().getFrames().stream().map(f -> f.getMethod().getType().getName())
                    .anyMatch(name -> name.contains("empolimit") && !name.startsWith("io.tempolimit.it."))
                    && !event.getStackTrace().getFrames().get(0).getMethod().getType().getName().equals("java.lang.ref.ReferenceQueue")) {
                pinned.add(event.toString());
            }
        }
        return pinned;
    }
}
