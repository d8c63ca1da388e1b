package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Faulty settings stop a JVM before its program starts; {@code enabled=false} asks for nothing at all. */
class SettingsIT {
    private static final Path PROGRAM = Source.compile(8, """
            public class Ran {
                public static void main(String[] args) {
                    boolean woven;
                    try {
                        Class.forName("java.lang.TempolimitBridge");
                        woven = true;
                    } catch (ClassNotFoundException e) {
                        woven = false;
                    }
                    System.out.println("main ran, agent " + woven);
                }
            }""");

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void everyFaultIsTold(int java) throws IOException {
        Path file = Files.writeString(Source.folder().resolve("settings.json"), """
                { "version": "1.0",
                  "default_config": { "requests_per_second": -1, "burst_kapacity": 3 } }
                """);
        try (Fork fork = Jvm.on(java).option("-Dtempolimit.burst=0").option("-Dtempolimit.wibble=1")
                .environment("TEMPOLIMIT_MAX_WAIT", "often").agent("rat=1,jitter=2,redis=redis://me:hunter2@db:x,config=" + file)
                .classpath(PROGRAM).main("Ran").start()) {
            assertEquals(1, fork.exit(Jvm.LONG));
            assertEquals("", fork.stdout(), "main ran");
            List<String> lines = Jvm.lines(fork.stderr());
            for (String fault : new String[] {
                "agent arguments: rat=1: .*did you mean rate\\?.*", "agent arguments: jitter=2: .*",
                        "agent arguments: redis=\\*\\*\\*: the port is not a whole number .*",
                "system property: tempolimit.burst=0: .*", "system property: tempolimit.wibble=1: .*",
                "environment: TEMPOLIMIT_MAX_WAIT=often: .*",
                "config file .*settings.json.*: .*requests_per_second.*",
                "config file .*settings.json.*: .*burst_kapacity.*mean burst.*"}) {
                assertEquals(1, lines.stream().filter(l -> l.matches("\\[tempolimit] " + fault)).count(), () -> fault + " in\n"
                        + fork.stderr());
            }
            assertEquals(8, lines.size(), fork::stderr);
            assertFalse(fork.stderr().contains("hunter2"), fork::stderr);
        }
    }

    /** Each of these alone is enough. */
    enum Fault {
        ARGUMENT(b -> b.agent("rat=1")),
        PROPERTY(b -> b.option("-Dtempolimit.rat=1").agent("")),
        VALUE_IN_ENVIRONMENT(b -> b.environment("TEMPOLIMIT_RATE", "fast").agent("")),
        NO_FILE(b -> b.agent("config=" + Path.of("no", "such", "file.json"))),
        NO_JSON(b -> b.agent("config=" + written("{ \"version\": ")));

        final UnaryOperator<Fork.Builder> start;

        Fault(UnaryOperator<Fork.Builder> start) {
            this.start = start;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyFaultStops(Fault fault) {
        try (Fork fork = fault.start.apply(Jvm.on(17)).classpath(PROGRAM).main("Ran").start()) {
            assertEquals(1, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("", fork.stdout(), "main ran");
            List<String> lines = Jvm.lines(fork.stderr());
            assertEquals(1, lines.size(), fork::stderr);
            assertTrue(lines.get(0).startsWith("[tempolimit] "), fork::stderr);
        }
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void anUnknownVariableIsOneWarning(int java) {
        try (Fork fork = Jvm.on(java).environment("TEMPOLIMIT_SERVICE_HOST", "10.0.0.7").agent("").classpath(PROGRAM).main("Ran").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("main ran, agent true\n", fork.stdout());
            List<String> lines = Jvm.lines(fork.stderr());
            assertEquals(1, lines.size(), fork::stderr);
            assertTrue(lines.get(0).contains("TEMPOLIMIT_SERVICE_HOST"), fork::stderr);
        }
    }

    /** Where {@code enabled=false} may stand. */
    enum Off {
        ARGUMENT(b -> b.agent("rat=1,enabled=false,config=/no/such/file")),
        PROPERTY(b -> b.option("-Dtempolimit.enabled=false").agent("rat=1")),
        VARIABLE(b -> b.environment("TEMPOLIMIT_ENABLED", "false").environment("TEMPOLIMIT_SERVICE_HOST", "x").agent("rat=1"));

        final UnaryOperator<Fork.Builder> start;

        Off(UnaryOperator<Fork.Builder> start) {
            this.start = start;
        }
    }

    @ParameterizedTest
    @EnumSource
    void disabledIsNothingAtAll(Off off) {
        try (Fork fork = off.start.apply(Jvm.on(17).option("-Dtempolimit.rate=x")).classpath(PROGRAM).main("Ran").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("main ran, agent false\n", fork.stdout());
            assertEquals("", fork.stderr());
        }
    }

    private static Path written(String text) {
        try {
            return Files.writeString(Source.folder().resolve("settings.json"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
