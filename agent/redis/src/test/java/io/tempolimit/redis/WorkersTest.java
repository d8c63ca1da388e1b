package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class WorkersTest {
    private static final long SECOND = 1_000_000_000L;
    private final Workers workers = new Workers();

    private void answered(long n, boolean shared, long seconds) {
        workers.answered(List.of(n, 0L), shared, seconds * SECOND);
    }

    /** Whoever was back first after half a minute saw nobody else, and took the whole rate if Redis went again. */
    @Test
    void whoeverCameBackFirstForgotTheOthers() {
        answered(12, true, 100);
        answered(12, true, 106);
        assertTrue(workers.counted());
        answered(1, false, 140);
        assertEquals(12, workers.alive(), "Redis answers it again, and the others later");
        workers.countAnew(141 * SECOND);
        assertFalse(workers.counted());
        answered(2, true, 142);
        assertEquals(12, workers.alive());
        answered(5, true, 147);
        assertEquals(5, workers.alive(), "they have had the time for a beat");
        assertTrue(workers.counted());
    }

    @Test
    void howLongToWaitForTheOthersIsNotBelievedBlindly() {
        assertEquals(2_500_000_000L, untilAllReturn(List.of(3L, 2_500L)));
        assertEquals(5 * SECOND, untilAllReturn(List.of(3L, Long.MAX_VALUE)));
        assertEquals(0, untilAllReturn(List.of(3L, -1L)));
        assertEquals(0, untilAllReturn(List.of(3L)));
        assertEquals(0, untilAllReturn("OK"));
    }

    private static long untilAllReturn(Object answer) {
        return new Workers().untilAllReturn(answer, true, 100 * SECOND);
    }

    /** The script takes the moment for another outage's if nobody has asked for half a second. */
    @Test
    void whoAsksTooSlowlyForTheScriptReturnsAfterFiveSecondsAllTheSame() {
        List<Long> answer = List.of(1L, 3_000L);
        assertEquals(0, workers.untilAllReturn(answer, false, 100 * SECOND));
        assertEquals(3 * SECOND, workers.untilAllReturn(answer, true, 101 * SECOND));
        assertEquals(2 * SECOND, workers.untilAllReturn(answer, true, 104 * SECOND));
        assertEquals(0, workers.untilAllReturn(answer, true, 107 * SECOND));
        assertEquals(0, workers.untilAllReturn(answer, false, 108 * SECOND), "Redis was gone again");
        assertEquals(3 * SECOND, workers.untilAllReturn(answer, true, 109 * SECOND));
    }
}
