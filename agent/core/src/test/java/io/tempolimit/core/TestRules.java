package io.tempolimit.core;

import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.Rules;
import io.tempolimit.detect.Detector;
import java.util.Collections;
import java.util.function.Function;

/** Rules out of a lambda. */
public class TestRules implements Rules {
    private static final Detector DETECTOR = new Detector(Collections.emptyList());

    private final Function<String, Policy> policies;
    private final boolean enabled;
    private final boolean dryRun;
    private final int maxKeys;
    private final long keyIdle;

    public TestRules(Function<String, Policy> policies, boolean enabled, boolean dryRun, int maxKeys, long keyIdle) {
        this.policies = policies;
        this.enabled = enabled;
        this.dryRun = dryRun;
        this.maxKeys = maxKeys;
        this.keyIdle = keyIdle;
    }

    public static TestRules of(Policy policy) {
        return new TestRules(host -> policy, true, false, 10_000, 86_400_000_000_000L);
    }

    @Override
    public Policy policy(String host) {
        return policies.apply(host);
    }

    @Override
    public Detector detector() {
        return DETECTOR;
    }

    @Override
    public boolean enabled() {
        return enabled;
    }

    @Override
    public boolean dryRun() {
        return dryRun;
    }

    @Override
    public int maxKeys() {
        return maxKeys;
    }

    @Override
    public long keyIdle() {
        return keyIdle;
    }
}
