package io.tempolimit.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
    /** It ended with 3, as if the program could not be reached, and with a list of others. */
    @ParameterizedTest
    @ValueSource(strings = {"abc", "4711x", "99999999999999999999", "4.5"})
    void whatIsNoProcessIdIsOneLineAndExitCode2(String word) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        assertEquals(ExitCode.USAGE, new Status(new PrintStream(err), new PrintStream(err)).run(List.of(word)));
        assertEquals(List.of("status: " + word + " is not a process id"), err.toString().lines().toList());
        err.reset();
        assertEquals(ExitCode.USAGE, new Attach(new PrintStream(err), new PrintStream(err)).run(List.of(word, "rate=1")));
        assertEquals(List.of("attach: " + word + " is not a process id"), err.toString().lines().toList());
    }

    @Test
    void helpFits80Columns() {
        for (String line : (Attach.USAGE + Status.USAGE).split("\n")) {
            assertTrue(line.length() <= 80, line);
        }
    }
}
