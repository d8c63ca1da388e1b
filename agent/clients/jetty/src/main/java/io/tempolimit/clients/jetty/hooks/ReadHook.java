package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;

/**
 * Since 12, the listener reads the next part of a response's body, not decoded yet; the field is the receiver. It has no exchange any more
 * when only the mark of the body's end, or a failure, is left to read.
 */
public final class ReadHook extends Hook {
    public ReadHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = Internals.of(lookup);
        Object exchange = in.exchange(args[0]);
        Body body = exchange == null ? null : Calls.BODIES.get(in.request(exchange));
        return body == null ? null : new Call() {
            @Override
            public Object exit(Object chunk) {
                ByteBuffer bytes = chunk == null ? null : in.bytes(chunk);
                if (bytes != null) {
                    body.add(bytes);
                }
                return chunk;
            }
        };
    }
}
