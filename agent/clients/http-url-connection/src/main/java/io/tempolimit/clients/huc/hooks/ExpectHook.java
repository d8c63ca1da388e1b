package io.tempolimit.clients.huc.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.HttpURLConnection;

/**
 * The site is asked whether it wants the body. If it does not, the client closes the connection, and nobody can read the answer. If it
 * says nothing for a while, the client sends the body all the same.
 */
public final class ExpectHook extends Hook {
    /** Set while this thread asks. */
    private static final ThreadLocal<Boolean> ASKS = new ThreadLocal<>();

    public ExpectHook(Gate gate) {
    }

    /** Whether this thread asks, so that a timeout ends no request. */
    static boolean asks() {
        return ASKS.get() != null;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        ASKS.set(true);
        return new Call() {
            @Override
            public Object exit(Object result) {
                ASKS.remove();
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                ASKS.remove();
                BodyHook.skipped((HttpURLConnection) self);
                return failure;
            }
        };
    }
}
