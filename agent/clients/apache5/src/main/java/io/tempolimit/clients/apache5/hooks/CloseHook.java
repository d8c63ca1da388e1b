package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.gate.Closings;
import io.tempolimit.weave.Closing;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A connection manager of classic clients is closed: calls that wait before they lease a connection end. */
public final class CloseHook extends Hook {
    /** Connection managers that were closed, and the calls that wait. */
    static final Closings MANAGERS = new Closings();

    public CloseHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Closing(MANAGERS, self);
    }
}
