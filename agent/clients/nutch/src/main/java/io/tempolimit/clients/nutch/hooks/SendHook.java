package io.tempolimit.clients.nutch.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.URL;

/** One request, from the connection to the end of the answer's body; the first argument is the URL. */
public final class SendHook extends Hook {
    private final Gate gate;
    private volatile Internals internals;

    public SendHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = internals;
        if (in == null) {
            in = new Internals(lookup.lookupClass());
            internals = in;
        }
        Internals plugin = in;
        Permit permit = gate.pass(new RequestTarget(plugin, self, (URL) args[0]));
        return permit == null ? null : new Hop(plugin, permit);
    }
}
