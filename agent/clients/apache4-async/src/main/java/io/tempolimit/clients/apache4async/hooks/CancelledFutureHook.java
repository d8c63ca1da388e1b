package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A future is cancelled: if a call waits for it, and would not be told, it ends. */
public final class CancelledFutureHook extends Hook {
    public CancelledFutureHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Handlers handlers = Handlers.known();
        return handlers == null ? null : new Call() {
            @Override
            public Object exit(Object result) {
                Exchange.cancel(handler -> handlers.future(handler) == self);
                return result;
            }
        };
    }
}
