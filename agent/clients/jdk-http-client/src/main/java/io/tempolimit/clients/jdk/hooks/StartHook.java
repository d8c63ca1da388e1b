package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A call begins, on the application's thread, inside of {@code sendAsync}. */
public final class StartHook extends Hook {
    public StartHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (Exchanges.PASS_ON_CANCEL) {
            Exchanges.started(self);
        }
        return null;
    }
}
