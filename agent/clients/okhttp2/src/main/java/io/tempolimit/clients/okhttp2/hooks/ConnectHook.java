package io.tempolimit.clients.okhttp2.hooks;

import com.squareup.okhttp.OkHttpClient;
import com.squareup.okhttp.Request;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** One hop, below the cache, before a connection is taken; the fields are the engine's client and the request as it is to be sent. */
public final class ConnectHook extends Hook {
    private final Gate gate;

    public ConnectHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Hop hop = Hop.begin(gate, CallOf.current(), (Request) args[1], (OkHttpClient) args[0]);
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
