package io.tempolimit.clients.awsnetty.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** The client begins with a request; the field is what it knows the request by. */
public final class ContextHook extends Hook {
    public ContextHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop.has(args[0]);
        return null;
    }
}
