package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A pool is made, with the flow of its connections: what comes to that has passed the gate. */
public final class PoolHook extends Hook {
    private static final ThreadLocal<Boolean> MAKING = new ThreadLocal<>();

    public PoolHook(Gate gate) {
    }

    /** Whether this thread makes a pool. */
    static boolean isMaking() {
        return MAKING.get() != null;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        MAKING.set(true);
        return new Call() {
            @Override
            public Object exit(Object pool) {
                MAKING.remove();
                return pool;
            }

            @Override
            public Throwable fail(Throwable failure) {
                MAKING.remove();
                return failure;
            }
        };
    }
}
