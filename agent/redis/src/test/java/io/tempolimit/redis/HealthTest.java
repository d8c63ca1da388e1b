package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HealthTest {
    private final Health health = new Health(100);
    private long now = 1000;

    /** A call that is made after all others have ended. */
    private boolean failed() {
        now += 10;
        return health.failed(now - 5, now);
    }

    @Test
    void threeInARowEachWay() {
        assertTrue(health.succeeded(), "the first answer is enough at the start");
        assertFalse(failed());
        assertFalse(failed());
        assertFalse(health.succeeded());
        assertFalse(failed());
        assertFalse(failed());
        assertTrue(failed());
        assertEquals(Health.State.ALONE, health.state());
        assertFalse(health.succeeded());
        assertFalse(health.succeeded());
        assertFalse(failed());
        assertFalse(health.succeeded());
        assertFalse(health.succeeded());
        assertTrue(health.succeeded());
        assertEquals(Health.State.SHARED, health.state());
    }

    @Test
    void aMomentThatLetsManyCallsDownIsNoOutage() {
        health.succeeded();
        for (int i = 0; i < 100; i++) {
            assertFalse(health.failed(now, now + 50 + i), "they were all made before the first of them failed");
        }
        assertFalse(health.failed(now + 150, now + 200));
        assertFalse(health.failed(now + 160, now + 201));
        assertTrue(health.failed(now + 205, now + 255), "the third in a row");
    }

    @Test
    void aRedisThatFlickersIsNotGoneOverToAndBack() {
        health.succeeded();
        for (int i = 0; i < 1000; i++) {
            assertFalse(i % 3 == 0 ? health.succeeded() : failed());
        }
    }

    @Test
    void theStartWaitsFromTheFirstRequestOn() {
        for (int i = 0; i < 10; i++) {
            assertFalse(failed(), "nothing was expected yet");
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
