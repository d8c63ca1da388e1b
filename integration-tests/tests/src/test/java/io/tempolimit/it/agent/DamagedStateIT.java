package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A state file that is damaged, in whatever way, costs what was known, and not the pacing. */
class DamagedStateIT {
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** gson speaks of a class that the jar does not have where a number is due. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void textWhereANumberIsDue(int java) throws IOException {
        isPutAside(java, Files.writeString(state(), "{\"version\":\"1.0.0\"}"), false);
        isPutAside(java, Files.writeString(state(), "{\"version\":1,\"keys\":[{\"key\":\"a.example\",\"time\":{}}]}"), false);
        isPutAside(java, Files.writeString(state(), "{\"version\":true}"), false);
    }

    /** 65 MB of one text, and of many hosts; the JVM ends at the first OutOfMemoryError. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void moreThanTheHeapCanTake(int java) throws IOException {
        byte[] text = new byte[65 << 20];
        Arrays.fill(text, (byte) 'x');
        byte[] begin = "{\"version\":1,\"keys\":[{\"key\":\"".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(begin, 0, text, 0, begin.length);
        isPutAside(java, Files.write(state(), text), true);
    }

    private static Path state() {
        return Source.folder().resolve("state");
    }

    private static void isPutAside(int java, Path state, boolean small) throws IOException {
        long length = Files.size(state);
        Server.Site site = SERVER.site("127.77", Server.Script.status(200));
        try (Scraper scraper = Scraper.start(Jvm.scraper(java).option(small ? "-Xmx128m" : "-Xmx256m")
                .option("-XX:+ExitOnOutOfMemoryError").agent(Jvm.ONE_TOKEN + ",state=" + state), "UrlConnection")) {
            assertEquals("200", scraper.get(site.url("/")), scraper.fork::stderr);
            assertEquals("io.tempolimit.RequestRejectedException", scraper.get(site.url("/")), scraper.fork::stderr);
            assertEquals(0, scraper.end(), scraper.fork::stderr);
            List<String> warnings = Jvm.lines(scraper.fork.stderr()).stream().filter(l -> l.contains(" WARN ")).toList();
            assertEquals(1, warnings.size(), scraper.fork::stderr);
            assertTrue(warnings.get(0).contains("it is state.bad now"), scraper.fork::stderr);
        }
        assertEquals(length, Files.size(Path.of(state + ".bad")), "the bad one");
        assertTrue(Files.readString(state).contains(site.host()), "what was used up since");
    }
}
