package io.tempolimit.core.circuit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Replay;
import io.tempolimit.core.policy.Policy;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/**
 * Records of one key that workers wrote without knowing of each other: in whatever order they are merged, all workers end with
 * the same one, and it forgets nothing.
 */
@AddLifecycleHook(Replay.class)
class IncidentMergeTest {
    private static final long SECOND = 1_000_000_000L;
    /** Times overflow, and differences do not. */
    private static final long NOW = Long.MAX_VALUE - 5 * SECOND;
    private static final Policy POLICY = new Policy.Builder().cooldownMemory(600 * SECOND).escalationMemory(3600 * SECOND).build();

    /** Records that a circuit can give, equal parts of them often: ties are where an order matters. */
    @Provide
    Arbitrary<Incident> records() {
        Arbitrary<Integer> epoch = Arbitraries.integers().between(0, 4);
        Arbitrary<Long> version = Arbitraries.longs().between(0, 3);
        return Combinators.combine(rests(), trips(), counts(), learned(), epoch, version).as((rest, trips, counts, learned, e, v) ->
                new Incident.Builder(rest).version(v).epoch(e).trips(trips.trips, trips.lastTrip).count(counts.count, counts.counted)
                        .learned(learned.interval, learned.burst, learned.learned).saved(learned.saved).build());
    }

    private static Arbitrary<Long> seconds(int least, int most) {
        return Arbitraries.integers().between(least, most).map(s -> s * SECOND);
    }

    /** When a rest began, for how long it is, and of which kind: a trip's, another's, or an operator's. */
    private static Arbitrary<Incident> rests() {
        Arbitrary<Incident> open = seconds(-3, 0).map(since -> part(Incident.OPEN, NOW, 0, NOW + since, false, false));
        Arbitrary<Integer> states = Arbitraries.of(Incident.COOLING_DOWN, Incident.CIRCUIT_OPEN);
        Arbitrary<Incident> resting = Combinators.combine(states, seconds(-4, 0), seconds(0, 7),
                Arbitraries.integers().between(0, 2)).as((state, since, pause, kind) ->
                        part(kind == 2 ? Incident.COOLING_DOWN : state, NOW + since + pause, pause, NOW + since, kind == 1, kind == 2));
        Arbitrary<Incident> life = seconds(-3, 0).map(since -> part(Incident.LIFETIME_BLOCKED, NOW, 0, NOW, true, false));
        return Arbitraries.frequencyOf(Tuple.of(3, open), Tuple.of(6, resting), Tuple.of(1, life));
    }

    private static Incident part(int state, long until, long pause, long since, boolean tripped, boolean held) {
        return new Incident.Builder(NOW).rest(state, until, pause, since).tripped(tripped).held(held).build();
    }

    /** Some of them are forgotten. */
    private static Arbitrary<Incident> trips() {
        return Combinators.combine(Arbitraries.integers().between(0, 3), seconds(-4000, 0)).as((n, time) ->
                new Incident.Builder(NOW).trips(n, NOW + time).build());
    }

    private static Arbitrary<Incident> counts() {
        return Combinators.combine(Arbitraries.integers().between(0, 4), seconds(-700, 0)).as((n, time) ->
                new Incident.Builder(NOW).count(n, NOW + time).build());
    }

    private static Arbitrary<Incident> learned() {
        Arbitrary<String> texts = Arbitraries.of("-", "1,2", "1,3", Incident.SET);
        return Combinators.combine(texts, Arbitraries.of(0d, 1e9, 2e9), Arbitraries.integers().between(1, 3), seconds(-2, 0))
                .as((text, interval, burst, saved) -> new Incident.Builder(NOW + saved)
                        .learned(text.equals("-") ? 0 : interval, text.equals("-") ? 0 : burst, text).build());
    }

    private static Incident merge(Incident a, Incident b) {
        return Incident.merge(a, b, POLICY, NOW);
    }

    /** All of it, times as differences to now. */
    static String text(Incident i) {
        return "version " + i.version + " epoch " + i.epoch + " state " + i.state + " until " + (i.until - NOW) + " pause " + i.pause
                + " since " + (i.since - NOW) + (i.tripped ? " tripped" : "") + (i.held ? " held" : "") + " trips " + i.trips
                + " last " + (i.lastTrip - NOW) + " count " + i.count + " counted " + (i.counted - NOW) + " interval " + i.interval
                + " burst " + i.burst + " learned " + i.learned + " saved " + (i.saved - NOW);
    }

