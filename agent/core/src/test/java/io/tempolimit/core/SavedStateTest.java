package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.bucket.Window;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Count;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.key.HostKey;
import io.tempolimit.core.key.Retention;
import io.tempolimit.core.learn.Learning;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.memory.Remembered;
import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.junit.jupiter.api.Test;

/**
 * Whatever a key has lived through, what it saves is taken in again, by the next run and by the fleet, and says the
 * same; anything else is refused.
 */
@AddLifecycleHook(Replay.class)
class SavedStateTest {
    private static final long SECOND = Scene.SECOND;
    private static final long HOUR = 3600 * SECOND;
    private static final String HOST = "a.example";

    /** What happens next, and how long after what was before. */
    private enum Move { PAGE, RATE_LIMITED, FORBIDDEN, SAYS_WHEN, ERROR, TIMEOUT, UNUSED, STAYS, PAUSE, RESET }

    private static final class Step {
        final Move move;
        final long gap;

        Step(Move move, long gap) {
            this.move = move;
            this.gap = gap;
        }

        @Override
        public String toString() {
            return move + " after " + gap + " ns";
        }
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<Move> moves = Arbitraries.frequencyOf(Tuple.of(8, Arbitraries.of(Move.PAGE)), Tuple.of(4,
                Arbitraries.of(Move.RATE_LIMITED, Move.FORBIDDEN)),
                Tuple.of(2, Arbitraries.of(Move.values())));
        Arbitrary<Long> gaps = Arbitraries.frequencyOf(Tuple.of(3, Arbitraries.just(0L)), Tuple.of(6, Arbitraries.longs().between(1,
                3 * SECOND)),
                Tuple.of(2, Arbitraries.longs().between(SECOND, 200 * SECOND)), Tuple.of(1, Arbitraries.longs().between(HOUR,
                        90 * 24 * HOUR)));
        return Combinators.combine(moves, gaps).as(Step::new).list().ofMinSize(1).ofMaxSize(150);
    }

    @Provide
    Arbitrary<Policy> policies() {
        Arbitrary<Double> rates = Arbitraries.of(1 / 7200d, 0.01, 0.3, 2d, 50d, 1e6);
        Arbitrary<Integer> numbers = Arbitraries.integers().between(1, 4);
        return Combinators.combine(rates, numbers, numbers, Arbitraries.of(true, false), Arbitraries.of(true, false), Arbitraries.of(0, 1,
                2)).as(
                (rate, burst, threshold, auto, global, rungs) -> {
                    Policy.Builder b = (auto ? new Policy.Builder().auto(rate)
                            : new Policy.Builder().rate(rate)).burst(burst).learn(true).global(global).cooldownThreshold(threshold)
                            .cooldownDuration(SECOND, 40 * SECOND).windows(new WindowLimit(40, 600 * SECOND), new WindowLimit(5000,
                                    24 * HOUR));
                    return (rungs == 0 ? b : rungs == 1 ? b.escalation(new Escalation(Escalation.COOLDOWN, 300 * SECOND,
                            Escalation.LIFETIME))
                            : b.escalation(new Escalation(Escalation.COOLDOWN, Escalation.COOLDOWN, 3 * HOUR))).build();
                });
    }

    /** A limiter that lives through a history. */
    private static final class Life {
        final TurnedClock clock = new TurnedClock(Long.MAX_VALUE - 20 * SECOND); // times overflow, and differences do not
        final Limiter limiter;
        final Policy policy;
        private final List<Permit> open = new ArrayList<>();

        Life(Policy policy) {
            this.policy = policy;
            limiter = new Limiter(clock, new SplittableRandom(0)::nextDouble, TestRules.of(policy), new Listener() { });
            limiter.remember(Map.of());
        }

        Key key() {
            return limiter.key(HOST);
        }

        void live(Step step) {
            clock.turn(step.gap);
            open.removeIf(p -> p.poll() && !p.granted());
            if (step.move == Move.PAUSE && key() != null) {
                try {
                    key().pause(60 * SECOND);
                } catch (IllegalStateException e) {
                    // blocked for good
                }
            } else if (step.move == Move.RESET && key() != null) {
                key().reset();
            } else {
                try {
                    open.add(limiter.arrive(new TestTarget(HOST)));
                } catch (RequestRejectedException e) {
                    // it rests, or there are too many
                }
            }
            Permit first = open.stream().filter(Permit::granted).findFirst().orElse(null);
            if (first != null && step.move != Move.STAYS) {
                open.remove(first);
                end(first, step.move);
            }
        }

        private static void end(Permit permit, Move move) {
            switch (move) {
                case RATE_LIMITED:
                    permit.answered(429);
                    break;
                case FORBIDDEN:
                    permit.answered(403);
                    break;
                case SAYS_WHEN:
                    permit.answered(new TestHead(429, "Retry-After", "90"));
                    break;
                case ERROR:
                    permit.answered(502);
                    break;
                case TIMEOUT:
                    permit.failed(new java.net.SocketTimeoutException());
                    break;
                case UNUSED:
                    permit.unused();
                    break;
                default:
                    permit.answered(200);
            }
        }
    }

