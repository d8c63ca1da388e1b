package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTest {
    private static final String DATE = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d ";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private long now = Long.MAX_VALUE - 5; // a clock may overflow

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static void assertLine(String text, String line) {
        assertTrue(line.matches(DATE + Pattern.quote(text)), line);
    }

    @Test
    void theFormOfALine() {
        Log log = new Log(err, "debug", null);
        log.warn("text {} with %s $1");
        log.info("i");
        log.error("e");
        log.debug("d");
        assertLine("[tempolimit] WARN text {} with %s $1", lines().get(0));
        assertLine("[tempolimit] INFO i", lines().get(1));
        assertLine("[tempolimit] ERROR e", lines().get(2));
        assertLine("[tempolimit] DEBUG d", lines().get(3));
    }

    @Test
    void levels() {
        for (String level : new String[] {"trace", "debug", "info", "warn", "error", "off"}) {
            bytes.reset();
            Log log = new Log(err, level, null);
            log.debug("d");
            log.info("i");
            log.warn("w");
            log.error("e");
            log.onceAMinute("k", "o", null);
            int expected = switch (level) {
                case "trace", "debug" -> 5;
                case "info" -> 4;
                case "warn" -> 3;
                case "error" -> 2;
                default -> 0;
            };
            assertEquals(expected, lines().size(), level);
        }
        assertFalse(new Log(err, "WARN", null).isInfo());
        assertTrue(new Log(err, "no such level", null).isInfo());
    }

    @Test
    void everythingIsOnOneLine() {
        Log log = new Log(err, "info", null);
        log.info("a\nb\r\nc\td\u2028e\u001b[31mf\u202eg\u0085h\u0000i \u00fc");
        log.info(null);
        log.info("x".repeat(1_000_000));
        assertEquals(3, lines().size());
        assertLine("[tempolimit] INFO a b  c d?e?[31mf?g?h?i \u00fc", lines().get(0));
        assertLine("[tempolimit] INFO null", lines().get(1));
        assertTrue(lines().get(2).length() < 4100);
    }

    @Test
    void theApplicationsSystemErrIsNotOurs() {
        PrintStream before = System.err;
        ByteArrayOutputStream theirs = new ByteArrayOutputStream();
        Log log = new Log(err, "info", null);
        try {
            System.setErr(new PrintStream(theirs, true));
            log.info("one");
            log.info("two");
        } finally {
            System.setErr(before);
        }
        assertEquals(0, theirs.size());
        assertEquals(2, lines().size());
    }

    @Test
    void twoLogsDoNotMix(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("a.log");
        Log one = new Log(err, "info", null);
        Log two = new Log(err, "debug", file.toString());
        one.info("one");
        two.debug("two");
        one.debug("none");
        assertEquals(1, lines().size());
        assertEquals(1, Files.readAllLines(file).size());
    }

    @Test
    void aFileIsAppendedToAndPrivate(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("a.log");
        new Log(err, "info", file.toString());
        assertFalse(Files.exists(file), "not before the first line");
        new Log(err, "info", file.toString()).info("one \u00fc");
        new Log(err, "info", file.toString()).info("two");
        List<String> written = Files.readAllLines(file);
        assertEquals(2, written.size());
        assertLine("[tempolimit] INFO one \u00fc", written.get(0));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(0, bytes.size());

        Path theirs = dir.resolve("b.log");
        Files.createFile(theirs, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
        new Log(err, "info", theirs.toString()).info("one");
        assertEquals("rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(theirs)));
    }

    @Test
    void aFileThatCannotBeWrittenIsOneWarning(@TempDir Path dir) {
        for (String file : new String[] {dir.toString(), dir.resolve("no/such/dir").toString(), "", "a\u0000b"}) {
            bytes.reset();
            Log log = new Log(err, "info", file);
            log.info("one");
            log.info("two");
            assertEquals(3, lines().size(), lines()::toString);
            assertTrue(lines().get(0).contains("WARN log.file cannot be written: "), lines().get(0));
            assertLine("[tempolimit] INFO one", lines().get(1));
            assertLine("[tempolimit] INFO two", lines().get(2));
        }
    }

    @Test
    void aFullDiskIsOneWarningAndNoLineIsLost() {
        Assumptions.assumeTrue(new File("/dev/full").exists());
        Log log = new Log(err, "info", "/dev/full");
        log.info("one");
        log.info("two");
        assertEquals(3, lines().size(), lines()::toString);
        assertTrue(lines().get(0).contains("WARN log.file cannot be written any more"), lines().get(0));
        assertLine("[tempolimit] INFO one", lines().get(1));
        assertLine("[tempolimit] INFO two", lines().get(2));
    }

    @Test
    void neverThrows() {
        PrintStream broken = new PrintStream(OutputStream.nullOutputStream()) {
            @Override
            public void print(String s) {
                throw new IllegalStateException();
            }
        };
        Log log = new Log(broken, "debug", null);
        log.info("a");
        log.onceAMinute(null, null, null);
        log.onceAMinute("k", "t", new RuntimeException() {
            @Override
            public String getMessage() {
                throw new StackOverflowError();
            }
        });
    }

    @Test
    void errorsOnceAMinute() {
        Log log = new Log(err, "info", null, () -> now);
        Exception e = new IllegalStateException("bad\nthing");
        for (int i = 0; i < 10; i++) {
            log.onceAMinute("a", "An error", e);
            log.onceAMinute("b", "Another", null);
            now += 1_000_000_000;
        }
        assertEquals(2, lines().size());
        assertLine("[tempolimit] ERROR An error: java.lang.IllegalStateException: bad thing", lines().get(0));
        assertLine("[tempolimit] ERROR Another", lines().get(1));
        now += 50_000_000_000L;
        log.onceAMinute("a", "An error", e);
        assertLine("[tempolimit] ERROR An error: java.lang.IllegalStateException: bad thing (and 9 more since the last such line)", lines().get(2));
    }

    @Test
    void manyKindsOfErrorsDoNotFillTheMemory() {
        Log log = new Log(err, "info", null, () -> now);
        for (int i = 0; i < 10_000; i++) {
            log.onceAMinute("k" + i, "An error", null);
        }
        assertEquals(65, lines().size());
    }

    @Test
    void aStackTraceAtDebugOnly() {
        Exception e = new IllegalStateException("outer", new RuntimeException("inner\nline"));
        new Log(err, "info", null).onceAMinute("a", "An error", e);
        assertEquals(1, lines().size());
        bytes.reset();
        new Log(err, "debug", null).onceAMinute("a", "An error", e);
        assertTrue(lines().get(1).startsWith("    at io.tempolimit.watch.LogTest.aStackTraceAtDebugOnly(LogTest.java:"), lines().get(1));
        assertTrue(lines().contains("caused by java.lang.RuntimeException: inner line"), lines()::toString);
    }

    @Test
    void aCircleOfCauses() {
        RuntimeException a = new RuntimeException("a");
        a.initCause(new RuntimeException("b", a));
        new Log(err, "debug", null).onceAMinute("a", "An error", a);
        assertTrue(lines().size() < 1000);
    }

    @Test
    void errorsThatQuoteUrlsKeepNoSecrets() {
        assertEquals("no protocol: //x", Log.withoutSecrets("no protocol: //x"));
        assertEquals("Really? Yes", Log.withoutSecrets("Really? Yes"));
        assertEquals("at https://***@h.example/a?...", Log.withoutSecrets("at https://me:secret@h.example/a?token=1 b"));
        assertEquals("at https://***@h and ftp://***@i/", Log.withoutSecrets("at https://me:s@cret@h and ftp://u@i/"));
        assertEquals("index 5: /p?...", Log.withoutSecrets("index 5: /p?q=a b"));
    }

    @Test
    void manyThreads() throws Exception {
        Log log = new Log(err, "info", null);
        Thread[] threads = new Thread[8];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 500; i++) {
                    log.info("a line of some length, so that two of them would show if they were mixed");
                    log.onceAMinute("k", "once", null);
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        assertEquals(4001, lines().size());
        assertTrue(lines().stream().allMatch(l -> l.matches(DATE + "\\[tempolimit\\] (INFO a line.*mixed|ERROR once)")));
    }
}
