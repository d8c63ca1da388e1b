package io.tempolimit.it.agent;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Javas;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

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

    /** The same of those with class-data archives of applications. */
    static IntStream endsFrom17() {
        return from(17);
    }

    /**
     * {@link #ends} in turn, for tests of one thing with each of many clients: whether this Java is the one for the client with this
     * number. With -Pmatrix each client has all.
     */
    static boolean isInTurn(int client, int java) {
        int[] ends = ends().toArray();
        return MATRIX || ends[client % ends.length] == java;
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
        return on(java).classpath(Path.of(System.getProperty("tempolimit.programs", "../programs/target/classes")).toAbsolutePath().normalize());
    }

    /** Lines of a text, without empty ones. */
    static List<String> lines(String text) {
        return text.lines().filter(l -> !l.isBlank()).toList();
    }
}
