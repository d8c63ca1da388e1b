package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** {@code cooldown.scope=global} in a fleet: blocks of all hosts, wherever they are met, count together, and all hosts rest. */
class FleetCountTest {
    private static final long SECOND = FleetScene.SECOND;
    private static final long MILLI = FleetScene.MILLI;

    private final FleetScene s = new FleetScene(1, 3, MILLI, FleetScene.settings(),
        b -> b.rate(100).burst(20).cooldownThreshold(3).cooldownDuration(30 * SECOND, 30 * SECOND).global(true));

    private void answer(int worker, String host, int status) {
        Permit p = s.workers.get(worker).arrive(host);
        s.settle();
        assertTrue(p.granted(), () -> host + " is not asked");
        p.answered(status);
        s.settle();
    }

    private String state(int worker, String host) {
        return s.workers.get(worker).limiter.key(host).stats().state;
    }

    @Test
    void blocksOfAllHostsOfAllWorkersCountTogether() {
        answer(0, "known.example", 200);
        answer(0, "a.example", 429);
        answer(1, "b.example", 429);
        assertEquals("open", state(0, "a.example"));
        answer(2, "c.example", 429);
        assertEquals("cooling_down", state(2, "c.example"));
        assertEquals("cooling_down", state(1, "b.example"));
        assertEquals("cooling_down", state(0, "a.example"));
        assertEquals("cooling_down", state(0, "known.example"));
        assertEquals(2, s.workers.get(0).heard.stream().filter(h -> h.startsWith("cooldown")).count(),
                () -> "each host rests once: " + s.workers.get(0).heard);
        Permit fresh = s.workers.get(1).arrive("new.example");
        s.pass(29 * SECOND);
        assertTrue(fresh.waiting());
        s.pass(2 * SECOND);
        assertTrue(fresh.granted(), "as its host's probe");
    }

    @Test
    void aPageOfAnyHostEndsTheRow() {
        answer(0, "a.example", 429);
        answer(1, "b.example", 429);
        answer(2, "c.example", 200);
        answer(0, "a.example", 429);
        answer(1, "b.example", 429);
        assertEquals("open", state(1, "b.example"));
        answer(2, "c.example", 429);
        assertEquals("cooling_down", state(0, "a.example"));
    }

    @Test
    void blocksOfOneMomentAreAllCounted() {
        Permit[] sent = new Permit[2];
        for (int i = 0; i < 2; i++) {
            sent[i] = s.workers.get(i).arrive("h" + i + ".example");
        }
        s.settle();
        for (Permit p : sent) {
            p.answered(429);
        }
        s.pass(SECOND);
        answer(2, "c.example", 429);
        assertEquals("cooling_down", state(2, "c.example"));
        assertEquals("cooling_down", state(0, "h0.example"));
    }

    /** A worker that has just been started knows of none of it. */
    @Test
    void aNewWorkerJoinsTheRest() {
        for (int i = 0; i < 3; i++) {
            answer(0, "a.example", 429);
        }
        FleetScene.Worker late = s.new Worker(FleetScene.settings());
        s.workers.add(late);
        Permit p = late.arrive("other.example");
        s.pass(29 * SECOND);
        assertTrue(p.waiting());
        s.pass(2 * SECOND);
        assertTrue(p.granted());
    }

    @Test
    void blocksOfOneMomentTrippedOnlyWithTheNextOne() {
        Permit[] sent = new Permit[3];
        for (int i = 0; i < 3; i++) {
            sent[i] = s.workers.get(i).arrive("h" + i + ".example");
        }
        s.settle();
        for (Permit p : sent) {
            p.answered(429);
        }
        s.pass(SECOND);
        for (int i = 0; i < 3; i++) {
            assertEquals("cooling_down", state(i, "h" + i + ".example"));
            assertEquals(1, s.workers.get(i).heard.stream().filter(h -> h.startsWith("cooldown")).count(),
                    s.workers.get(i).heard.toString());
        }
    }

    /** As that of a user who may not listen, or whose connection was lost at that moment. */
    @Test
    void aWorkerThatMissedAPublicationDidNotRest() {
        answer(2, "known.example", 200);
        s.workers.get(2).link.deaf = true;
        for (int i = 0; i < 3; i++) {
            answer(0, "a.example", 429);
        }
        s.pass(5 * SECOND);
        s.workers.get(2).arrive("known.example");
        s.settle();
        Permit p = s.workers.get(2).arrive("known.example");
        s.pass(20 * SECOND);
        assertTrue(p.waiting());
        assertEquals("cooling_down", state(2, "known.example"));
    }

    @Test
    void aRestOfAllThatCouldNotBeToldIsToldAsSoonAsItCan() {
        answer(2, "known.example", 200);
        answer(0, "a.example", 429);
        answer(0, "a.example", 429);
        Permit p = s.workers.get(0).arrive("a.example");
        s.settle();
        s.workers.get(0).link.cut = true;
        p.answered(429);
        s.pass(SECOND / 10);
        s.workers.get(0).link.cut = false;
        s.pass(SECOND / 2);
        assertEquals("cooling_down", state(2, "known.example"));
    }
}
