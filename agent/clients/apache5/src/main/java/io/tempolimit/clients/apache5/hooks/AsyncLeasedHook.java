package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A connection was leased for a hop: the call's runtime, then the callback that the chain was given. */
public final class AsyncLeasedHook extends Hook {
    public AsyncLeasedHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (!(args[1] instanceof ChainHop) || args[0].getClass().getName().endsWith(".InternalH2AsyncExecRuntime")) {
            return null; // HTTP/2 has no queue at this place, but the time that it takes to connect
        }
        return ((ChainHop) args[1]).departsLater() ? args[1] : null;
    }
}
