package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import okhttp3.Interceptor;

/** One hop, below the cache, before a connection is taken; the argument is the chain. */
public final class ConnectHook extends Hook {
    private final Gate gate;

    public ConnectHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Interceptor.Chain chain = (Interceptor.Chain) args[0];
        okhttp3.Call call = CallOf.chain(chain);
        // A call that has begun before the agent came is not known up to 3.8.
        return Hop.begin(gate, call, chain.request(), call == null ? null : Names.proxy(ClientOf.of(lookup, call)));
    }
}
