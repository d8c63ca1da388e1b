package io.tempolimit.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.TestInfo;

/**
 * Plays seeds, from 0 on. A failure tells how to play that seed alone. System properties: {@code tests.seed} plays that seed
 * and no other, and writes its history into {@code target}; {@code tests.seeds} plays so many; {@code tests.matrix}
 * plays ten times as many.
 */
final class Seeds {
    private static final Integer ONLY = Integer.getInteger("tests.seed");
    private static final Integer COUNT = Integer.getInteger("tests.seeds");
    private static final boolean MATRIX = Boolean.getBoolean("tests.matrix");
    private static final int LAST_LINES = 15;

    /** The history of one seed. */
    interface Play {
        void play() throws Exception;

        History history();
    }

    private Seeds() {
    }

    /** How many seeds to play where {@code usual} are enough. */
    static int count(int usual) {
        return ONLY != null ? 1 : COUNT != null ? COUNT : MATRIX ? 10 * usual : usual;
    }

    /** Whether those are played that a build plays, so that their sums mean something. */
    static boolean usual() {
        return ONLY == null && COUNT == null && !MATRIX;
    }

    /** Plays seeds, one after the other; {@code played} is told of each. */
    static <P extends Play> void play(TestInfo test, int usual, IntFunction<P> make, Consumer<P> played) {
        int first = ONLY == null ? 0 : ONLY;
        for (int seed = first; seed - first < count(usual); seed++) {
            played.accept(play(test, seed, make));
        }
    }

    /** The same, the last seed first. */
    static <P extends Play> void backwards(TestInfo test, int usual, IntFunction<P> make, Consumer<P> played) {
        int first = ONLY == null ? 0 : ONLY;
        for (int seed = first + count(usual) - 1; seed >= first; seed--) {
            played.accept(play(test, seed, make));
        }
    }

    /** Plays these, as far as they are to be played. */
    static void these(TestInfo test, IntFunction<? extends Play> make, int... seeds) {
        for (int seed : seeds) {
            if (ONLY == null || ONLY == seed) {
                play(test, seed, make);
            }
        }
    }

    private static <P extends Play> P play(TestInfo test, int seed, IntFunction<P> make) {
        P play = make.apply(seed);
        try {
            play.play();
        } catch (Throwable t) {
            throw new AssertionError("seed " + seed + ": " + t.getMessage() + "\nTo play it alone:\n  " + command(test, seed)
                    + "\nWhat happened last:\n" + play.history().end(LAST_LINES), t);
        } finally {
            if (ONLY != null) {
                write(test, seed, play.history());
            }
        }
        return play;
    }

    /** What plays this seed of this test alone, and no other. */
    static String command(TestInfo test, int seed) {
        return "mvn -pl agent/core -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest='" + name(test, '#')
                + "' -Dtests.seed=" + seed;
    }

    private static String name(TestInfo test, char separator) {
        return test.getTestClass().orElseThrow().getSimpleName() + separator + test.getTestMethod().orElseThrow().getName();
    }

    private static void write(TestInfo test, int seed, History history) {
        try {
            String digest = history.digest();
            Path file = Path.of("target", "history-" + name(test, '.') + "-" + seed + "-" + digest.substring(0, 8)
                    + ".txt").toAbsolutePath();
            Files.writeString(file, history.toString());
            System.out.println("Its history, " + digest + ", is in " + file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
