package io.tempolimit.core.circuit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tempolimit.core.policy.Policy;
import org.junit.jupiter.api.Test;

class IncidentTest {
    private static final long SECOND = 1_000_000_000L;
    private final long now = Long.MAX_VALUE - 5 * SECOND; // times overflow, and differences do not

    private Incident incident(int state, long left, int trips, int count, double interval) {
        return new Incident.Builder(now - 4 * SECOND).version(3).epoch(9).rest(state, now + left, 40 * SECOND, now - SECOND)
                .tripped(true).trips(trips, now - 2 * SECOND).count(count, now - 3 * SECOND)
                .learned(interval, 1, interval > 0 ? "1,2" : "-").build();
    }

    private Incident merge(Incident mine, Incident theirs) {
        return Incident.merge(mine, theirs, new Policy.Builder().build(), now);
    }

    @Test
    void afterAnOutageTheLongerRestHolds() {
        Incident shorter = incident(Incident.COOLING_DOWN, 10 * SECOND, 3, 0, 0);
        Incident longer = incident(Incident.COOLING_DOWN, 30 * SECOND, 1, 4, 2e9);
        for (Incident merged : new Incident[] {merge(shorter, longer), merge(longer, shorter)}) {
            assertEquals(30 * SECOND, merged.until - now);
            assertEquals(3, merged.trips);
            assertEquals(4, merged.count);
            assertEquals(2e9, merged.interval);
        }
        Incident over = incident(Incident.CIRCUIT_OPEN, -SECOND, 0, 0, 0);
        Incident open = incident(Incident.OPEN, 0, 0, 0, 0);
        Incident life = incident(Incident.LIFETIME_BLOCKED, 0, 9, 0, 0);
        assertEquals(Incident.CIRCUIT_OPEN, merge(open, over).state, "a probe is due still");
        assertEquals(Incident.COOLING_DOWN, merge(over, longer).state);
        assertEquals(Incident.LIFETIME_BLOCKED, merge(longer, life).state);
    }
}
