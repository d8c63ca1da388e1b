package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HealthTest {
    private final Health health = new Health(100);
    private long now = 1000;

    /** A call that is made after all others have ended; three of them last for long enough. */
    private boolean failed() {
        return failed(Health.LASTS / 2);
    }

    private boolean failed(long later) {
        now += later;
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
        assertTrue(health.failed(now + 205, now + 50 + Health.LASTS), "the third in a row");
    }

    /**
     * Where connections broke, a busy worker was alone within a millisecond, and an idle one after 0.4 s. Where Redis stood still for
     * 150 ms, the busy one was alone.
     */
    @Test
    void whoeverCallsOftenNoticesNoSoonerThanTheOthers() {
        health.succeeded();
        for (long later = 0; later < Health.LASTS; later += 10_000_000) {
            assertFalse(failed(later == 0 ? 10 : 10_000_000), "after " + later);
        }
        assertTrue(failed(10_000_000));
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
        health.stepped(Health.Step.CONNECTING, 500);
        for (int i = 0; i < 10; i++) {
            assertFalse(failed(), "nothing was expected yet");
        }
        assertFalse(health.waited(1000));
        health.asked(1000);
        health.asked(1090);
        assertEquals(1, health.left(1099));
        assertFalse(health.waited(1099));
        assertTrue(health.waited(1100));
        assertEquals(Health.State.ALONE, health.state());
        assertFalse(health.waited(1200));
    }

    /**
     * Six JVMs with a tenth of a processor each took more than 5 s to load the client, and said of a Redis that was
     * well that it did not answer.
     */
    @Test
    void thePatienceWasOverBeforeRedisWasAsked() {
        health.asked(1000);
        assertFalse(health.waited(1700), "the client is being loaded");
        health.stepped(Health.Step.CONNECTING, 1700);
        assertFalse(health.waited(1799));
        health.stepped(Health.Step.CONNECTED, 1799);
        assertFalse(health.waited(1898));
        health.stepped(Health.Step.LINKED, 1898);
        assertFalse(health.waited(1997));
        assertTrue(health.waited(1998), "a call is under way, and nobody answers");
    }

    @Test
    void aStepThatIsMadeAgainMakesNobodyWaitAnew() {
        health.asked(1000);
        health.stepped(Health.Step.CONNECTED, 1010);
        health.stepped(Health.Step.CONNECTING, 1050);
        health.stepped(Health.Step.CONNECTED, 1060);
        assertFalse(health.waited(1109));
        assertTrue(health.waited(1110));
    }

    @Test
    void aClientThatIsNeverLoadedIsNotWaitedForForEver() {
        health.asked(1000);
        assertFalse(health.waited(2199));
        assertTrue(health.waited(2200));
        Health hasty = new Health(0);
        hasty.asked(1000);
        assertTrue(hasty.waited(1000), "who does not wait does not wait for that either");
    }

    @Test
    void aRefusalIsFinalAtOnce() {
        health.asked(1000);
        assertTrue(health.refused());
        assertEquals(Health.State.ALONE, health.state());
        assertFalse(health.refused(), "it is so already");
        health.succeeded();
        health.succeeded();
        assertFalse(health.refused());
        assertFalse(health.succeeded(), "three in a row");
        assertFalse(health.succeeded());
        assertTrue(health.succeeded());
        assertTrue(health.refused(), "later as well");
    }
}
