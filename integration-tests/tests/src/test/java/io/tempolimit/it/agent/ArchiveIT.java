package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Class-data archives, those of the JVM and those of an application, stay in use with the agent. */
class ArchiveIT {
    private static final Path JAR = Source.jar(Source.folder().resolve("app.jar"), Map.of(), Map.of("", Source.compile(8, """
            package shop;
            public class Main {
                public static void main(String[] args) {
                    System.out.println(new Page().title());
                }
            }""", """
            package shop;
            public class Page {
                String title() {
                    return "page";
                }
            }""")), List.of());

    /** An agent that does nothing: Java 25 grumbles about archives made without one, whichever it is. */
    private static final Path NOTHING = Source.jar(Source.folder().resolve("nothing.jar"), Map.of("Premain-Class", "Nothing"), Map.of("", Source.compile(8, """
            public class Nothing {
                public static void premain(String arguments) { }
            }""")), List.of());

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurnFrom17")
    void ofTheApplication(int java) throws IOException {
        Path archive = Source.folder().resolve("app.jsa");
        try (Fork fork = Jvm.on(java).option("-XX:ArchiveClassesAtExit=" + archive).classpath(JAR).main("shop.Main").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
        }
        Run plain = run(Jvm.on(java).option("-XX:SharedArchiveFile=" + archive));
        assertEquals(List.of("shared objects file (top)", "shared objects file (top)"), plain.sources("shop.Main", "shop.Page"),
                "without the agent");
        assertEquals("page\n", plain.said);
        Run any = run(Jvm.on(java).option("-XX:SharedArchiveFile=" + archive).option("-javaagent:" + NOTHING));
        Run with = run(Jvm.on(java).option("-XX:SharedArchiveFile=" + archive).agent(""));
        assertEquals(List.of("shared objects file (top)", "shared objects file (top)"), with.sources("shop.Main", "shop.Page"),
                "with the agent");
        assertEquals(any.said, with.said);
        assertTrue(with.fromArchive() >= any.fromArchive(), () -> with.fromArchive()
                + " classes from archives, with an agent that does nothing " + any.fromArchive());
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurnFrom17")
    void ofTheJvm(int java) throws IOException {
        Run with = run(Jvm.on(java).agent(""));
        assertEquals(List.of("shared objects file", "shared objects file"), with.sources("java.lang.String", "java.util.HashMap"));
        assertEquals("page\n", with.said);
    }

    /** Java 25: an ahead-of-time cache that was trained with the agent. */
    @Test
    void aheadOfTime() throws IOException {
        Path cache = Source.folder().resolve("app.aot");
        try (Fork fork = Jvm.on(25).option("-XX:AOTCacheOutput=" + cache).agent("").classpath(JAR).main("shop.Main").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr); // what it says while it is trained is the JVM's business
        }
        Run with = run(Jvm.on(25).option("-XX:AOTCache=" + cache).option("-XX:AOTMode=on").agent(""));
        assertTrue(with.sources("shop.Main", "shop.Page").stream()
                .allMatch(s -> s.startsWith("shared objects file")), () -> String.join("\n", with.loaded));
        assertEquals("page\n", with.said);
    }

    /** What a JVM said, times aside, and each class that it loaded. */
    private record Run(String said, List<String> loaded) {
        List<String> sources(String... classes) {
            return Arrays.stream(classes).map(c -> loaded.stream().filter(l -> l.startsWith(c + " source: "))
                    .map(l -> l.substring(l.indexOf("source: ") + 8)).findFirst().orElse("not loaded")).toList();
        }

        long fromArchive() {
            return loaded.stream().filter(l -> l.contains("source: shared objects file")).count();
        }
    }

    private static Run run(Fork.Builder builder) throws IOException {
        Path log = Source.folder().resolve("loaded.txt");
        try (Fork fork = builder.option("-Xlog:class+load:file=" + log.getFileName() + ":none").directory(log.getParent())
                .classpath(JAR).main("shop.Main").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            return new Run((fork.stdout() + fork.stderr()).replaceAll("(?m)^\\[[\\d.]+s]", ""), Files.readAllLines(log));
        }
    }
}
