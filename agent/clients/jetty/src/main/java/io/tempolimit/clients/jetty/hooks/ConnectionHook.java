package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A request is sent on a connection that whoever sends it holds already; the first argument is the request. */
public final class ConnectionHook extends Hook {
    private final Gate gate;

    public ConnectionHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = Internals.of(lookup);
        Object request = args[0];
        if (!in.isConnect(request)) {
            Permit prepaid = Calls.PREPAID.remove(in.conversation(request));
            Permit permit = prepaid != null ? prepaid : gate.limiter().charge(in.target(request, in.destinationOf(self)));
            if (prepaid != null) {
                gate.announced(prepaid.target());
            }
            if (permit != null) {
                Calls.PERMITS.put(request, permit);
            }
        }
        return null;
    }
}
