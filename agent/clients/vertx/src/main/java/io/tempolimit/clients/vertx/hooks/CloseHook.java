package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A client is closed, by the application or with its Vert.x: its calls that wait end. */
public final class CloseHook extends Hook {
    public CloseHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Calls.CLIENTS.closed(self);
        return null;
    }
}
