package io.tempolimit.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.runtime.Clock;
import org.junit.jupiter.api.Test;

class HeadroomTest {
    private final Policy policy = new Policy.Builder().rate(1e6).burst(100_000).concurrency(1).build();
    private final Limiter limiter = new Limiter(Clock.SYSTEM, new Seeded(), TestRules.of(policy), Listener.NONE);
    private int overflows;

    /** As a hook does it, at this depth. */
    private void request(int depth) throws Exception {
        if (depth > 0) {
            request(depth - 1);
            return;
        }
        Headroom.need();
        Permit permit = limiter.arrive(new TestTarget("a.example"));
        assertTrue(permit.granted(), "a place is missing");
        permit.answered(200);
    }

    private boolean bears(int depth) throws Exception {
        try {
            request(depth);
            return true;
        } catch (StackOverflowError e) {
            overflows++;
            return false;
        }
    }

    /** A request whose hook ran out of its stack kept its place, and with enough of them the host stood still. */
    @Test
    void aStackThatOverflowsLosesNoRequest() throws Exception {
        for (int i = 0; i < 1000; i++) {
            request(10);
        }
        Throwable[] failure = new Throwable[1];
        Thread thread = new Thread(null, () -> {
            try {
                for (int round = 0; round < 5; round++) {
                    int depth = 500;
                    while (bears(depth + 50)) {
                        depth += 50;
                    }
                    for (int good = 0; good < 50; depth++) { // code is compiled meanwhile, and needs less of the stack
                        good = bears(depth) ? 0 : good + 1;
                    }
                    for (int good = 0; good < 50; depth--) {
                        good = bears(depth) ? good + 1 : 0;
                    }
                }
            } catch (Throwable t) {
                failure[0] = t;
            }
        }, "deep", 512 * 1024);
        thread.start();
        thread.join();
        if (failure[0] != null) {
            throw new AssertionError(failure[0]);
        }
        assertTrue(overflows > 250, overflows + " overflows");
        assertEquals(0, limiter.key("a.example").stats().activeRequests);
    }
}
