package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What others may do to the event log's file meanwhile. */
@Timeout(60)
class LinesTest {
    private final Scene scene = new Scene();
    private final Log log = scene.log();

    @TempDir
    Path dir;

    private Lines.ToFile open(Path file, long maxSize) throws IOException {
        return new Lines.ToFile("events", file.toFile(), maxSize, log);
    }

    private static byte[] line(Object text) {
        return (text + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void whoDeletesTheFileGetsANewOne() throws Exception {
        Path file = dir.resolve("events.json");
        Lines lines = open(file, 1000);
        Files.delete(file); // before the first line, too
        lines.write(line("a"));
        lines.write(line("b"));
        assertEquals(List.of("a", "b"), Files.readAllLines(file));
        Files.delete(file);
        lines.write(line("c"));
        assertEquals(List.of("c"), Files.readAllLines(file));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        lines.close();
    }

    @Test
    void whoPutsItAsideGetsTheNextLinesInANewOne() throws Exception {
        Path file = dir.resolve("events.json");
        Lines lines = open(file, 0);
        lines.write(line("a"));
        Files.move(file, dir.resolve("yesterday"));
        lines.write(line("b"));
        assertEquals(List.of("a"), Files.readAllLines(dir.resolve("yesterday")));
        assertEquals(List.of("b"), Files.readAllLines(file));
        lines.close();
    }

    @Test
    void aFileThatSomebodyEmptiesHasAllItsRoomAgain() throws Exception {
        Path file = dir.resolve("events.json");
        Lines lines = open(file, 10);
        lines.write(line("1234"));
        Files.write(file, new byte[0]);
        lines.write(line("5678"));
        lines.write(line("abcd"));
        assertEquals(List.of("5678", "abcd"), Files.readAllLines(file));
        assertFalse(Files.exists(dir.resolve("events.json.1")));
        lines.close();
    }

    @Test
    void aFolderThatVanishesAndComesBack() throws Exception {
        Path folder = Files.createDirectory(dir.resolve("logs"));
        Path file = folder.resolve("events.json");
        Lines lines = open(file, 1000);
        lines.write(line("a"));
        Files.delete(file);
        Files.delete(folder);
        assertThrows(IOException.class, () -> lines.write(line("b")));
        assertThrows(IOException.class, () -> lines.write(line("c")));
        Files.createDirectory(folder);
        lines.write(line("d"));
        assertEquals(List.of("d"), Files.readAllLines(file));
        lines.close();
    }

    /** As with a launcher script and JAVA_TOOL_OPTIONS. Each JVM has its own view of when the file is full. */
    @Test
    void twoJvmsWithOneFileLoseNothing() throws Exception {
        Path file = dir.resolve("events.json");
        Path old = dir.resolve("events.json.1");
        Lines one = open(file, 100);
        Lines two = open(file, 100);
        List<String> written = new ArrayList<>();
        List<String> gone = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            List<String> before = Files.exists(old) ? Files.readAllLines(old) : List.of();
            String text = "line " + (1000 + i);
            (i % 3 == 0 ? one : two).write(line(text));
            written.add(text);
            List<String> now = Files.exists(old) ? Files.readAllLines(old) : List.of();
            if (!now.isEmpty() && !before.isEmpty() && !now.get(0).equals(before.get(0))) { // another one has been put aside
                gone.addAll(before);
            }
            assertTrue(Files.size(file) <= 100, "it grows: " + Files.size(file));
        }
        List<String> all = new ArrayList<>(gone);
        all.addAll(Files.readAllLines(old));
        all.addAll(Files.readAllLines(file));
        assertEquals(written.size(), all.size(), all::toString);
        assertTrue(all.containsAll(written), all::toString);
        one.close();
        two.close();
    }

    @Test
    void theReaderOfAPipeMayLeaveAndComeBack() throws Exception {
        Path pipe = dir.resolve("events.json");
        try {
            Assumptions.assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
        } catch (IOException e) {
            Assumptions.abort("no mkfifo here");
        }
        String script = "head -2 \"$0\"; echo; cat \"$0\"";
        Process reader = new ProcessBuilder("sh", "-c", script, pipe.toString()).start();
        try (BufferedReader read = reader.inputReader()) {
            Lines lines = open(pipe, 5); // waits for the reader
            lines.write(line("a"));
            lines.write(line("b"));
            assertEquals("a", read.readLine());
            assertEquals("b", read.readLine());
            assertEquals("", read.readLine());
            for (;;) { // until there is a reader again
                try {
                    lines.write(line("c"));
                    break;
                } catch (IOException brokenPipe) {
                    Thread.sleep(5);
                }
            }
            lines.close();
            assertEquals("c", read.readLine());
        } finally {
            reader.destroyForcibly();
        }
        try (var files = Files.list(dir)) {
            assertEquals(1, files.count());
        }
    }

    @Test
    void aFileBehindALinkIsPrivateToo() throws Exception {
        Path real = dir.resolve("real");
        Path link = Files.createSymbolicLink(dir.resolve("events.json"), real);
        Lines lines = open(link, 0);
        lines.write(line("a"));
        lines.close();
        assertEquals(List.of("a"), Files.readAllLines(real));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(real)));
    }
}
