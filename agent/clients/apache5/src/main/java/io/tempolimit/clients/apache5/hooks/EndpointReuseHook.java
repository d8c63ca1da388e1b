package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** The application gives back a connection that it has leased from a minimal client. If requests over it wait, that happens after them. */
public final class EndpointReuseHook extends Hook {
    public EndpointReuseHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return LeasedConnection.givenBack(self) ? self : null;
    }
}
