package io.tempolimit.core;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Every build tries the same values of a property. A failure tells how to try its values again. System properties:
 * {@code tests.seed} takes that seed,
 * {@code tests.matrix} makes ten times as many tries, from a seed of the moment.
 */
public final class Replay implements AroundPropertyHook {
    private static final String USUAL = "1";
    private static final int TRIES = 1000;

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        boolean many = Boolean.getBoolean("tests.matrix");
        String seed = System.getProperty("tests.seed", many ? Long.toString(System.nanoTime()) : USUAL);
        context.attributes().setSeed(seed);
        context.attributes().setEdgeCases(EdgeCasesMode.NONE); // combined, they are more than all tries
        if (many) {
            context.attributes().setTries(10 * context.attributes().tries().orElse(TRIES));
        }
        PropertyExecutionResult result = property.execute();
        if (result.status() != PropertyExecutionResult.Status.FAILED) {
            return result;
        }
        Throwable cause = result.throwable().orElse(null);
        String command = "mvn -pl agent/core -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest="
                + context.containerClass().getSimpleName()
                + " -Dtests.seed=" + seed + (many ? " -Dtests.matrix=true" : "");
        return result.mapToFailed(new AssertionError(context.targetMethod().getName() + ": " + (cause == null ? "" : cause.getMessage())
                + "\nTo try the same values again:\n  " + command, cause));
    }
}
