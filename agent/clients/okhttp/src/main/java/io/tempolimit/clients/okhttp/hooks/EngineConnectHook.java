package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/** The same up to 3.3, where each hop has an engine; the fields are the engine's client and the request as it is to be sent. */
public final class EngineConnectHook extends Hook {
    private final Gate gate;

    public EngineConnectHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Hop hop = Hop.begin(gate, CallOf.current(), (Request) args[1], Names.proxy((OkHttpClient) args[0]));
        return hop == null ? null : new Call() {
            @Override
            public Object exit(Object result) {
                Calls.HOPS.put(self, hop);
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                return hop.fail(failure);
            }
        };
    }
}
