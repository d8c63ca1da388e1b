package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/**
 * The application opens a connection itself. That is no request; but over HTTP/2 something is sent, and by this hook it is known that
 * the client which sends it is woven.
 */
public final class ConnectHook extends Hook {
    public ConnectHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return null;
    }
}
