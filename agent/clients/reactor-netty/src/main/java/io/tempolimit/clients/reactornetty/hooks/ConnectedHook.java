package io.tempolimit.clients.reactornetty.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import reactor.core.Disposable;
import reactor.core.publisher.MonoSink;

/** A hop has its connection, the argument; the method would but name it to the sink, the field, as what to end when it is cancelled. */
public final class ConnectedHook extends Hook {
    public ConnectedHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        MonoSink<?> sink = (MonoSink<?>) args[1];
        Hop hop = Hop.BY_SINK.get(sink);
        if (hop == null) {
            return null;
        }
        hop.connected(sink, (Disposable) args[0]);
        return hop;
    }
}
