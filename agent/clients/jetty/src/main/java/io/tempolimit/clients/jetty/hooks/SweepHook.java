package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A destination is about to look whether it has been idle for too long: it is not idle while a hop waits to go through it. */
public final class SweepHook extends Hook {
    public SweepHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if (Calls.waitFor(self)) {
            Internals.of(lookup).touch(self);
        }
        return null;
    }
}
