package io.tempolimit.it.agent;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Javas;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.provider.MethodSource;

/** How the tests here start a JVM. */
final class Jvm {
    /** More than a busy machine needs for a small program, also while it runs a dozen others. */
    static final Duration LONG = Duration.ofMinutes(3);
    /** Paces loopback, and rejects the second request. */
    static final String ONE_TOKEN = "user-agent.check=off,exclude=-private,rate=0.02,burst=1,on-limit=reject";

    static final boolean MATRIX = Boolean.getBoolean("tests.matrix");

    private Jvm() {
    }

    /** All Javas. */
    static IntStream all() {
        return Javas.SUPPORTED.stream().mapToInt(i -> i);
    }

    /**
     * The oldest and the newest Java of this machine; with -Pmatrix all. Where it has none of them, those that are missing, by which the
     * tests are skipped by name.
     */
    static IntStream ends() {
        return from(8);
    }

    /** The same of those that have the JDK's HttpClient. */
    static IntStream endsFrom11() {
        return from(11);
    }

    /**
     * {@link #ends} in turn: for the tests of a class, in the order of their names, the oldest Java, the newest, the oldest and so on. A
     * class that has one such test has both. With -Pmatrix each test has all.
     */
    static IntStream inTurn(TestInfo test) {
        return turnOf(test, 8);
    }

    /** The same of those that have the JDK's HttpClient. */
    static IntStream inTurnFrom11(TestInfo test) {
        return turnOf(test, 11);
    }

    /** The same of those with class-data archives of applications. */
    static IntStream inTurnFrom17(TestInfo test) {
        return turnOf(test, 17);
    }

    private static IntStream turnOf(TestInfo test, int oldest) {
        List<String> tests = Stream.of(test.getTestClass().orElseThrow().getDeclaredMethods()).filter(Jvm::isInTurn)
                .map(Method::getName).sorted().toList();
        return tests.size() == 1 ? from(oldest) : turn(tests.indexOf(test.getTestMethod().orElseThrow().getName()), oldest);
    }

    /** The same for tests of one thing with each of many clients, which have numbers from 0 on. */
    static IntStream turn(int number, int oldest) {
        int[] javas = from(oldest).toArray();
        return MATRIX ? IntStream.of(javas) : IntStream.of(javas[number % javas.length]);
    }

    private static boolean isInTurn(Method test) {
        MethodSource source = test.getAnnotation(MethodSource.class);
        return source != null && source.value()[0].startsWith(Jvm.class.getName() + "#inTurn");
    }

    private static IntStream from(int oldest) {
        if (MATRIX) {
            return all().filter(java -> java >= oldest);
        }
        int[] supported = all().filter(java -> java >= oldest).toArray();
        int[] here = IntStream.of(supported).filter(java -> Javas.find(java).isPresent()).toArray();
        int[] javas = here.length > 0 ? here : supported;
        return IntStream.of(javas[0], javas[javas.length - 1]).distinct();
    }

    /** A small JVM; the test is skipped where there is no such Java. */
    static Fork.Builder on(int java) {
        return Fork.on(Javas.require(java)).option("-XX:TieredStopAtLevel=1").option("-XX:+UseSerialGC").option("-Xmx256m");
    }

    /** A JVM with the programs of the contract ({@code io.tempolimit.it.programs}), yet to be started by {@link Scraper}. */
    static Fork.Builder scraper(int java) {
        return on(java).classpath(Path.of(System.getProperty("tempolimit.programs", "../programs/target/classes")).toAbsolutePath()
                .normalize());
    }

    /** Lines of a text, without empty ones. */
    static List<String> lines(String text) {
        return text.lines().filter(l -> !l.isBlank()).toList();
    }
}
