package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A response was read to its end. */
public final class EndHook extends Hook {
    public EndHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Exchange.completed(self);
        return null;
    }
}
