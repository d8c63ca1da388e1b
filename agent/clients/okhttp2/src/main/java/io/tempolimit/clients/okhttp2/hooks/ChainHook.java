package io.tempolimit.clients.okhttp2.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A call runs through its interceptors, on this thread. */
public final class ChainHook extends Hook {
    public ChainHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return CallOf.runs((com.squareup.okhttp.Call) self);
    }
}
