package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.circuit.Incident;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordTest {
    private static final long SECOND = 1_000_000_000L;
    private final long now = Long.MAX_VALUE - 5 * SECOND; // times overflow, and differences do not

    private Incident incident(int state, long left, int trips, int count, double interval) {
        return new Incident.Builder(now - 4 * SECOND).version(3).epoch(9).rest(state, now + left, 40 * SECOND, now - SECOND)
                .tripped(true).trips(trips, now - 2 * SECOND).count(count, now - 3 * SECOND)
                .learned(interval, 1, interval > 0 ? "1,2" : "-").build();
    }

    /** As the script stores it, at the server's time of 1000 s. */
    private static String stored(Incident i, long version, long now) {
        String[] f = new String[16];
        Record.write(i, f, 2, now);
        f[0] = Long.toString(version);
        f[1] = "1000000000";
        for (int at : new int[] {4, 6, 9, 11, 14}) {
            f[at] = Long.toString(1_000_000_000L + Long.parseLong(f[at]));
        }
        return "v1 " + String.join(" ", f);
    }

    @Test
    void whatIsWrittenIsRead() {
        Incident i = incident(Incident.COOLING_DOWN, 30 * SECOND, 2, 5, 2.5e9);
        long elsewhere = 77;
        Incident read = Record.parse(stored(i, 4, now), 1_010_000_000L, elsewhere); // ten seconds later, on another machine
        assertEquals(4, read.version);
        assertEquals(9, read.epoch);
        assertEquals(Incident.COOLING_DOWN, read.state);
        assertEquals(20 * SECOND, read.until - elsewhere);
        assertEquals(40 * SECOND, read.pause);
        assertEquals(-11 * SECOND, read.since - elsewhere);
        assertEquals(2, read.trips);
        assertEquals(-12 * SECOND, read.lastTrip - elsewhere);
        assertEquals(5, read.count);
        assertEquals(-13 * SECOND, read.counted - elsewhere);
        assertEquals(2.5e9, read.interval);
        assertEquals("1,2", read.learned);
        assertEquals(-14 * SECOND, read.saved - elsewhere);
        assertTrue(read.tripped);
    }

    @Test
    void aServerWhoseClockIsBehindChangesNoDeadline() {
        Incident i = incident(Incident.COOLING_DOWN, 30 * SECOND, 2, 5, 0);
        Incident read = Record.parse(stored(i, 4, now), 1_000_000_000L - 3_600_000_000L, now);
        assertEquals(30 * SECOND, read.until - now);
        assertEquals(-SECOND, read.since - now);
    }

    @Test
    void garbageIsNoRecord() {
        String good = stored(incident(Incident.CIRCUIT_OPEN, SECOND, 1, 1, 1e9), 4, now);
        Random random = new Random(7);
        String[] bits = {"", "-", "nan", "inf", "1e400", "99999999999999999999999", "-99999999999999999999999",
                "9223372036854775807", "-9223372036854775808", "hello", "0x10", "1.5"};
        for (int n = 0; n < 20_000; n++) {
            String[] f = good.split(" ");
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                f[random.nextInt(f.length)] = bits[random.nextInt(bits.length)];
            }
            Incident read = Record.parse(String.join(" ", f), random.nextLong(), now);
            if (read != null) {
                assertTrue(read.until - now <= 300L * 86_400 * SECOND, "a deadline that never comes");
                assertTrue(read.trips >= 0 && read.count >= 0 && read.pause >= 0 && read.interval >= 0);
            }
        }
        assertNull(Record.parse("", 0, 0));
        assertNull(Record.parse(good + " x", 0, 0));
        assertNotNull(Record.parse(good, 1_000_000_000L, 0));
    }

    @Test
    void intervalsAreRoundedUpToWhatTheScriptCanHold() {
        assertEquals("333333.33593750", Amount.micros(1e9 / 3));
        assertEquals("1", Amount.micros(1000));
        assertEquals("0.00390625", Amount.micros(0.001));
        assertEquals("10.50000000", Amount.micros(10_500));
        Random random = new Random(3);
        for (int i = 0; i < 10_000; i++) {
            double nanos = Math.exp(random.nextDouble() * 30);
            double micros = Double.parseDouble(Amount.micros(nanos));
            assertTrue(micros * 1000 >= nanos - 1e-6 * nanos && micros * 1000 - nanos <= 4 + 1e-6 * nanos, nanos + " " + micros);
            assertEquals(0, micros * 256 % 1);
        }
    }
}