    @Property(tries = 150)
    void whatIsSavedIsTakenInAndSavedAgainTheSame(@ForAll("policies") Policy policy, @ForAll("histories") List<Step> history) {
        Life life = new Life(policy);
        for (Step step : history) {
            life.live(step);
            if (life.key() != null) {
                checkSaved(life);
            }
        }
    }

    private static void checkSaved(Life life) {
        long now = life.clock.nanos();
        Remembered saved = new Retention(Inside.of(life.key())).save(0);
        if (saved == null) {
            return;
        }
        Policy p = life.policy;
        if (saved.circuit() != null) {
            Circuit circuit = new Circuit(new Count(), new SplittableRandom(0)::nextDouble);
            circuit.restore(saved.circuit(), 0, true, now);
            assertEquals(saved.circuit(), circuit.save(now));
        }
        if (saved.learned() != null) {
            Learning learning = new Learning(p.auto(), p.ceiling(), p.limit().burst(), now);
            learning.restore(saved.learned(), 0, true, now);
            assertEquals(saved.learned(), learning.save(now));
            assertTrue(learning.rate() > 0 && learning.burst() > 0);
        }
        for (String window : saved.windows()) {
            checkWindow(window, now);
        }
    }

    /** Cells of a large window may come closer to each other, but none leaves earlier. */
    private static void checkWindow(String saved, long now) {
        int slash = saved.indexOf('/');
        int colon = saved.indexOf(':');
        WindowLimit limit = new WindowLimit(Integer.parseInt(saved.substring(0, slash)), Long.parseLong(saved.substring(slash + 1, colon)));
        Window window = new Window(limit);
        window.restore(saved.substring(colon + 1), 0, now);
        String again = window.save(now);
        int used = 0;
        for (String cell : saved.substring(colon + 1).split(",")) {
            used += Integer.parseInt(cell.substring(cell.indexOf('x') + 1));
        }
        assertEquals(used, window.used(now));
        if (limit.count <= Window.EXACT) {
            assertEquals(saved.substring(colon + 1), again);
        }
    }

    @Property(tries = 150)
    void whatIsTheFleetsIsTakenInByAnotherWorkerAndSaysTheSame(@ForAll("policies") Policy policy, @ForAll("histories") List<Step> history) {
        Life life = new Life(policy);
        for (Step step : history) {
            life.live(step);
            if (life.key() != null) {
                long now = life.clock.nanos();
                Incident record = Inside.of(life.key()).incident(1, now);
                HostKey other = new HostKey(Inside.of(life.key()).common, HOST, policy, now);
                other.circuit(policy).load(record, true, now);
                other.learned(record, policy, now);
                Incident again = other.incident(1, now);
                assertEquals(text(record, now), text(again, now));
                assertTrue(record.says(again));
            }
        }
    }

    private static String text(Incident i, long now) {
        return "epoch " + i.epoch + " state " + i.state + " until " + (i.until - now) + " pause " + i.pause + (i.tripped ? " tripped"
                : "") + (i.held ? " held" : "")
                + " trips " + i.trips + " last " + (i.lastTrip - now) + " count " + i.count + " counted " + (i.counted - now)
                        + " learned " + i.learned;
    }

    // ---- what went wrong

    private static void assertReadable(Learning learning, double ceiling, long now) {
        String saved = learning.save(now);
        Learning next = new Learning(false, ceiling, 5, now);
        assertDoesNotThrow(() -> next.restore(saved, 0, true, now), saved);
        assertEquals(saved, next.save(now));
    }

    @Test
    void whatWasLearntOfAHostThatBlockedBeforeAnyPageWasRefused() {
        Learning learning = new Learning(false, 10, 5, 0);
        learning.blocked(true, true, 0);
        assertReadable(learning, 10, SECOND);
    }

    @Test
    void whatWasCountedOfAHostThatIsAskedOnceInAnHourWasRefused() {
        double ceiling = 1 / 3600d;
        Learning learning = new Learning(false, ceiling, 5, 0);
        learning.good(HOUR);
        assertReadable(learning, ceiling, HOUR);
    }

    @Test
    void whatWasLearntOfAHostThatWasAskedSeldomWasRefused() {
        Learning learning = new Learning(false, 10, 5, 0);
        long now = 0;
        for (int i = 0; i < 30; i++) {
            learning.good(now += HOUR);
        }
        learning.blocked(true, true, now += HOUR);
        learning.good(now + SECOND);
        assertReadable(learning, 10, now + SECOND);
    }

    @Test
    void whatWasCountedOfAFastHostInAnHourWasRefused() {
        Learning learning = new Learning(false, 100, 5, 0);
        for (int i = 0; i < 350_000; i++) {
            learning.good(i * SECOND / 100);
        }
        assertReadable(learning, 100, 3500 * SECOND);
    }

