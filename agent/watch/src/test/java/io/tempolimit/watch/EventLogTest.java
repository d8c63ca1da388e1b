package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EventLogTest {
    private final Scene scene = new Scene();
    private final Log log = scene.log();

    @TempDir
    Path dir;

    private static Event event(String name, Object... fields) {
        return new Event(name, "shop.example", "shop.example", false, fields);
    }

    private static List<JsonObject> parse(List<String> lines) {
        return lines.stream().map(l -> JsonParser.parseString(l).getAsJsonObject()).toList();
    }

    @Test
    void aLineOfAFile() throws Exception {
        Path file = dir.resolve("events.json");
        EventLog events = new EventLog(scene.options().events(file.toString(), 0), log);
        events.add(event("throttled", "wait_ms", 320L));
        events.add(new Event("warning", null, null, true, "message", null, "faults", List.of("a\"b", "c")));
        assertTrue(events.close(2000));
        List<String> lines = Files.readAllLines(file);
        assertTrue(lines.get(0).matches("\\{\"time\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\",\"event\":\"throttled\","
                + "\"key\":\"shop.example\",\"host\":\"shop.example\",\"wait_ms\":320}"), lines.get(0));
        assertTrue(lines.get(1).endsWith("\"event\":\"warning\",\"faults\":[\"a\\\"b\",\"c\"],\"dry_run\":true}"), lines.get(1));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void hostileValues() throws Exception {
        Path file = dir.resolve("events.json");
        EventLog events = new EventLog(scene.options().events(file.toString(), 0), log);
        String evil = "a\"b\\c\nd\r\u0000\u001b\u2028</script>\ud800\u00fc";
        events.add(new Event("blocked", evil, evil, false, "url", evil, "message", "x".repeat(1_000_000)));
        events.add(event("odd", "not json", new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException();
            }
        }));
        events.add(event("after"));
        assertTrue(events.close(2000));
        List<String> lines = Files.readAllLines(file);
        assertEquals(2, lines.size());
        JsonObject o = parse(lines).get(0);
        assertEquals(evil.replace('\ud800', '?'), o.get("host").getAsString());
        assertEquals(4099, o.get("message").getAsString().length());
        assertEquals("after", parse(lines).get(1).get("event").getAsString());
        assertEquals(1, scene.errLines().size());
    }

    @Test
    void theStreamsOfTheJvmsStart() {
        EventLog toOut = new EventLog(scene.options().events("stdout", 0), log);
        EventLog toErr = new EventLog(scene.options().events("stderr", 0), log);
        toOut.add(event("one"));
        toErr.add(event("two"));
        assertTrue(toOut.close(2000));
        assertTrue(toErr.close(2000));
        assertEquals("one", parse(scene.outText().lines().toList()).get(0).get("event").getAsString());
        assertEquals("two", parse(scene.errLines()).get(0).get("event").getAsString());
    }

    @Test
    void eachLineIsThereAtOnce() throws Exception {
        Path file = dir.resolve("events.json");
        EventLog events = new EventLog(scene.options().events(file.toString(), 0), log);
        events.add(event("one"));
        while (!Files.exists(file) || Files.readAllLines(file).size() < 1) {
            Thread.sleep(5);
        }
        events.close(2000);
    }

    @Test
    void rotation() throws Exception {
        Path file = dir.resolve("events.json");
        Path old = dir.resolve("events.json.1");
        EventLog events = new EventLog(scene.options().events(file.toString(), 2000), log);
        for (int i = 0; i < 100; i++) {
            events.add(event("throttled", "n", i));
        }
        assertTrue(events.close(2000));
        assertTrue(Files.size(file) <= 2000 && Files.size(old) <= 2000 && Files.size(old) > 1800);
        List<JsonObject> last = parse(Files.readAllLines(file));
        assertEquals(99, last.get(last.size() - 1).get("n").getAsInt());
        List<JsonObject> before = parse(Files.readAllLines(old));
        assertEquals(last.get(0).get("n").getAsInt() - 1, before.get(before.size() - 1).get("n").getAsInt());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        try (var files = Files.list(dir)) {
            assertEquals(2, files.count());
        }
        assertEquals("", scene.errText());
    }

    @Test
    void aLineLongerThanTheFileMayBe() throws Exception {
        Path file = dir.resolve("events.json");
        EventLog events = new EventLog(scene.options().events(file.toString(), 10), log);
        events.add(event("a"));
        events.add(event("b"));
        assertTrue(events.close(2000));
        assertEquals(1, Files.readAllLines(file).size());
        assertEquals(1, Files.readAllLines(dir.resolve("events.json.1")).size());
    }

    @Test
    void whatCannotBePutAsideGrowsOn() throws Exception {
        Path file = dir.resolve("events.json");
        Files.createDirectories(dir.resolve("events.json.1/full"));
        EventLog events = new EventLog(scene.options().events(file.toString(), 300), log);
        for (int i = 0; i < 50; i++) {
            events.add(event("throttled", "n", i));
        }
        assertTrue(events.close(2000));
        assertEquals(50, parse(Files.readAllLines(file)).size());
        assertEquals(1, scene.errLines().size(), scene.errText());
        assertTrue(scene.errText().contains("cannot be renamed"), scene.errText());
    }

    @Test
    void appendsAfterACrashInTheMiddleOfALine() throws Exception {
        Path file = dir.resolve("events.json");
        Files.writeString(file, "{\"event\":\"whole\"}\n{\"event\":\"ha");
        EventLog events = new EventLog(scene.options().events(file.toString(), 0), log);
        events.add(event("next"));
        assertTrue(events.close(2000));
        List<String> lines = Files.readAllLines(file);
        assertEquals(3, lines.size());
        assertEquals("next", parse(lines.subList(2, 3)).get(0).get("event").getAsString());
    }

    @Test
    void aFileThatCannotBeWrittenIsOneWarning() {
        for (String target : new String[] {dir.toString(), dir.resolve("no/such").toString(), ""}) {
            scene.errBytes.reset();
            EventLog events = new EventLog(scene.options().events(target, 0), log, 4);
            for (int i = 0; i < 20; i++) {
                events.add(event("a"));
            }
            assertTrue(events.close(2000));
            events.add(event("late"));
            assertEquals(1, scene.errLines().size(), scene.errText());
            assertTrue(scene.errText().contains("WARN events cannot be written to " + target), scene.errText());
        }
    }

    @Test
    void aFullDiskIsOneWarning() {
        Assumptions.assumeTrue(new File("/dev/full").exists());
        EventLog events = new EventLog(scene.options().events("/dev/full", 10), log);
        for (int i = 0; i < 100; i++) {
            events.add(event("a"));
        }
        assertTrue(events.close(2000));
        assertEquals(1, scene.errLines().size(), scene.errText());
        assertTrue(scene.errText().contains("No space left on device"), scene.errText());
    }

    @Test
    void aClosedStreamIsOneWarning() {
        PrintStream closed = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        });
        EventLog events = new EventLog(new Options(scene.err, closed, "v").events("stdout", 0), log);
        for (int i = 0; i < 100; i++) {
            events.add(event("a"));
        }
        assertTrue(events.close(2000));
        assertEquals(1, scene.errLines().size(), scene.errText());
    }

    /** A stream that lets through as many writes as it is told. */
    private static final class Slow extends OutputStream {
        final Semaphore permits = new Semaphore(0);
        final java.io.ByteArrayOutputStream got = new java.io.ByteArrayOutputStream();
        final CountDownLatch waiting = new CountDownLatch(1);

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] b, int from, int n) {
            waiting.countDown();
            permits.acquireUninterruptibly();
            got.write(b, from, n);
        }
    }

    @Test
    void aSlowReaderHoldsNobodyUpAndTheLostAreCounted() throws Exception {
        Slow slow = new Slow();
        EventLog events = new EventLog(new Options(scene.err, new PrintStream(slow), "v").events("stdout", 0), log, 10);
        events.add(new Event("first", null, null, true));
        slow.waiting.await();
        long start = System.nanoTime();
        for (int i = 0; i < 1000; i++) {
            events.add(new Event("a", null, null, true));
        }
        assertTrue(System.nanoTime() - start < 10_000_000_000L);
        slow.permits.release(1000);
        assertTrue(events.close(2000));
        List<JsonObject> got = parse(slow.got.toString().lines().toList());
        assertEquals(12, got.size());
        JsonObject last = got.get(11);
        assertEquals("warning", last.get("event").getAsString());
        assertTrue(last.get("message").getAsString().startsWith("990 events were lost"), last.toString());
        assertTrue(last.get("dry_run").getAsBoolean());
        assertEquals(1, scene.errLines().size(), scene.errText());
        assertTrue(scene.errText().contains("WARN events: 990 events were lost"), scene.errText());
    }

    @Test
    void closingDoesNotWaitForEver() throws Exception {
        Slow slow = new Slow();
        EventLog events = new EventLog(new Options(scene.err, new PrintStream(slow), "v").events("stdout", 0), log, 2);
        events.add(event("a"));
        slow.waiting.await();
        for (int i = 0; i < 5; i++) {
            events.add(event("a"));
        }
        long start = System.nanoTime();
        assertFalse(events.close(200));
        long ms = (System.nanoTime() - start) / 1_000_000;
        assertTrue(ms >= 190 && ms < 20_000, ms + " ms");
        slow.permits.release(1000);
    }

    @Test
    void anInterruptDoesNotEndIt() throws Exception {
        Path file = dir.resolve("events.json");
        EventLog events = new EventLog(scene.options().events(file.toString(), 0), log);
        Thread writer = Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().equals("tempolimit-events") && t.isAlive()).findAny().orElseThrow();
        assertTrue(writer.isDaemon());
        assertEquals(null, writer.getContextClassLoader());
        writer.interrupt(); // taken note of before the event is, whenever the writer looks
        events.add(event("a"));
        assertTrue(events.close(2000));
        assertEquals(1, Files.readAllLines(file).size());
        assertEquals("", scene.errText());
    }

    @Test
    void manyThreads() throws Exception {
        Path file = dir.resolve("events.json");
        EventLog events = new EventLog(scene.options().events(file.toString(), 100_000), log, 100_000);
        Thread[] threads = new Thread[8];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    events.add(event("throttled", "wait_ms", 1L));
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        assertTrue(events.close(10_000));
        parse(Files.readAllLines(file));
        assertEquals("", scene.errText());
    }
}
