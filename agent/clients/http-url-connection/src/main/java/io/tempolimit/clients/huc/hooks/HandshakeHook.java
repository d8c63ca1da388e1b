package io.tempolimit.clients.huc.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.HttpURLConnection;

/** Around all that makes a connection for https: after {@link ConnectHook}'s method come a proxy's tunnel and the TLS handshake. */
public final class HandshakeHook extends Hook {
    public HandshakeHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Throwable fail(Throwable failure) {
                ConnectHook.notAnswered((HttpURLConnection) self, failure);
                return failure;
            }
        };
    }
}