    private static int trips(Incident i) {
        return NOW - i.lastTrip > POLICY.escalationMemory() ? 0 : i.trips;
    }

    private static int count(Incident i) {
        return NOW - i.counted > POLICY.cooldownMemory() ? 0 : i.count;
    }

    @Property(tries = 1000)
    void theOrderOfTwoChangesNothing(@ForAll("records") Incident a, @ForAll("records") Incident b) {
        assertEquals(text(merge(a, b)), text(merge(b, a)), () -> text(a) + "\n" + text(b));
    }

    @Property(tries = 1000)
    void theOrderOfThreeChangesNothing(@ForAll("records") Incident a, @ForAll("records") Incident b, @ForAll("records") Incident c) {
        assertEquals(text(merge(merge(a, b), c)), text(merge(a, merge(b, c))), () -> text(a) + "\n" + text(b) + "\n" + text(c));
    }

    @Property(tries = 1000)
    void toHearTheSameAgainChangesNothing(@ForAll("records") Incident a, @ForAll("records") Incident b) {
        if (trips(a) == a.trips && count(a) == a.count) {
            assertEquals(text(a), text(merge(a, a)));
        }
        Incident merged = merge(a, b);
        assertEquals(text(merged), text(merge(merged, b)));
        assertEquals(text(merged), text(merge(a, merged)));
    }

    @Property(tries = 1000)
    void noTripIsForgottenAndNoneThatIsForgottenComesBack(@ForAll("records") Incident a, @ForAll("records") Incident b) {
        Incident merged = merge(a, b);
        String records = "\n" + text(a) + "\n" + text(b);
        for (Incident one : new Incident[] {a, b}) {
            assertTrue(merged.trips >= trips(one), "rungs" + records);
            assertTrue(trips(one) == 0 || merged.lastTrip - one.lastTrip >= 0, "when the last trip was" + records);
            assertTrue(merged.count >= count(one), "blocks in a row" + records);
            assertTrue(count(one) == 0 || merged.counted - one.counted >= 0, "when the last block was" + records);
            assertTrue(one.state == Incident.OPEN || !one.tripped || merged.tripped, "the rest comes from a trip" + records);
            assertFalse(one.state != Incident.OPEN && !one.held && merged.held,
                    "the site asked for this rest, so a probe follows" + records);
        }
        assertEquals(Math.max(trips(a), trips(b)), merged.trips);
        assertEquals(Math.max(count(a), count(b)), merged.count);
    }

    @Property(tries = 1000)
    void whoeverRestsLongerOrGoesSlowerIsFollowed(@ForAll("records") Incident a, @ForAll("records") Incident b) {
        Incident merged = merge(a, b);
        String records = "\n" + text(a) + "\n" + text(b);
        for (Incident one : new Incident[] {a, b}) {
            assertTrue(one.state != Incident.LIFETIME_BLOCKED || merged.state == Incident.LIFETIME_BLOCKED, "blocked for life" + records);
            assertTrue(one.state == Incident.OPEN || merged.state != Incident.OPEN, "a rest, or its probe, is due" + records);
            assertTrue(one.state == Incident.OPEN || merged.state == Incident.LIFETIME_BLOCKED || merged.until - one.until >= 0,
                    "until when it rests" + records);
            assertTrue(merged.epoch >= one.epoch && merged.version >= one.version, "numbers" + records);
            assertTrue(merged.interval >= one.interval, "the rate" + records);
            assertTrue(one.learned.equals("-") || !merged.learned.equals("-"), "something was learnt" + records);
        }
    }

    /** What holds of one that says more holds of what is merged from it. */
    @Property(tries = 1000)
    void whoKnowsMoreEndsWithNoLess(@ForAll("records") Incident a, @ForAll("records") Incident b, @ForAll("records") Incident more) {
        Incident less = merge(a, b);
        Incident all = merge(merge(a, more), b);
        assertTrue(all.trips >= less.trips && all.count >= less.count && all.epoch >= less.epoch && all.interval >= less.interval);
        assertTrue(less.state == Incident.OPEN || all.state != Incident.OPEN);
        assertTrue(less.state == Incident.OPEN || all.state == Incident.LIFETIME_BLOCKED || all.until - less.until >= 0);
        assertEquals(text(all), text(merge(all, less)), "what less knows is in it");
    }
}
