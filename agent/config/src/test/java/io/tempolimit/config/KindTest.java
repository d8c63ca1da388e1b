package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What good values become; bad ones are in {@link FaultTest}. */
class KindTest {
    private static Object parse(SettingKey key, String... entries) {
        return Kind.parse(key, entries);
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "0.5, 0.5", ".5, 0.5", "90/m, 1.5", "90 / m, 1.5", "36/h, 0.01", "2/s, 2", "1e3, 1000",
        "1E-3, 0.001", "+2, 2", "1e308, 1e308"})
    void rates(String text, double rate) {
        assertEquals(rate, ((Rate) parse(SettingKey.RATE, text)).perSecond);
    }

    @ParameterizedTest
    @CsvSource({"500ms, 500000000", "30s, 30000000000", "5m, 300000000000", "24h, 86400000000000", "30 s, 30000000000", "007s, 7000000000",
        "87600h, 315360000000000000"})
    void durations(String text, long nanos) {
        assertEquals(nanos, (Long) parse(SettingKey.KEY_IDLE, text));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0s, 0", "1ms, 1000000", "unlimited, 9223372036854775807"})
    void waits(String text, long nanos) {
        assertEquals(nanos, (Long) parse(SettingKey.MAX_WAIT, text));
    }

    @ParameterizedTest
    @CsvSource({"30s-60s, 30, 60", "30s, 30, 30", "1m - 2m, 60, 120", "1s-1s, 1, 1"})
    void ranges(String text, long min, long max) {
        assertArrayEquals(new long[] {min * 1_000_000_000L, max * 1_000_000_000L}, (long[]) parse(SettingKey.COOLDOWN_DURATION, text));
    }

    @ParameterizedTest
    @CsvSource({"64KB, 65536", "100MB, 104857600", "2gb, 2147483648", "1000, 1000", "1 KB, 1024", "8589934591GB, 9223372035781033984"})
    void sizes(String text, long bytes) {
        assertEquals(bytes, (Long) parse(SettingKey.EVENTS_MAX_SIZE, text));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2147483647, 2147483647", "5.0, 5", "5.000, 5", "007, 7"})
    void counts(String text, int count) {
        assertEquals(count, (Integer) parse(SettingKey.BURST, text));
    }

    @Test
    void everyDefaultIsAValue() {
        for (int i = 0; i < SettingKey.COUNT; i++) {
            SettingKey key = SettingKey.at(i);
            Kind.parse(key, Loader.entries(key, key.byDefault, ','));
            assertEquals(false, key.allowed().isEmpty(), key.key);
        }
    }

    @Test
    void noTwoKeysHaveTheSameNameInAnySource() {
        for (int i = 0; i < SettingKey.COUNT; i++) {
            SettingKey key = SettingKey.at(i);
            assertEquals(key, SettingKey.named(key.key));
            assertEquals(key, SettingKey.ofEnvironment(key.environmentName()));
            assertEquals(key, SettingKey.ofJson(key.jsonName()));
        }
    }
}
