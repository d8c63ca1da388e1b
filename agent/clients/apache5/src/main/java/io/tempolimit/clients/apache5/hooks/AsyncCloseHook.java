package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/**
 * An asynchronous client is closed, or a connection that the application has leased from one: its calls that wait end,
 * also those that have come meanwhile.
 */
public final class AsyncCloseHook extends Hook {
    public AsyncCloseHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop.closed(self);
        return new Call() {
            @Override
            public Object exit(Object result) {
                Hop.closed(self);
                return result;
            }
        };
    }
}
