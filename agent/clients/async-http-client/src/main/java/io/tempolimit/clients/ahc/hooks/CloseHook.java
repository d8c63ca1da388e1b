package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** The client is being closed: its calls that wait go on now, and find that out. */
public final class CloseHook extends Hook {
    public CloseHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop.CLIENTS.closed(self);
        return null;
    }
}
