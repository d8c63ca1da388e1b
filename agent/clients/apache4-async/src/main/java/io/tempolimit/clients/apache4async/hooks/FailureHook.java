package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A call fails; the argument is why. */
public final class FailureHook extends Hook {
    public FailureHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Exchange.end(self, (Throwable) args[0]);
        return null;
    }
}
