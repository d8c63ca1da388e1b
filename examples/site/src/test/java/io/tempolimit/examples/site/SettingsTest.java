package io.tempolimit.examples.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    @Test
    void readsEveryOption() {
        assertEquals(
                new Settings("127.0.0.2", 8080, 300, 2.5, 4, 9, 6, Duration.ofMillis(1500), Duration.ofHours(1), true,
                        Duration.ofMillis(5), Duration.ofMillis(50), 3, true),
                Settings.parse("--host", "127.0.0.2", "--port", "8080", "--pages", "300", "--rate", "2.5", "--burst", "4",
                        "--retry-after", "9", "--strikes", "6", "--strike-window", "1500ms", "--ban", "1h", "--ban-restarts",
                        "--latency", "5-50", "--crawl-delay", "3", "--client-header"));
        assertFalse(Settings.parse("--rate", "none").limited());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "--speed          | unknown option --speed; --help lists them",
            "--rate           | --rate needs a value",
            "--rate 0         | --rate 0: should be a number above 0 and up to 1000000, or none",
            "--rate NaN       | --rate NaN: should be a number above 0 and up to 1000000, or none",
            "--burst 1.5      | --burst 1.5: should be a whole number from 1 to 1000000",
            "--ban 5          | --ban 5: should be a time like 500ms, 30s, 5m or 24h",
            "--latency 40-10  | --latency 40-10: should be milliseconds like 10-40, the shorter first"})
    void saysWhichOptionIsWrong(String options, String message) {
        assertEquals(message,
                assertThrows(IllegalArgumentException.class, () -> Settings.parse(options.split(" "))).getMessage());
    }

    @Test
    void explainsEveryOption() {
        for (String option : "host port pages rate burst retry-after strikes strike-window ban ban-restarts latency crawl-delay client-header".split(" ")) {
            assertTrue(Settings.HELP.contains("--" + option + " "), option);
        }
    }
}
