package io.tempolimit.clients.commons.hooks;

import io.tempolimit.gate.Closings;
import io.tempolimit.weave.Closing;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A connection manager is shut down: calls that wait end, and find no connection. */
public final class CloseHook extends Hook {
    /** Connection managers that were shut down, and the calls that wait. */
    static final Closings MANAGERS = new Closings();

    public CloseHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Closing(MANAGERS, self);
    }
}
