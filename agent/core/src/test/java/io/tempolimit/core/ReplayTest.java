package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** A seed is the whole of a history: played again, in another order and by another thread, it is the same to the last nanosecond. */
class ReplayTest {
    private static final int SEEDS = 200;
    /** As they stand in a class's constants. */
    private static final Pattern CHANCE = Pattern.compile("java/util/(concurrent/ThreadLocal|Splittable)?Random|java/security/SecureRandom|java/util/UUID|java/util/random|"
            + "java/lang/Math.{0,200}random", Pattern.DOTALL);

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

    /** But for the secret that hides accounts' names, which nobody shall foretell. */
    @Test
    void allChanceInTheCoreComesFromOneSource() throws Exception {
        List<String> others = new ArrayList<>();
        try (Stream<Path> classes = Files.walk(Path.of(Key.class.getProtectionDomain().getCodeSource().getLocation().toURI()))) {
            for (Path c : (Iterable<Path>) classes.filter(p -> p.toString().endsWith(".class"))::iterator) {
                String constants = Files.readString(c, StandardCharsets.ISO_8859_1);
                if (CHANCE.matcher(constants).find()) {
                    others.add(c.getFileName().toString());
                }
            }
        }
        Collections.sort(others);
        assertEquals(List.of("Accounts.class", "RandomSource$1.class"), others);
    }

    private static void check(TestInfo test, IntFunction<? extends Seeds.Play> make) throws Exception {
        String[] first = new String[Seeds.count(SEEDS)];
        String[] second = first.clone();
        int[] seed = new int[1];
        Seeds.play(test, SEEDS, make, play -> first[seed[0]++] = play.history().digest());
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
            assertEquals(first[i], second[i], () -> "seed " + played + " was played twice, and differed");
        }
        String name = test.getTestMethod().orElseThrow().getName();
        String digest = History.digest(String.join("\n", first));
        System.out.printf("%s: %d seeds twice, %s and %s%n", name, first.length, digest, History.digest(String.join("\n", second)));
        assertTrue(first.length == 1 || !first[0].equals(first[1]), "all the same: nothing was recorded");
    }
}
