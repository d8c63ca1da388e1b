package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HealthTest {
    private final Health health = new Health(100);

    @Test
    void threeInARowEachWay() {
        assertTrue(health.succeeded(), "the first answer is enough at the start");
        assertFalse(health.failed());
        assertFalse(health.failed());
        assertFalse(health.succeeded());
        assertFalse(health.failed());
        assertFalse(health.failed());
        assertTrue(health.failed());
        assertEquals(Health.State.ALONE, health.state());
        assertFalse(health.succeeded());
        assertFalse(health.succeeded());
        assertFalse(health.failed());
        assertFalse(health.succeeded());
        assertFalse(health.succeeded());
        assertTrue(health.succeeded());
        assertEquals(Health.State.SHARED, health.state());
    }

    @Test
    void aRedisThatFlickersIsNotGoneOverToAndBack() {
        health.succeeded();
        for (int i = 0; i < 1000; i++) {
            assertFalse(i % 3 == 0 ? health.succeeded() : health.failed());
        }
    }

    @Test
    void theStartWaitsFromTheFirstRequestOn() {
        for (int i = 0; i < 10; i++) {
            assertFalse(health.failed(), "nothing was expected yet");
        }
        assertFalse(health.waited(1000));
        health.asked(1000);
        health.asked(1090);
        assertFalse(health.waited(1099));
        assertTrue(health.waited(1100));
        assertEquals(Health.State.ALONE, health.state());
        assertFalse(health.waited(1200));
    }
}
