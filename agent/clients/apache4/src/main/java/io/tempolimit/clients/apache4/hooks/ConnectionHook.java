package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A response's connection is closed, or was given back before: the response was read, closed, or aborted. */
public final class ConnectionHook extends Hook {
    public ConnectionHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        TapEntity.gone(self);
        return null;
    }
}
