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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTest {
    private static final String DATE = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d ";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private long now = Long.MAX_VALUE - 5; // a clock may overflow

    private final List<Log> logs = new ArrayList<>();

    private Log log(String level, String file) {
        Log log = new Log(err, level, file, 100L << 20, () -> now);
        logs.add(log);
        return log;
    }

    private void flush() {
        logs.forEach(l -> l.flush(60_000));
    }

    private List<String> lines() {
        flush();
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static void assertLine(String text, String line) {
        assertTrue(line.matches(DATE + Pattern.quote(text)), line);
    }

    @Test
    void theFormOfALine() {
        Log log = log("debug", null);
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
            flush();
            bytes.reset();
            Log log = log(level, null);
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
        assertFalse(log("WARN", null).isInfo());
        assertTrue(log("no such level", null).isInfo());
    }

    @Test
    void everythingIsOnOneLine() {
        Log log = log("info", null);
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
        Log log = log("info", null);
        try {
            System.setErr(new PrintStream(theirs, true));
            log.info("one");
            log.info("two");
            flush();
        } finally {
            System.setErr(before);
        }
        assertEquals(0, theirs.size());
        assertEquals(2, lines().size());
    }

    @Test
    void twoLogsDoNotMix(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("a.log");
        Log one = log("info", null);
        Log two = log("debug", file.toString());
        one.info("one");
        two.debug("two");
        one.debug("none");
        assertEquals(1, lines().size());
        assertEquals(1, Files.readAllLines(file).size());
    }

    @Test
    void aFileIsAppendedToAndPrivate(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("a.log");
        log("info", file.toString());
        assertFalse(Files.exists(file), "not before the first line");
        log("info", file.toString()).info("one \u00fc");
        flush(); // each log has a writer of its own, and the two lines are read in their order
        log("info", file.toString()).info("two");
        flush();
        List<String> written = Files.readAllLines(file);
        assertEquals(2, written.size());
        assertLine("[tempolimit] INFO one \u00fc", written.get(0));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(0, bytes.size());

        Path theirs = dir.resolve("b.log");
        Files.createFile(theirs, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
        log("info", theirs.toString()).info("one");
        flush();
        assertEquals("rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(theirs)));
    }

    @Test
    void aFileThatCannotBeWrittenIsOneWarning(@TempDir Path dir) {
        for (String file : new String[] {dir.toString(), dir.resolve("no/such/dir").toString(), "", "a\u0000b"}) {
            flush();
            bytes.reset();
            Log log = log("info", file);
            log.info("one");
            log.info("two");
            assertEquals(3, lines().size(), lines()::toString);
            assertTrue(lines().get(0).contains("WARN log.file=" + file.replace('\0', '?') + " cannot be written: "), lines().get(0));
            assertTrue(lines().get(0).endsWith(". The log goes to standard error"), lines().get(0));
            assertLine("[tempolimit] INFO one", lines().get(1));
            assertLine("[tempolimit] INFO two", lines().get(2));
        }
    }

    @Test
    void aFullDiskIsOneWarningAndNoLineIsLost() {
        Assumptions.assumeTrue(new File("/dev/full").exists());
        Log log = log("info", "/dev/full");
        log.info("one");
        log.info("two");
        assertEquals(3, lines().size(), lines()::toString);
        assertTrue(lines().get(0).contains("WARN log.file=/dev/full cannot be written any more"), lines().get(0));
        assertLine("[tempolimit] INFO one", lines().get(1));
        assertLine("[tempolimit] INFO two", lines().get(2));
    }

    /** A crawl of weeks at debug filled the disk. */
    @Test
    void aFileThatGetsTooLongIsPutAside(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("a.log");
        Log log = new Log(err, "info", file.toString(), 1000, () -> now);
        logs.add(log);
        for (int i = 0; i < 40; i++) {
            log.info("line " + i + " " + "x".repeat(50));
        }
        flush();
        List<String> old = Files.readAllLines(dir.resolve("a.log.1"));
        List<String> last = Files.readAllLines(file);
        assertTrue(Files.size(file) <= 1000 && Files.size(dir.resolve("a.log.1")) <= 1000);
        assertTrue(last.get(last.size() - 1).contains("line 39 "), last::toString);
        assertTrue(old.get(old.size() - 1).contains("line " + (39 - last.size()) + " "), old::toString);
        try (var files = Files.list(dir)) {
            assertEquals(2, files.count());
        }
        assertEquals(0, bytes.size());
    }

    @Test
    void neverThrows() {
        PrintStream broken = new PrintStream(OutputStream.nullOutputStream()) {
            @Override
            public void print(String s) {
                throw new IllegalStateException();
            }
        };
        Log log = new Log(broken, "debug", null, 100L << 20);
        log.info("a");
        log.print("b", 60_000);
        log.onceAMinute(null, null, null);
        log.onceAMinute("k", "t", new RuntimeException() {
            @Override
            public String getMessage() {
                throw new StackOverflowError();
            }
        });
    }

    /** A program whose standard error nobody reads stood still for ever once the pipe was full. */
    @Test
    void whoHadSomethingToTellWaitedForAReader() throws Exception {
        CountDownLatch full = new CountDownLatch(1);
        CountDownLatch read = new CountDownLatch(1);
        PrintStream pipe = new PrintStream(bytes, true, StandardCharsets.UTF_8) {
            @Override
            public void print(String s) {
                full.countDown();
                try {
                    read.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                super.print(s);
            }
        };
        Log log = new Log(pipe, "info", null, 100L << 20);
        log.info("line 0");
        full.await();
        for (int i = 1; i < 5000; i++) {
            log.info("line " + i);
        }
        log.print("the end\n", 1); // and the JVM can end
        log.flush(1);
        read.countDown();
        log.flush(60_000);
        List<String> told = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals(1002, told.size());
        for (int i = 0; i <= 1000; i++) {
            assertLine("[tempolimit] INFO line " + i, told.get(i));
        }
        assertLine("[tempolimit] WARN 3,999 lines of this log could not be written in time", told.get(1001));
    }

    /** An application may interrupt all threads it finds. */
    @Test
    void anInterruptEndsNothing() throws Exception {
        Log log = log("info", null);
        log.info("one");
        flush();
        Thread writer = Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().equals("tempolimit-log"))
                .findFirst().orElseThrow();
        Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().equals("tempolimit-log")).forEach(Thread::interrupt);
        log.info("two");
        assertEquals(2, lines().size());
        assertTrue(writer.isAlive());
    }

    @Test
    void errorsOnceAMinute() {
        Log log = log("info", null);
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
        assertLine("[tempolimit] ERROR An error: java.lang.IllegalStateException: bad thing (and 9 more since the "
                + "last such line)", lines().get(2));
    }

    @Test
    void manyKindsOfErrorsDoNotFillTheMemory() {
        Log log = log("info", null);
        for (int i = 0; i < 10_000; i++) {
            log.onceAMinute("k" + i, "An error", null);
        }
        assertEquals(65, lines().size());
    }

    @Test
    void aStackTraceAtDebugOnly() {
        Exception e = new IllegalStateException("outer", new RuntimeException("inner\nline"));
        log("info", null).onceAMinute("a", "An error", e);
        assertEquals(1, lines().size());
        bytes.reset();
        log("debug", null).onceAMinute("a", "An error", e);
        assertTrue(lines().get(1).startsWith("    at io.tempolimit.watch.LogTest.aStackTraceAtDebugOnly(LogTest.java:"), lines().get(1));
        assertTrue(lines().contains("caused by java.lang.RuntimeException: inner line"), lines()::toString);
    }

    @Test
    void aCircleOfCauses() {
        RuntimeException a = new RuntimeException("a");
        a.initCause(new RuntimeException("b", a));
        log("debug", null).onceAMinute("a", "An error", a);
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
        Log log = log("info", null);
        Thread[] threads = new Thread[8];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    log.info("a line of some length, so that two of them would show if they were mixed");
                    log.onceAMinute("k", "once", null);
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        assertEquals(801, lines().size());
        assertTrue(lines().stream().allMatch(l -> l.matches(DATE + "\\[tempolimit\\] (INFO a line.*mixed|ERROR once)")));
    }
}
