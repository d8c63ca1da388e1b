package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Golden masters: what tests gave when they were written, byte for byte. With them a change of the core that is meant to change
 * nothing shows that it did not. After a change that is meant to change something, {@link #REWRITE} writes them anew, and their
 * diff shows what has become different.
 */
final class Golden {
    static final String REWRITE = "mvn -pl agent/core -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtests.golden=write "
            + "-Dtest='ReplayTest,LearningTest,LearnedPaceTest,FleetLearningTest'";
    private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

    private Golden() {
    }

    /** Compares with the golden master of this name, where the usual seeds were played. */
    static void check(String name, CharSequence text) {
        if (!Seeds.usual()) {
            return;
        }
        Path file = FOLDER.resolve(name + ".txt");
        String is = text.toString().replace(System.lineSeparator(), "\n");
        try {
            if ("write".equals(System.getProperty("tests.golden"))) {
                Files.createDirectories(FOLDER);
                Files.writeString(file, is);
            }
            assertEquals(Files.readString(file), is,
                    () -> "not what " + file.toAbsolutePath() + " says. If that was meant:\n  " + REWRITE + "\n");
        } catch (IOException e) {
            throw new AssertionError("no golden master; to write it:\n  " + REWRITE, e);
        }
    }
}
