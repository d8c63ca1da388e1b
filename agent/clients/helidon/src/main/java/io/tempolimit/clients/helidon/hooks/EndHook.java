package io.tempolimit.clients.helidon.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.TapStream;
import java.lang.invoke.MethodHandles;

/** An answer is closed, read to its end or not; the field is its stream. */
public final class EndHook extends Hook {
    public EndHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (args[0] instanceof TapStream) {
            ((TapStream) args[0]).cut();
        }
        return null;
    }
}
