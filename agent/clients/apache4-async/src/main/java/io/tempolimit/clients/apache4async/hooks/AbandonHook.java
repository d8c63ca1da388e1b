package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A call is cancelled, or its handler is closed, which it also is when all went well. */
public final class AbandonHook extends Hook {
    public AbandonHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Exchange.end(self, null);
        return null;
    }
}
