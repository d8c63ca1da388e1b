package io.tempolimit.interleavings;

import io.tempolimit.core.Key;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.TurnedClock;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * Two threads at one key, and what must hold after them in whatever order their steps fall. The constructor makes the key as
 * both find it. Lincheck makes a new object for each interleaving.
 */
public abstract class Interleaved {
    static final long SECOND = 1_000_000_000L;
    /** What a minute allows; with the matrix, pairs of switches are met as well. */
    private static final int INTERLEAVINGS = Boolean.getBoolean("tests.matrix") ? 10_000 : 200;
    /** Lincheck takes a loop for a livelock beyond this. A {@code BriefLock} looks 1000 times before it parks. */
    private static final int LONGEST_LOOP = 3_000;
    /** A loop that only waits gives way to the other thread after this many rounds. Fewer would cut loops short that do not wait. */
    private static final int PATIENCE = 50;
    /** What both threads share. Switches elsewhere change nothing, and their number would hide these. */
    private static final String[] SHARED = {"core.Permit", "core.bucket.TokenBucket", "core.circuit.Circuit", "core.key.HostKey",
        "core.key.Exchange", "core.key.Answers", "core.key.Verdicts", "core.key.PendingVerdicts", "core.key.Operator",
        "core.key.Retention", "core.limiter.Limiter", "core.pace.PacedKey", "core.pace.KeyLock", "core.pace.Arrival",
        "core.pace.Departure", "core.pace.LocalPacer", "core.pace.Plan", "core.pace.Cooldown", "core.pace.Rejections",
        "core.policy.CurrentRules", "core.queue.", "core.runtime.BriefLock", "core.runtime.Chain", "gate.WeakMap", "interleavings."};

    final TurnedClock clock = new TurnedClock(1_000 * SECOND);
    final Limiter limiter;
    private volatile Throwable failure;

    Interleaved(Policy policy) {
        limiter = new Limiter(clock, new Seeded(), TestRules.of(policy), Listener.NONE);
    }

    /**
     * What comes before both, where the constructor is too early: an object's identity hash code is another one there than in what
     * Lincheck plays.
     */
    void before() throws Exception {
    }

    /** What one thread does. */
    abstract void one() throws Exception;

    /** What the other does meanwhile. */
    abstract void other() throws Exception;

    /** What must hold once both are done. */
    abstract void holds() throws Exception;

    /** For Lincheck. */
    public void runBefore() throws Exception {
        before();
    }

    /** For Lincheck. */
    public void runOne() {
        try {
            one();
        } catch (Throwable t) {
            failure = t;
        }
    }

    /** For Lincheck. */
    public void runOther() {
        try {
            other();
        } catch (Throwable t) {
            failure = t;
        }
    }

    /**
     * For Lincheck, which calls it after each interleaving. The annotation alone tells it so: a function that is set in a custom
     * scenario is never called.
     */
    @Validate
    public void check() throws Exception {
        if (failure != null) {
            throw new AssertionError(failure);
        }
        holds();
    }

    static Policy.Builder policy(double rate, int burst) {
        return new Policy.Builder().learn(false).rate(rate).burst(burst);
    }

    Permit arrive() throws Exception {
        return limiter.arrive(new TestTarget("a.example"));
    }

    void settings(Policy policy) {
        limiter.rules(TestRules.of(policy));
    }

    Key key() {
        return limiter.key("a.example");
    }

    KeyStats stats() {
        return key().stats();
    }

    /** Seconds until a waiting permit looks again. */
    double wait(Permit permit) {
        same(true, permit.waiting(), "waits");
        return (permit.wakeAt() - clock.nanos()) / 1e9;
    }

    /** Without JUnit's messages, which Lincheck would follow as well. */
    static void same(Object expected, Object actual, String what) {
        if (!expected.equals(actual)) {
            throw new AssertionError(what + ": " + actual + " instead of " + expected);
        }
    }

    /**
     * Searches a scenario's interleavings. The same code is searched in the same order, so the same test finds the same fault again.
     *
     * @throws AssertionError with the interleaving, step by step, after which {@link #holds} failed
     */
    static void search(Class<? extends Interleaved> scenario) throws Exception {
        ExecutionScenario threads = new ExecutionScenario(actor(scenario, "runBefore"),
                Arrays.asList(actor(scenario, "runOne"), actor(scenario, "runOther")), Collections.emptyList(), null);
        ManagedStrategyGuarantee noSwitch = ManagedStrategyGuaranteeKt.forClasses(Interleaved::apart).allMethods().ignore();
        try {
            new ModelCheckingOptions().iterations(0).invocationsPerIteration(INTERLEAVINGS).addCustomScenario(threads)
                    .loopBound(LONGEST_LOOP).loopIterationsBeforeThreadSwitch(PATIENCE).minimizeFailedScenario(false)
                    .addGuarantee(noSwitch).verifier(NoResults.class).check(scenario);
        } catch (Throwable found) {
            throw new AssertionError(scenario.getSimpleName() + " broke. To replay it: "
                    + "mvn -pl integration-tests/interleavings -am test -Dtest='*InterleavingsTest' -Dsurefire.failIfNoSpecifiedTests=false"
                    + (Boolean.getBoolean("tests.matrix") ? " -Pmatrix" : ""), found);
        }
    }

    private static List<Actor> actor(Class<?> scenario, String method) throws NoSuchMethodException {
        return Collections.singletonList(new Actor(scenario.getMethod(method), Collections.emptyList()));
    }

    /** Whether a class has no part in the search. Those of the JDK have one, for locks and atomics are there. */
    private static boolean apart(String name) {
        if (name.startsWith("java.")) {
            return false;
        }
        for (String shared : SHARED) {
            if (name.startsWith("io.tempolimit." + shared)) {
                return false;
            }
        }
        return true;
    }

    /** What methods return is no matter: {@link #holds} looks. */
    public static final class NoResults implements Verifier {
        /** For Lincheck. */
        public NoResults(Class<?> specification) {
        }

        @Override
        public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
            return true;
        }
    }
}
