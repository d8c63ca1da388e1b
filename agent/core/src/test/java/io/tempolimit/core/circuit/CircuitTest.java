package io.tempolimit.core.circuit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.TestHead;
import io.tempolimit.core.circuit.Circuit.Effect;
import io.tempolimit.core.circuit.Circuit.State;
import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.detect.Baseline;
import io.tempolimit.detect.Detector;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every state with every event, on circuits of their own. What comes of it is the table in the Javadoc of {@link Circuit}. */
class CircuitTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long HOUR = 3600 * SECOND;
    /** Close to where a clock of nanoseconds overflows. */
    private static final long START = Long.MAX_VALUE - 45 * SECOND;
    /** So long after the start each event comes: while the pause of 40 s lasts, and while the probe's 30 s do. */
    private static final long THEN = 10 * SECOND;

    /** A trip at the second block, a pause of 40 s; the fourth trip in a row is the last. */
    private static final Policy POLICY = new Policy.Builder().cooldownThreshold(2).cooldownDuration(40 * SECOND, 40 * SECOND)
            .escalation(new Escalation(Escalation.COOLDOWN, Escalation.COOLDOWN, Escalation.COOLDOWN, Escalation.LIFETIME)).build();

    /** A circuit in a state, at {@link #START}. */
    private static Circuit in(State state) {
        Circuit c = new Circuit(new Count(), () -> 0);
        switch (state) {
            case OPEN:
                block(c, START);
                break;
            case COOLING_DOWN:
                c.trip(Finding.NO_WAIT, 0, START, POLICY);
                break;
            case CIRCUIT_OPEN:
                c.trip(2 * HOUR, 0, START, POLICY);
                break;
            case PROBING:
                c.trip(Finding.NO_WAIT, 0, START - 40 * SECOND, POLICY);
                c.probe(START);
                break;
            default:
                c.blockForLife(START);
        }
        assertEquals(state, c.state);
        return c;
    }

    private static Effect judge(Circuit c, Finding finding, long now) {
        return c.judge(finding, c.epoch, now, now, POLICY, null);
    }

    private static Effect block(Circuit c, long now) {
        return judge(c, Finding.of(Verdict.FORBIDDEN, 403), now);
    }

    private static Finding asking(int status, String seconds) {
        return new Detector(Collections.emptyList()).look("GET", "a.example", "/", new TestHead(status, "Retry-After", seconds),
                POLICY.detection(), new Baseline()).head();
    }

    /** Each answer is one to a request of the current epoch, but for the last two events of an answer. */
    private static Map<String, Function<Circuit, Effect>> events() {
        long now = START + THEN;
        Map<String, Function<Circuit, Effect>> events = new LinkedHashMap<>();
        events.put("success", c -> judge(c, Finding.of(Verdict.SUCCESS, 200), now));
        events.put("redirect", c -> judge(c, Finding.of(Verdict.NEUTRAL, 302), now));
        events.put("block", c -> block(c, now));
        events.put("5xx, failure", c -> judge(c, Finding.of(Verdict.SERVER_OVERLOAD, 500), now));
        events.put("block, Retry-After 2 min", c -> judge(c, asking(429, "120"), now));
        events.put("block, Retry-After 2 h", c -> judge(c, asking(429, "7200"), now));
        events.put("503, Retry-After 2 min", c -> judge(c, asking(503, "120"), now));
        events.put("earlier success", c -> c.judge(Finding.of(Verdict.SUCCESS, 200), c.epoch - 1, now, now, POLICY, null));
        events.put("earlier block", c -> c.judge(Finding.of(Verdict.FORBIDDEN, 403), c.epoch - 1, now, now, POLICY, null));
        events.put("another key rests 60 s", c -> c.join(60 * SECOND, false, now));
        events.put("operator pauses for 60 s", c -> c.hold(60 * SECOND, now));
        events.put("operator resets", c -> {
            c.reset();
            return Effect.NONE;
        });
        return events;
    }

    @Test
    void everyStateWithEveryEventIsTheTableInTheJavadoc() throws IOException {
        StringBuilder table = new StringBuilder(row("event", Arrays.stream(State.values()).map(s -> s.label)));
        events().forEach((name, event) -> table.append(row(name, Arrays.stream(State.values()).map(s -> outcome(in(s), event)))));
        assertEquals(tableIn(Paths.get("src/main/java/io/tempolimit/core/circuit/Circuit.java")), table.toString());
    }

    private static String row(String name, Stream<String> cells) {
        StringBuilder row = new StringBuilder(String.format("%-25s", name));
        cells.forEach(cell -> row.append(String.format("%-23s", cell)));
        return row.toString().replaceFirst(" +$", "") + "\n";
    }

    /** What the event has changed; "-" for nothing. */
    private static String outcome(Circuit c, Function<Circuit, Effect> event) {
        long now = START + THEN;
        State state = c.state;
        long until = c.until;
        int count = c.count();
        Effect effect = event.apply(c);
        if (effect == Effect.OPENED) {
            return "opens";
        }
        List<String> changes = new ArrayList<>();
        if (c.state != state || c.until != until && !c.open()) {
            boolean ends = c.state == State.COOLING_DOWN || c.state == State.CIRCUIT_OPEN;
            changes.add(c.state.label + (ends ? " " + (c.until - now) / SECOND : ""));
        }
        if (effect == Effect.TRIPPED) {
            changes.add("trip");
        } else if (c.open() && c.count() != count) {
            changes.add("count " + c.count());
        }
        return changes.isEmpty() ? "-" : String.join(" ", changes);
    }

    private static String tableIn(Path source) throws IOException {
        String text = new String(Files.readAllBytes(source), StandardCharsets.UTF_8);
        int from = text.indexOf(" * event ");
        return text.substring(from, text.indexOf(" * </pre>", from)).replace(" * ", "").replace("\r", "");
    }

    @Test
    void theLastRungIsForGood() {
        Circuit c = in(State.COOLING_DOWN);
        assertEquals(Effect.TRIPPED, c.trip(Finding.NO_WAIT, 0, START, POLICY));
        assertEquals(Effect.TRIPPED, c.trip(Finding.NO_WAIT, 0, START, POLICY));
        assertEquals(3, c.rung());
        assertEquals(Effect.BLOCKED_FOR_LIFE, c.trip(Finding.NO_WAIT, 0, START, POLICY));
        assertEquals(State.LIFETIME_BLOCKED, c.state);
        assertTrue(c.refuses(START + 100 * HOUR));
    }

    private static boolean mayProbe(Circuit c, long now) {
        return !c.open() && !c.rests(now);
    }

    @Test
    void aProbeIsDueOnceThePauseIsOver() {
        for (State state : State.values()) {
            Circuit c = in(state);
            boolean rests = state == State.COOLING_DOWN || state == State.CIRCUIT_OPEN || state == State.PROBING;
            assertEquals(rests && c.until - START <= 40 * SECOND, mayProbe(c, START + 40 * SECOND), state.label);
            assertFalse(mayProbe(c, START), state.label);
        }
    }

    @Test
    void aProbeIsNumberedAndOnlyTheLastOneIsAwaited() {
        Circuit c = in(State.PROBING);
        int second = c.probe(START + Circuit.PROBE_LEASE);
        assertEquals(2, second);
        assertFalse(c.isProbe(1));
        assertTrue(c.isProbe(2));
        c.probeLost(1, START + Circuit.PROBE_LEASE);
        assertFalse(mayProbe(c, START + Circuit.PROBE_LEASE), "the first one is not awaited any more");
        c.probeLost(2, START + Circuit.PROBE_LEASE);
        assertTrue(mayProbe(c, START + Circuit.PROBE_LEASE));
    }

    @Test
    void everyStateIsSavedAndReadBack() {
        for (State state : State.values()) {
            Circuit c = in(state);
            Circuit other = new Circuit(new Count(), () -> 0);
            other.restore(c.save(START), 5 * SECOND, true, START + 5 * SECOND);
            if (state == State.LIFETIME_BLOCKED) {
                assertEquals(State.OPEN, other.state, "that holds until the JVM ends");
            } else if (state == State.PROBING) {
                assertTrue(mayProbe(other, START + 5 * SECOND), "a probe goes first");
            } else {
                assertEquals(state, other.state);
                assertEquals(c.pauseLeft(START + 5 * SECOND), other.pauseLeft(START + 5 * SECOND));
                assertEquals(c.count(), other.count());
                assertEquals(c.rung(), other.rung());
            }
        }
    }
}
