package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Recording;
import io.tempolimit.it.harness.Server;
import io.tempolimit.it.harness.Unjudged;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/** What the checks stand on. */
interface Contract {
    /** The most that a busy machine may take for something that takes no time. What it must not have waited for takes longer. */
    Duration PROMPT = Duration.ofSeconds(5);
    /** How long to wait for what has to come. */
    Duration PATIENCE = Duration.ofSeconds(30);
    /** Longer than a check waits for a request, and shorter than it takes until one whose body is not read on counts no more. */
    Duration LONG = Duration.ofSeconds(40);
    /** How long to wait until the heap is collected once more. */
    Duration GLANCE = Duration.ofMillis(500);

    Cell cell();

    default Program program() {
        return cell().program();
    }

    default Server.Site site(Network network, Server.Script script) {
        return cell().site(network, script);
    }

    /** A new host that answers 200. */
    default Server.Site site(Network network) {
        return site(network, Server.Script.status(200));
    }

    /** Does this for all modes side by side, each of which has hosts and a client of its own. */
    default void inEachMode(SideBySide.Part<String> part) {
        SideBySide.each(program().modes(), part);
    }

    /** The modes whose calls can be cancelled; skips the check for clients that have none. */
    default List<String> cancellableModes() {
        List<String> modes = program().modes().stream().filter(mode -> program().can("CANCEL_" + mode.toUpperCase(Locale.ROOT))).toList();
        Assumptions.assumeFalse(modes.isEmpty(), "the client's calls cannot be cancelled");
        return modes;
    }

    /** Skips the check, by name, for clients that have no such thing. */
    default void needs(String feature) {
        Assumptions.assumeTrue(program().can(feature), () -> "the client has no " + feature);
    }

    /** Skips the check, by name, for clients of that kind. */
    default void without(String feature) {
        Assumptions.assumeFalse(program().can(feature), () -> "the client has " + feature);
    }

    /** Has the program's heap collected until this call is over, which fails it if it was not for that: by time alone it takes longer. */
    default Program.Outcome collectUntilDone(Program.Call call) {
        for (long end = System.nanoTime() + LONG.toNanos(); !call.first(GLANCE) && System.nanoTime() - end < 0; ) {
            program().ask("gc");
        }
        assertTrue(call.first(Duration.ZERO), "it holds up others until its time is over, although it was collected");
        return call.join();
    }

    /** When the gate let the requests of this key go so far. */
    default List<Long> departures(String key) {
        return program().fork().recording().departures(key);
    }

    /** Fails unless something that is over now took at least this, and not longer than a busy machine explains. */
    static void within(Duration least, Duration most, long nanos, Supplier<String> what) {
        String wrong = what.get() + ": " + nanos / 1_000_000 + " ms, expected " + least.toMillis() + " to " + most.toMillis() + " ms";
        if (nanos < least.toNanos()) {
            throw new AssertionError(wrong);
        }
        notLater(nanos - most.toNanos(), nanos, wrong);
    }

    /**
     * Fails if something that is over now, and took that long, came that late.
     *
     * @throws Unjudged if a thread was woken later than that meanwhile
     */
    private static void notLater(long late, long took, String wrong) {
        long now = System.nanoTime();
        long hiccup = late > 0 ? Recording.hiccupOfAll(now - took - PROMPT.toNanos(), now) : 0;
        if (late > hiccup) {
            throw new AssertionError(wrong);
        }
        if (late > 0) {
            throw new Unjudged(wrong + "; threads were woken up to " + hiccup / 1_000_000 + " ms late");
        }
    }

    /**
     * Fails unless this arrival came when it was due, reckoned from the first call, and no later than {@code latest} after
     * the first arrival, which itself may be late.
     */
    static void due(Duration due, Duration latest, long begun, List<Long> times, int arrival, Supplier<String> what) {
        long time = times.get(arrival);
        within(due, Check.LIMIT, time - begun, () -> what.get() + ", from the first call");
        within(Duration.ZERO, latest, time - times.get(0), () -> what.get() + ", from the first arrival");
    }

    /**
     * Fails unless the gate let these requests go at the bucket's pace, in every span, and each of them arrived after
     * that.
     *
     * @param begun when the first call was made
     */
    default void paced(Network network, long begun, String host, List<Long> arrivals) {
        network.pacing().checkSince(begun, arrivals, departures(host));
    }

    /**
     * Fails unless these requests, all that this host ever got, took one token each: as long as the bucket asks for, and
     * not one more than has arrived.
     *
     * @param begun when the first call was made
     */
    default void oneTokenEach(Network network, long begun, String host, List<Long> arrivals) {
        paced(network, begun, host, arrivals);
        tokens(arrivals.size(), host);
    }

    /**
     * Fails unless the gate took that many tokens of this host. This is exact, where the time that they take says
     * little on a busy machine.
     */
    default void tokens(int expected, String host) {
        List<Long> departures = departures(host);
        assertEquals(expected, departures.size(), () -> "tokens, taken at " + Pacing.milliseconds(departures));
    }
}
