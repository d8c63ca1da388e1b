package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A conversation is aborted, through any of its requests: by the application, or by the client. */
public final class AbortHook extends Hook {
    public AbortHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        HeldHop held = Calls.held(self);
        if (held != null) {
            held.aborted();
        }
        return null;
    }
}
