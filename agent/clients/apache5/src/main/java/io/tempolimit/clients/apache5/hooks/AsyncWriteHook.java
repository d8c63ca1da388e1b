package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A request is about to be written, over a route that is complete; the fifth argument is the callback. */
public final class AsyncWriteHook extends Hook {
    public AsyncWriteHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (args[4] instanceof ChainHop) {
            ((ChainHop) args[4]).connected();
        }
        return null;
    }
}
