package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static io.tempolimit.core.FleetScene.arrive;
import static io.tempolimit.core.FleetScene.scene;
import static io.tempolimit.core.FleetScene.trip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A probe that is given up with nobody behind it: the other workers waited for its lease, for half a minute. */
@Timeout(120)
class FleetProbeTest {
    private final FleetScene s = scene(3, b -> b.rate(10).burst(5).cooldownThreshold(1));
    private final FleetScene.Worker one = s.workers.get(0);
    private final FleetScene.Worker two = s.workers.get(1);

    /** How a worker gives up its probe. */
    private enum End {
        /** Its request is cancelled, or its connection closed. */
        ABANDONED((w, p) -> p.abandoned()),
        /** It was granted, and is not sent. */
        UNUSED((w, p) -> p.unused()),
        /** The program ends. */
        LEAVES((w, p) -> w.limiter.leaveFleet()),
        /** Nothing is paced any more, and then its answer comes. */
        STOPPED((w, p) -> {
            w.limiter.setEnabled(false);
            p.answered(200);
        });

        private final BiConsumer<FleetScene.Worker, Permit> how;

        End(BiConsumer<FleetScene.Worker, Permit> how) {
            this.how = how;
        }
    }

    /** The first worker's probe is under way, and the others have asked for one. */
    private Permit probe() {
        trip(s, one);
        Permit p = one.arrive();
        s.pass(31 * SECOND);
        assertTrue(Inside.of(p).probe > 0, "the first one's probe");
        arrive(two, 1);
        arrive(s.workers.get(2), 1);
        s.pass(SECOND);
        return p;
    }

    @ParameterizedTest
    @EnumSource
    void theNextOneGoesAtOnce(End end) {
        Permit p = probe();
        int before = s.departures.size();
        end.how.accept(one, p);
        s.pass(SECOND / 5);
        assertEquals(before + 1, s.departures.size(), "a single one, as soon as there is a token");
    }

    /** A message may get lost, and a user of Redis may lack the right to listen. */
    @Test
    void whoHearsNothingAsksEveryNowAndThen() {
        Permit p = probe();
        two.link.deaf = true;
        s.workers.get(2).link.deaf = true;
        int before = s.departures.size();
        p.abandoned();
        s.pass(5 * SECOND);
        assertEquals(before + 1, s.departures.size());
    }

    /** The others' questions and what is published overtake each other on their ways. */
    @Test
    void itIsGivenUpBeforeTheOthersHearOfIt() {
        for (int seed = 0; seed < 100; seed++) {
            FleetScene many = new FleetScene(seed, 6, 20 * MILLI, FleetScene.settings(),
                    b -> b.rate(100).burst(5).cooldownThreshold(1).cooldownDuration(30 * SECOND, 30 * SECOND));
            trip(many, many.workers.get(0));
            int before = many.departures.size();
            many.leaves = (w, permit) -> permit.abandoned();
            many.workers.forEach(w -> arrive(w, 1));
            many.pass(32 * SECOND);
            assertEquals(before + 6, many.departures.size(), "seed " + seed);
        }
    }

    /** Its answer came too late, and whoever was to go by it has left. */
    @Test
    void itWasGivenAndNobodyKnows() {
        trip(s, one);
        Permit p = one.arrive();
        s.pass(29 * SECOND + 900 * MILLI);
        s.redis.latency = 200 * MILLI; // more than the timeout, for most
        s.pass(200 * MILLI);
        p.cancel();
        s.redis.latency = MILLI;
        int before = s.departures.size();
        arrive(two, 1);
        s.pass(2 * SECOND);
        assertEquals(before + 1, s.departures.size());
    }

    /** While Redis is away nobody can be told. */
    @Test
    void itIsGivenUpDuringAnOutage() {
        Permit p = probe();
        one.link.breaks();
        s.pass(SECOND);
        p.abandoned();
        one.link.cut = false;
        int before = s.departures.size();
        s.pass(SECOND);
        assertEquals(before + 1, s.departures.size(), "when its worker is back");
    }
}
