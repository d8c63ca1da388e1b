package io.tempolimit.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ExemptTest {
    private final Limiter limiter = new Limiter(Clock.SYSTEM, new Seeded(), TestRules.of(new Policy.Builder().build()), new Listener() { });

    private Permit arrive() {
        try {
            return limiter.arrive(new TestTarget("grid.example"));
        } catch (RequestRejectedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatAnExemptThreadSendsIsNoRequest() {
        assertTrue(limiter.exempt().enter());
        assertNull(arrive());
        assertNull(limiter.charge(new TestTarget("grid.example")));
        assertEquals(0, limiter.keys().size());
        assertNotNull(CompletableFuture.supplyAsync(this::arrive).join(), "another thread's is");
        limiter.exempt().leave();
        assertNotNull(arrive());
    }

    @Test
    void onlyTheOutermostLeaves() {
        assertFalse(limiter.exempt().here());
        assertTrue(limiter.exempt().enter());
        assertFalse(limiter.exempt().enter());
        assertTrue(limiter.exempt().here());
        limiter.exempt().leave();
        assertFalse(limiter.exempt().here());
    }
}
