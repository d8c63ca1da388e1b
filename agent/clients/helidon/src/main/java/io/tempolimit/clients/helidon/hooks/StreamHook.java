package io.tempolimit.clients.helidon.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A hop over HTTP/2 looks for a stream; if the site speaks no HTTP/2, it comes back with an answer over HTTP/1.1. */
public final class StreamHook extends Hook {
    private final Call call = new Call() {
        @Override
        public Object exit(Object result) {
            Hop.connected();
            return result;
        }
    };

    public StreamHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return call;
    }
}
