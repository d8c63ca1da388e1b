package io.tempolimit.it.contract;

import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/** What the checks stand on. */
interface Contract {
    /** The most that a busy machine may take for something that takes no time. */
    Duration PROMPT = Duration.ofMillis(900);
    /** How long to wait for what has to come. */
    Duration PATIENCE = Duration.ofSeconds(20);

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

    /** Skips the check, by name, for clients that have no such thing. */
    default void needs(String feature) {
        Assumptions.assumeTrue(program().can(feature), () -> "the client has no " + feature);
    }

    /** Skips the check, by name, for clients of that kind. */
    default void without(String feature) {
        Assumptions.assumeFalse(program().can(feature), () -> "the client has " + feature);
    }

    /** Whether {@code actual} is at least this, and not longer than a busy machine explains. */
    static void within(Duration least, Duration most, long nanos, Supplier<String> what) {
        if (nanos < least.toNanos() || nanos > most.toNanos()) {
            throw new AssertionError(what.get() + ": " + nanos / 1_000_000 + " ms, expected " + least.toMillis() + " to " + most.toMillis() + " ms");
        }
    }

    /**
     * Fails unless this arrival came when it was due, reckoned from the first call, and no later than {@code latest} after the first arrival, which itself
     * may be late.
     */
    static void due(Duration due, Duration latest, long begun, List<Long> times, int arrival, Supplier<String> what) {
        long time = times.get(arrival);
        within(due, PATIENCE, time - begun, () -> what.get() + ", from the first call");
        within(Duration.ZERO, latest, time - times.get(0), () -> what.get() + ", from the first arrival");
    }

    /**
     * Fails unless these arrivals took one token each: as long as the bucket asks for, and not twice as long.
     *
     * @param begun when the first call was made
     */
    static void oneTokenEach(Pacing pacing, long begun, List<Long> times) {
        pacing.checkSince(begun, times);
        double ideal = (times.size() - pacing.burst()) / pacing.rate();
        if ((times.get(times.size() - 1) - times.get(0)) / 1e9 > 1.75 * ideal) {
            throw new AssertionError("more than one token each, which takes " + ideal + " s: " + Pacing.milliseconds(times));
        }
    }
}
