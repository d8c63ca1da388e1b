package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.SECOND;
import static io.tempolimit.core.FleetScene.arrive;
import static io.tempolimit.core.FleetScene.scene;
import static io.tempolimit.core.FleetScene.sent;
import static io.tempolimit.core.FleetScene.trip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Limit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one JVM finds out while the store is away: all know it afterwards. */
@Timeout(120)
class FleetAfterOutageTest {
    /** All are alone after it. */
    private static void lose(FleetScene s) {
        s.workers.forEach(w -> w.link.breaks());
        s.pass(SECOND);
        assertTrue(s.workers.stream().noneMatch(w -> w.link.shared()), "all are alone");
    }

    private static void heal(FleetScene s) {
        s.workers.forEach(w -> w.link.cut = false);
        s.pass(SECOND);
        assertTrue(s.workers.stream().allMatch(w -> w.link.shared()), "all are back");
    }

    /** One request of that worker while it is alone. */
    private static Permit alone(FleetScene s, int worker) {
        Permit p = s.workers.get(worker).arrive();
        s.pass(2 * SECOND);
        assertTrue(p.granted());
        return p;
    }

    private static FleetScene known(FleetScene s) {
        s.workers.forEach(w -> sent(s, w).answered(200));
        s.settle();
        return s;
    }

    @Test
    void aBlockForGood() {
        FleetScene s = known(scene(3, b -> b.rate(10).burst(5).cooldownThreshold(1).escalation(new Escalation(Escalation.LIFETIME))));
        lose(s);
        alone(s, 0).answered(429);
        assertEquals("lifetime_blocked", s.workers.get(0).state());
        assertEquals("open", s.workers.get(1).state());
        heal(s);
        for (FleetScene.Worker w : s.workers) {
            assertEquals("lifetime_blocked", w.state());
        }
    }

    @Test
    void blocksInARow() {
        FleetScene s = known(scene(2, b -> b.rate(10).burst(5).cooldownThreshold(3)));
        lose(s);
        alone(s, 0).answered(429);
        alone(s, 0).answered(429);
        heal(s);
        Permit p = s.workers.get(1).arrive();
        s.pass(SECOND);
        p.answered(429);
        s.settle();
        for (FleetScene.Worker w : s.workers) {
            assertEquals("cooling_down", w.state());
        }
    }

    @Test
    void blocksInARowOfAllHosts() {
        FleetScene s = known(scene(2, b -> b.rate(10).burst(5).cooldownThreshold(3).global(true)));
        lose(s);
        alone(s, 0).answered(429);
        alone(s, 0).answered(429);
        heal(s);
        Permit p = s.workers.get(1).arrive("other.example");
        s.pass(SECOND);
        p.answered(429);
        s.settle();
        assertEquals("cooling_down", s.workers.get(0).state());
        assertEquals("cooling_down", s.workers.get(1).state());
    }

    /** The longer of two holds. */
    @Test
    void rests() {
        FleetScene s = known(scene(2, b -> b.rate(10).burst(5).cooldownThreshold(1)));
        lose(s);
        alone(s, 0).answered(429);
        s.pass(10 * SECOND);
        alone(s, 1).answered(429);
        heal(s);
        long back = s.clock.nanos();
        s.workers.forEach(w -> arrive(w, 5));
        s.pass(28 * SECOND);
        assertTrue(s.departures.stream().noneMatch(t -> t - back > 0), "the second one's rest goes on");
        s.pass(4 * SECOND);
        assertEquals(1, s.departures.stream().filter(t -> t - back > 0).count(), "one probe");
    }

    @Test
    void whatWasLearnt() {
        FleetScene s = known(scene(2, b -> b.rate(10).burst(5).learn(true).cooldownThreshold(3)));
        for (FleetScene.Worker w : s.workers) {
            for (int i = 0; i < 30; i++) {
                Permit p = w.arrive();
                s.pass(SECOND / 5);
                p.answered(200);
            }
        }
        lose(s);
        FleetScene.Worker w = s.workers.get(0);
        long full = s.clock.nanos(); // of the site's bucket: one a second, three at once
        for (int i = 0; i < 600; i++) {
            Permit p = w.arrive();
            s.pass(SECOND / 4);
            if (p.granted()) {
                full = Math.max(full, s.clock.nanos());
                boolean good = full - s.clock.nanos() < 3 * SECOND;
                full += good ? SECOND : 0;
                p.answered(good ? 200 : 429);
            } else {
                p.cancel();
            }
        }
        double learned = w.key().limit().rate();
        assertTrue(learned < 5, "it learns nothing: " + learned);
        heal(s);
        arrive(s.workers.get(1), 1);
        s.pass(SECOND);
        assertEquals(s.workers.get(0).key().limit().rate(), s.workers.get(1).key().limit().rate(), 1e-9);
        assertTrue(s.workers.get(1).key().limit().rate() < 9, "and the other one knows it: " + s.workers.get(1).key().limit().rate());
    }

    @Test
    void whatAnOperatorDid() {
        FleetScene s = known(scene(3, b -> b.rate(10).burst(5)));
        lose(s);
        s.workers.get(0).key().limit(new Limit(2, 1));
        s.workers.get(0).key().pause(60 * SECOND);
        heal(s);
        for (FleetScene.Worker w : s.workers) {
            assertEquals("cooling_down", w.state());
            assertEquals(2, w.key().limit().rate());
        }
    }

    @Test
    void anOperatorsResetOfWhatAllKnew() {
        FleetScene s = known(scene(2, b -> b.rate(10).burst(5).cooldownThreshold(1).escalation(new Escalation(Escalation.LIFETIME))));
        trip(s, s.workers.get(0));
        lose(s);
        s.workers.get(0).key().reset();
        heal(s);
        for (FleetScene.Worker w : s.workers) {
            assertEquals("open", w.state());
        }
    }

    /** Each has its own; an outage neither frees any nor keeps any. */
    @Test
    void requestsInFlight() {
        FleetScene s = known(scene(2, b -> b.rate(100).burst(50).concurrency(2)));
        s.workers.forEach(w -> w.gone.clear());
        s.workers.forEach(w -> arrive(w, 20));
        s.settle();
        for (int i = 0; i < 20; i++) {
            if (i == 5) {
                s.workers.forEach(w -> w.link.breaks());
            } else if (i == 10) {
                s.workers.forEach(w -> w.link.cut = false);
            }
            for (FleetScene.Worker w : s.workers) {
                assertTrue(w.gone.size() <= 2, w.gone.size() + " in flight");
                List<Permit> ended = new ArrayList<>(w.gone);
                w.gone.clear();
                ended.forEach(p -> p.answered(200));
            }
            s.pass(2 * SECOND);
        }
        assertEquals(42, s.departures.size());
    }

    /** A host that fails is left alone by all. */
    @Test
    void failures() {
        FleetScene s = known(scene(2, b -> b.rate(10).burst(5).learn(true)));
        for (FleetScene.Worker w : s.workers) {
            for (int i = 0; i < 20; i++) {
                Permit p = w.arrive();
                s.pass(SECOND / 5);
                p.answered(200);
            }
        }
        lose(s);
        for (int i = 0; i < 3; i++) {
            alone(s, 0).failed(new IOException("refused"));
        }
        String found = s.workers.get(0).state();
        heal(s);
        assertEquals(found, s.workers.get(1).state());
    }
}
