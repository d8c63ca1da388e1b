package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** The application does not want a request any more. */
public final class ResetHook extends Hook {
    public ResetHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Permit permit = Calls.PERMITS.remove(self);
        if (permit != null) {
            permit.abandoned();
        }
        return null;
    }
}
