package io.tempolimit.clients.armeria.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** The client closes a response: all of it has come, or the first argument says why not. The field is the response. */
public final class EndHook extends Hook {
    public EndHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop.over(args[args.length - 1], (Throwable) args[0]);
        return null;
    }
}
