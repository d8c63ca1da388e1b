package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Requests that go before their turn, and whose senders wait afterwards. */
class AheadTest {
    private static final long SECOND = 1_000_000_000L;

    private final TurnedClock clock = new TurnedClock(1_000 * SECOND);
    private final List<Long> waited = new ArrayList<>();

    private Limiter limiter(Policy policy) {
        return new Limiter(clock, new Seeded(), TestRules.of(policy), new Listener() {
            @Override
            public void throttled(Key key, Target target, long nanos, Object begun) {
                waited.add(nanos);
            }
        });
    }

    private static Policy.Builder policy() {
        return new Policy.Builder().rate(1).burst(1).cooldownThreshold(1).cooldownDuration(60 * SECOND, 60 * SECOND);
    }

    private static Permit arrive(Limiter limiter) throws Exception {
        return limiter.arrive(new TestTarget("shop.example"));
    }

    @Test
    void itGoesAtOnceAndTheNextOneComesBehindIt() throws Exception {
        Limiter limiter = limiter(policy().build());
        assertEquals(0, arrive(limiter).goAhead(0, false), "it need not wait");
        Permit ahead = arrive(limiter);
        assertEquals(0, ahead.goAhead(SECOND, false), "so short a wait is none");
        assertTrue(ahead.waiting());
        assertEquals(SECOND, ahead.goAhead(0, false));
        assertTrue(ahead.granted());
        assertEquals(0, ahead.goAhead(0, false));
        assertEquals(List.of(SECOND), waited);
        Permit next = arrive(limiter);
        assertEquals(2 * SECOND, next.wakeAt() - clock.nanos());
        ahead.answered(200);
        assertTrue(ahead.done());
        clock.turn(2 * SECOND);
        assertTrue(next.poll());
    }

    /** Those that waited in front of it wait longer by its token: it has overtaken them. */
    @Test
    void whoeverIsOvertakenMovesBack() throws Exception {
        Limiter limiter = limiter(policy().build());
        arrive(limiter);
        Permit first = arrive(limiter);
        Permit second = arrive(limiter);
        assertEquals(2 * SECOND, second.goAhead(0, false));
        assertTrue(first.waiting());
        clock.turn(SECOND);
        assertTrue(first.poll() && first.granted());
        Permit third = arrive(limiter);
        assertEquals(2 * SECOND, third.wakeAt() - clock.nanos());
    }

    /** A hundred threads that begin together are not served at once. */
    @Test
    void noMoreThanBurstGoAhead() throws Exception {
        Limiter limiter = limiter(policy().burst(3).build());
        int gone = 0;
        for (int i = 0; i < 100; i++) {
            Permit p = arrive(limiter);
            gone += p.granted() || p.goAhead(0, true) > 0 ? 1 : 0;
        }
        assertEquals(3 + 3, gone);
        clock.turn(2 * SECOND);
        assertEquals(0, arrive(limiter).goAhead(0, true), "they wait behind those");
    }

    @Test
    void nothingButATokenIsOvertaken() throws Exception {
        Limiter resting = limiter(policy().burst(3).build());
        arrive(resting).answered(429);
        assertEquals(0, arrive(resting).goAhead(0, false), "a cooldown");
        Limiter capped = limiter(policy().burst(3).concurrency(1).build());
        arrive(capped);
        Permit placeless = arrive(capped);
        assertEquals(0, placeless.goAhead(0, false), "a place");
        assertTrue(placeless.waiting());
        assertFalse(placeless.granted());
    }

    /** In any order of what goes ahead, waits, and is cancelled, no more go than burst, rate and those ahead of their turn. */
    @Test
    void theBoundHolds() throws Exception {
        Random random = new Random(16);
        for (int round = 0; round < 200; round++) {
            Limiter limiter = limiter(policy().burst(2).build());
            long start = clock.nanos();
            List<Permit> waiting = new ArrayList<>();
            List<Long> turns = new ArrayList<>();
            int gone = 0;
            for (int i = 0; i < 60; i++) {
                Permit p = arrive(limiter);
                if (p.granted()) {
                    gone++;
                } else if (turns.size() < 3 && random.nextBoolean()) {
                    turns.add(clock.nanos() + p.goAhead(0, false));
                    gone++;
                } else if (random.nextInt(4) == 0) {
                    p.cancel();
                } else {
                    waiting.add(p);
                }
                clock.turn(random.nextInt(700) * 1_000_000L);
                for (Permit w : new ArrayList<>(waiting)) {
                    if (w.poll()) {
                        waiting.remove(w);
                        gone++;
                    }
                }
                turns.removeIf(t -> clock.nanos() - t >= 0);
                double most = 2 + (clock.nanos() - start) / (double) SECOND + turns.size();
                assertTrue(gone <= most + 1e-6, "round " + round + ": " + gone + " of " + most);
            }
        }
    }
}
