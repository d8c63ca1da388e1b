package io.tempolimit.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MarginTest {
    private static final long MILLI = 1_000_000L;
    private static final long INTERVAL = 50 * MILLI;
    private static final long ALLOWED = 25 * MILLI;

    private final Margin margin = new Margin();

    private void looked(int times, long millis) {
        for (int i = 0; i < times; i++) {
            margin.looked(millis * MILLI, ALLOWED);
        }
    }

    private long now() {
        return margin.now(INTERVAL, 0, ALLOWED);
    }

    @Test
    void whoIsInTimePaysNothing() {
        assertEquals(0, now());
        looked(30, 25);
        assertEquals(0, now());
    }

    @Test
    void whoIsAlwaysLatePaysForThatAndALittleMore() {
        looked(1, 40);
        assertEquals(21 * MILLI, now(), "from the first of them on");
        looked(30, 41);
        assertEquals(21 * MILLI, now(), "no other one, as long as it is hardly better");
        looked(16, 10);
        assertEquals(0, now(), "in time again");
    }

    @Test
    void aFewLateOnesAreLost() {
        looked(16, 1);
        looked(2, 120);
        assertEquals(0, now());
        looked(9, 120);
        assertEquals(0, now(), "a third of those in time, in a third of the time");
        looked(3, 120);
        assertTrue(now() > 95 * MILLI, "most of them");
    }

    @Test
    void itPaysForAsManyAsAreWorthIt() {
        looked(8, 30);
        looked(8, 400);
        assertTrue(now() > 5 * MILLI && now() < 20 * MILLI, "half of them, in an eighth of the time");
    }

    @Test
    void nobodyPaysForAnHourThatHeStoodStill() {
        looked(16, 3_600_000);
        assertEquals(0, now());
        looked(16, 600);
        assertEquals(0, now(), "too much");
        looked(1, 400);
        assertTrue(now() >= 375 * MILLI && now() <= Margin.MOST);
    }

    @Test
    void whereAWindowIsSlowerItCostsNothing() {
        looked(12, 10);
        looked(4, 100);
        assertEquals(0, now());
        assertEquals(88_500_000, margin.now(INTERVAL, 200 * MILLI, ALLOWED));
    }
}
