package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A hop has failed; the first argument is the failure. A retry, if there is one, is a hop of its own. */
public final class FailureHook extends Hook {
    public FailureHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Permit permit = Exchanges.PERMITS.get(self);
        if (permit != null) {
            permit.failed((Throwable) args[0]);
        }
        return null;
    }
}