    @Test
    void blocksBeforeAnyPauseWereRefusedWhereTheClockBeganLongAgo() {
        long now = 30L * 365 * 24 * HOUR;
        Circuit circuit = new Circuit(new Count(), new SplittableRandom(0)::nextDouble);
        circuit.restore("0,0,0,0,0,0,0,0,0,2,1000000000,", 0, true, now);
        String saved = circuit.save(now);
        Circuit next = new Circuit(new Count(), new SplittableRandom(0)::nextDouble);
        assertDoesNotThrow(() -> next.restore(saved, 0, true, now), saved);
        assertEquals(2, next.count());
    }

    @Test
    void anOperatorsPauseBecameTheSitesOverARestart() {
        Circuit circuit = new Circuit(new Count(), new SplittableRandom(0)::nextDouble);
        circuit.hold(10 * SECOND, 0);
        Circuit next = new Circuit(new Count(), new SplittableRandom(0)::nextDouble);
        next.restore(circuit.save(0), 0, true, 0);
        assertTrue(next.holdOver(10 * SECOND), "it ends without a probe");
    }

    // ---- garbage

    @Provide
    Arbitrary<String> garbage() {
        Arbitrary<String> number = Arbitraries.oneOf(Arbitraries.of("", "-", "-1", "NaN", "Infinity", "1e39", "-0", "0x10",
                "99999999999999999999", "9223372036854775807",
                "2147483647", "2147483648", "65536", "0.5", "4", "a", "429_rate_limited", "1x1", "5x2147483647", "9x0"),
                        Arbitraries.integers().between(0, 3).map(String::valueOf));
        Arbitrary<String> rows = number.list().ofMinSize(1).ofMaxSize(40).map(all -> String.join(",", all));
        Arbitrary<String> fitting = number.list().ofSize(34).map(all -> String.join(",", all));
        Arbitrary<String> circuits = number.list().ofSize(12).map(all -> String.join(",", all));
        return Arbitraries.oneOf(Arbitraries.strings().ofMaxLength(60), rows, fitting, circuits);
    }

    /** It is refused, or harmless: then the key goes on, and what it saves is no garbage. */
    @Property(tries = 1000)
    void garbageIsRefusedOrHarmless(@ForAll("policies") Policy policy, @ForAll("garbage") String circuit,
            @ForAll("garbage") String learned, @ForAll("garbage") String window) {
        Life life = new Life(policy);
        life.limiter.remember(Map.of(HOST, new Remembered(0, 0, circuit, learned, List.of(window, "5/1000000000:" + window))));
        for (Move move : new Move[] {Move.PAGE, Move.RATE_LIMITED, Move.PAGE, Move.PAGE}) {
            life.live(new Step(move, 30 * SECOND));
            checkSaved(life);
        }
        assertFalse(Double.isNaN(life.key().stats().learnedRate));
    }

    /** A saved text in which anything is changed. */
    @Property(tries = 500)
    void whatWasSpoiltIsRefusedOrHarmless(@ForAll("policies") Policy policy, @ForAll("histories") List<Step> history,
            @ForAll("spoilers") List<Tuple.Tuple2<Integer, Character>> spoilers) {
        Life first = new Life(policy);
        history.subList(0, Math.min(40, history.size())).forEach(first::live);
        Remembered good = first.key() == null ? null : new Retention(Inside.of(first.key())).save(0);
        if (good == null) {
            return;
        }
        Life life = new Life(policy);
        List<String> windows = new ArrayList<>();
        good.windows().forEach(w -> windows.add(spoilt(w, spoilers)));
        life.limiter.remember(Map.of(HOST, new Remembered(0, good.bucket(), spoilt(good.circuit(), spoilers), spoilt(good.learned(),
                spoilers), windows)));
        for (Move move : new Move[] {Move.PAGE, Move.RATE_LIMITED, Move.PAGE}) {
            life.live(new Step(move, 30 * SECOND));
            checkSaved(life);
        }
    }

    @Provide
    Arbitrary<List<Tuple.Tuple2<Integer, Character>>> spoilers() {
        return Combinators.combine(Arbitraries.integers().between(0, 120), Arbitraries.of('0', '1', '9', ',', '.', '-', 'x', ':', '/',
                'e', 'N', ' ')).as(Tuple::of)
                .list().ofMinSize(1).ofMaxSize(3);
    }

    private static String spoilt(String text, List<Tuple.Tuple2<Integer, Character>> spoilers) {
        if (text == null) {
            return null;
        }
        StringBuilder s = new StringBuilder(text);
        for (Tuple.Tuple2<Integer, Character> spoiler : spoilers) {
            s.setCharAt(spoiler.get1() % s.length(), spoiler.get2());
        }
        return s.toString();
    }
}
