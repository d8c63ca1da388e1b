package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** A seed is the whole of a history: played again, in another order and by another thread, it is the same to the last nanosecond. */
@Tag("long")
class ReplayTest {
    private static final int SEEDS = 200;
    /** So many of them are in the golden master. */
    private static final int GOLDEN = 60;
    /** Of this one, so many lines. */
    private static final int TOLD = 7;
    private static final int LINES = 150;
    private static final Pattern CHANCE =
            Pattern.compile("\\b(\\w*Random|RandomGenerator|UUID|identityHashCode|Math\\.random)\\b");

    @Test
    void sleepersOnTime(TestInfo test) throws Exception {
        check(test, ModelTest.Exact::new);
    }

    @Test
    void sleepersThatAreLate(TestInfo test) throws Exception {
        check(test, ModelTest.Late::new);
    }

    @Test
    void aFleet(TestInfo test) throws Exception {
        check(test, seed -> new FleetModelTest.Run(seed, false, false));
    }

    @Test
    void aFleetWhoseWorkersStandStill(TestInfo test) throws Exception {
        check(test, seed -> new FleetModelTest.Run(seed, false, true));
    }

    @Test
    void aFleetWhoseMessagesAreLost(TestInfo test) throws Exception {
        check(test, seed -> new FleetModelTest.Run(seed, true, false));
    }

    @Test
    void aLearnedPace(TestInfo test) throws Exception {
        check(test, LearnedPaceTest::crawl);
    }

    @Test
    void aFleetThatLearns(TestInfo test) throws Exception {
        check(test, FleetLearningTest::crawl);
    }

    /**
     * But for what nothing is decided by: the secret that hides accounts' names, and the places of objects in a table that nobody walks.
     */
    @Test
    void allChanceInTheCoreComesFromOneSource() throws Exception {
        Set<String> files = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source : (Iterable<Path>) sources.filter(Files::isRegularFile)::iterator) {
                if (CHANCE.matcher(Files.readString(source)).find()) {
                    files.add(source.getFileName().toString());
                }
            }
        }
        assertEquals(Set.of("Accounts.java", "RandomSource.java", "WeakMap.java"), files);
    }

    private static void check(TestInfo test, IntFunction<? extends Seeds.Play> make) throws Exception {
        StringBuilder golden = new StringBuilder();
        String[] first = new String[Seeds.count(SEEDS)];
        String[] second = first.clone();
        int[] seed = new int[1];
        String[] told = new String[1];
        Seeds.play(test, SEEDS, make, play -> {
            History history = play.history();
            first[seed[0]] = history.digest();
            if (seed[0] < GOLDEN) {
                golden.append(String.format("%3d %.16s %s%n", seed[0], first[seed[0]], history.summary()));
            }
            if (seed[0] == TOLD) {
                told[0] = history.beginning(LINES);
            }
            seed[0]++;
        });
        Throwable[] trouble = new Throwable[1];
        Thread other = new Thread(() -> {
            try {
                Seeds.backwards(test, SEEDS, make, play -> second[--seed[0]] = play.history().digest());
            } catch (Throwable t) {
                trouble[0] = t;
            }
        });
        other.start();
        other.join();
        assertEquals(null, trouble[0]);
        for (int i = 0; i < first.length; i++) {
            int played = i;
            assertEquals(first[i], second[i],
                    () -> "seed " + played + " was played twice, and differed. To play it alone:\n  " + Seeds.command(test, played) + "\n");
        }
        String name = test.getTestMethod().orElseThrow().getName();
        String digest = History.digest(String.join("\n", first));
        System.out.printf("%s: %d seeds twice, %s and %s%n", name, first.length, digest, History.digest(String.join("\n", second)));
        Golden.check("ReplayTest." + name, golden.append("\nThe beginning of ").append(TOLD).append(":\n").append(told[0]));
        assertTrue(first.length == 1 || !first[0].equals(first[1]), "all the same: nothing was recorded");
    }
}
