package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.stream.JsonWriter;
import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.detect.Verdict;
import java.io.File;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.simple.SimpleLogger;

/** What only a JVM of its own can show: which classes are loaded, and what the application's settings do to us. */
class ForkTest {
    @TempDir
    Path dir;

    /** What the forked JVM runs; its first argument says what. */
    public static final class Program {
        public static void main(String[] args) throws Exception {
            PrintStream err = System.err;
            PrintStream out = System.out;
            System.setErr(new PrintStream(new java.io.ByteArrayOutputStream()));
            System.setOut(new PrintStream(new java.io.ByteArrayOutputStream()));
            Scene scene = new Scene();
            Options options = new Options(err, out, "v");
            scene.start(args[0].equals("events") ? options.events("stdout", 0) : options);
            scene.watch.started();
            scene.watch.clientWoven("OkHttp", "4");
            scene.requests(5, "shop.example", 200);
            if (args[0].equals("one-line")) {
                scene.watch.warning("a warning");
            }
            if (args[0].equals("jmx")) {
                scene.watch.registerJmx();
                scene.requests(5, "shop.example", 200);
            }
            scene.watch.close();
        }
    }

    private record Result(List<String> out, List<String> err) {
        boolean loaded(String prefix) {
            return out.stream().anyMatch(l -> l.contains("source:") && l.contains(" " + prefix));
        }

        List<String> output() {
            return out.stream().filter(l -> !l.startsWith("[")).toList();
        }
    }

    private Result run(String program, String... jvmOptions) throws Exception {
        String classPath = Stream.of(Program.class, Watch.class, Limiter.class, Verdict.class,
                RequestRejectedException.class, JsonWriter.class, TestRules.class,
                Logger.class, SimpleLogger.class).map(c -> c.getProtectionDomain().getCodeSource().getLocation().getPath())
                .distinct().collect(Collectors.joining(File.pathSeparator)) + File.pathSeparator + dir;
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xlog:class+load:stdout"));
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of("-cp", classPath, Program.class.getName(), program));
        Path out = dir.resolve("out");
        Path err = dir.resolve("err");
        ProcessBuilder b = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        b.environment().remove("JAVA_TOOL_OPTIONS");
        assertEquals(0, b.start().waitFor(), () -> read(err).toString());
        return new Result(read(out), read(err));
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aQuietRunLoadsNothing() throws Exception {
        Result r = run("quiet");
        assertEquals(List.of(), r.err);
        assertTrue(r.loaded("io.tempolimit.watch.Watch"));
        for (String heavy : new String[] {"org.slf4j", "com.google.gson", "io.tempolimit.watch.EventLog", "io.tempolimit.watch.Jmx",
            "io.tempolimit.watch.Json", "javax.management", "java.lang.management", "java.util.logging", "java.text",
            "java.util.Formatter"}) {
            assertFalse(r.loaded(heavy), heavy);
        }
    }

    @Test
    void aLineLoadsSlf4jAndNoService() throws Exception {
        Result r = run("one-line");
        assertEquals(1, r.err.size());
        assertTrue(r.loaded("org.slf4j.simple.SimpleLogger"));
        for (String heavy : new String[] {"org.slf4j.LoggerFactory", "org.slf4j.simple.SimpleServiceProvider",
                "java.util.ServiceLoader$", "sun.util.locale.provider.LocaleProviderAdapter",
            "com.google.gson"}) {
            assertFalse(r.loaded(heavy), heavy);
        }
    }

    @Test
    void eventsLoadGsonsStreamsOnly() throws Exception {
        Result r = run("events");
        assertEquals(List.of(), r.err);
        assertEquals(2, r.output().size(), r.output()::toString);
        List<String> gson = r.out.stream().filter(l -> l.contains(" com.google.gson."))
                .map(l -> l.replaceFirst(".* (com\\.google\\.[^ ]*) .*", "$1")).sorted().toList();
        assertEquals(List.of("com.google.gson.FormattingStyle", "com.google.gson.Strictness",
                "com.google.gson.stream.JsonWriter"), gson.stream().filter(n -> !n.contains("$")).toList());
    }

    @Test
    void theApplicationsSlf4jSettingsAreNotOurs() throws Exception {
        Path theirs = dir.resolve("theirs.log");
        Files.writeString(dir.resolve("simplelogger.properties"), """
                org.slf4j.simpleLogger.defaultLogLevel=off
                org.slf4j.simpleLogger.showThreadName=true
                org.slf4j.simpleLogger.warnLevelString=ATTENTION
                """);
        Result r = run("one-line", "-Dorg.slf4j.simpleLogger.logFile=" + theirs, "-Dorg.slf4j.simpleLogger.levelInBrackets=true",
                "-Dorg.slf4j.simpleLogger.log.tempolimit=off", "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy", "-Duser.language=ar",
                "-Duser.country=EG", "-Djava.locale.providers=CLDR");
        assertEquals(1, r.err.size());
        assertTrue(r.err.get(0).matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\[tempolimit\\] WARN a warning"), r.err.get(0));
        assertFalse(Files.exists(theirs));
    }

    @Test
    void withoutTheManagementModule() throws Exception {
        Result r = run("jmx", "--limit-modules", "java.base");
        assertFalse(r.loaded("javax.management"));
        assertTrue(r.err.get(0).contains("shop.example: held to 3"), r.err::toString);
        assertTrue(r.err.stream().noneMatch(l -> l.contains("WARN") || l.contains("ERROR")), r.err::toString);
        assertTrue(r.err.stream().anyMatch(l -> l.startsWith("Tempolimit: 10 requests")), r.err::toString);
    }
}
