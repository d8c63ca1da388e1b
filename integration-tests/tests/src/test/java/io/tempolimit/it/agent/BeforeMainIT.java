package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs set system properties of the JDK in the first lines of {@code main}. They hold if the class that reads them is not
 * initialised yet. So before {@code main} the agent initialises no class of the JDK that is not initialised without it, but for
 * those that read nothing that a program could set.
 */
class BeforeMainIT {
    /** Only of classes with a static initialiser; for the others there is another text before the address. */
    private static final Pattern INITIALISED = Pattern.compile("Initializing '((?:java|javax|jdk|sun)/[^']*)' ?\\(0x");
    private static final String MAIN = "Initializing 'Main'";

    /** Beginnings of names, by the reason why their initialisers do no harm. */
    private static final Map<String, List<String>> HARMLESS = Map.of(
            "method and variable handles, and what spins them", List.of("java/lang/invoke/", "sun/invoke/", "java/lang/ClassValue",
                    "jdk/internal/classfile/", "jdk/internal/org/objectweb/asm/", "java/lang/constant/", "jdk/internal/constant/"),
            "the hook at the end", List.of("java/lang/ApplicationShutdownHooks", "java/lang/Shutdown"),
            "environment variables", List.of("java/lang/ProcessEnvironment", "java/lang/ProcessImpl"),
            "the agent's jar, its version, and its bridge in java.lang", List.of("java/util/jar/", "java/util/zip/",
                    "java/io/ByteArrayInputStream", "java/lang/Package$VersionInfo", "java/lang/Module$ReflectionData"),
            "constants", List.of("java/lang/String", "java/lang/Long$LongCache", "java/lang/StackTraceElement", "jdk/internal/math/",
                    "java/util/TreeMap", "java/util/Collections", "java/util/ImmutableCollections", "java/security/AccessController",
                    "jdk/internal/misc/Blocker", "java/util/UUID", "jdk/internal/util/ByteArrayLittleEndian"),
            "field offsets", List.of("java/util/concurrent/ConcurrentSkipListMap", "java/util/concurrent/ConcurrentLinkedQueue",
                    "java/util/concurrent/atomic/", "java/util/concurrent/locks/"),
            "seeds, which a ConcurrentHashMap needs as well once two threads meet in it", List.of("java/util/Random",
                    "java/util/concurrent/ThreadLocalRandom", "jdk/internal/util/random/"),
            "a list of threads", List.of("jdk/internal/vm/"),
            "buffers, channels, and the lock of the state file", List.of("java/nio/", "sun/nio/ch/", "sun/nio/cs/"));

    /** Comes after the agent, and waits until its threads rest, so that nothing depends on who is faster. */
    private static final String LAST_AGENT = """
            public class Last {
                public static void premain(String arguments, java.lang.instrument.Instrumentation instrumentation) throws Exception {
                    for (boolean busy = true; busy; Thread.sleep(1)) {
                        busy = false;
                        Thread[] all = new Thread[100];
                        int n = Thread.enumerate(all);
                        for (int i = 0; i < n; i++) {
                            Thread.State state = all[i].getState();
                            boolean rests = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
                            busy |= all[i].getName().startsWith("tempolimit") && !rests;
                        }
                    }
                }
            }""";

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void noClassOfTheJdkIsInitialisedBeforeMain(int java) throws IOException {
        Path program = Source.compile(8, "public class Main { static int n = 1; public static void main(String[] args) { } }");
        Path last = lastAgent();
        Path folder = Source.folder();
        Path config = Files.writeString(folder.resolve("config.json"), "{\"default_config\": {\"rate\": \"2/h\", \"burst\": 4}}");
        String bucket = "{\"version\":1,\"keys\":[{\"key\":\"a.example\",\"time\":" + System.currentTimeMillis() + ",\"bucket\":7}]}";
        Path state = Files.writeString(folder.resolve("state"), bucket);
        Path bad = Files.writeString(folder.resolve("bad"), "{\"version\":true}");
        Set<String> without = before(java, program, last, null);
        assertTrue(without.size() > 50, "this test reads something else: " + without);
        for (String settings : List.of("", "events=" + folder.resolve("events"), "rate=2/h,burst=4",
                "rate=2/h,burst=4,log.file=" + folder.resolve("log"), "config=" + config, "state=" + state, "state=" + bad, "admin.port=0",
                "redis=redis://127.0.0.1:1", "log.level=debug,events=stdout")) {
            Set<String> more = before(java, program, last, settings);
            more.removeAll(without);
            more.removeIf(name -> HARMLESS.values().stream().flatMap(List::stream).anyMatch(name::startsWith));
            assertEquals(Set.of(), more, "settings: " + settings);
        }
    }

    private static Path lastAgent() {
        Path jar = Source.folder().resolve("last.jar");
        return Source.jar(jar, Map.of("Premain-Class", "Last"), Map.of("", Source.compile(8, LAST_AGENT)), List.of());
    }

    private static Set<String> before(int java, Path program, Path last, String settings) {
        Fork.Builder builder = Jvm.on(java).option("-Xlog:class+init=info");
        if (settings != null) {
            builder.agent(settings);
        }
        try (Fork fork = builder.option("-javaagent:" + last).classpath(program).main("Main").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            String log = fork.stdout();
            int end = log.indexOf(MAIN);
            assertTrue(end > 0, "Main is not in " + log);
            Set<String> names = new TreeSet<>();
            for (Matcher m = INITIALISED.matcher(log.substring(0, end)); m.find(); ) {
                names.add(m.group(1));
            }
            return names;
        }
    }

    /** Two that were ignored; lettuce makes the common pool as well. */
    @ParameterizedTest
    @ValueSource(ints = {8, 17, 25})
    void whatMainSetsHolds(int java) throws IOException {
        Path program = Source.compile(8, """
                public class Sets {
                    public static void main(String[] args) {
                        System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "7");
                        System.setProperty("user.timezone", "Asia/Tokyo");
                        int parallelism = java.util.concurrent.ForkJoinPool.commonPool().getParallelism();
                        System.out.println(parallelism + " " + java.util.TimeZone.getDefault().getID());
                    }
                }""");
        Path last = lastAgent();
        try (Fork fork = Jvm.on(java).agent("rate=2/h,burst=4,redis=redis://127.0.0.1:1,events=" + Source.folder().resolve("events"))
                .option("-javaagent:" + last).classpath(program).main("Sets").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("7 Asia/Tokyo\n", fork.stdout(), fork::stderr);
        }
    }

    /** The program ends before the log and the events have begun. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void whatCameBeforeMainIsWrittenAtTheEnd(int java) throws IOException {
        Path program = Source.compile(8, """
                import java.io.*;
                import java.net.*;
                public class Short {
                    public static void main(String[] args) {
                        for (int i = 0; i < 5; i++) {
                            get(args[0]);
                        }
                    }
                """ + Source.GET + "}");
        Path events = Source.folder().resolve("events");
        String settings = "user-agent.check=off,exclude=-private,rate=2/h,burst=4,on-limit=reject,events=" + events;
        try (Server server = Server.start(); Fork fork = Jvm.on(java).agent(settings).classpath(program)
                .main("Short", server.site("127.85", Server.Script.status(200)).url("/")).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            int warning = fork.stderr().indexOf("WARN burst=4");
            assertTrue(warning >= 0 && warning < fork.stderr().indexOf("1 rejected"), fork::stderr);
            assertTrue(Files.readString(events).contains("\"event\":\"started\""), fork::stderr);
        }
    }
}
