package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A request has failed; the argument is the failure. */
public final class FailureHook extends Hook {
    public FailureHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Permit permit = Calls.PERMITS.remove(self);
        if (permit != null) {
            Calls.failed(permit, (Throwable) args[0]);
        }
        return null;
    }
}
