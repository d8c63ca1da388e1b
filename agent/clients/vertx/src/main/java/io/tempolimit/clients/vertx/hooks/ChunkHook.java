package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.vertx.core.buffer.Buffer;
import java.lang.invoke.MethodHandles;

/** A piece of a response's body is on its way to the application; the argument is the piece. */
public final class ChunkHook extends Hook {
    public ChunkHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Body body = Calls.BODIES.get(self);
        if (body != null && body.over()) {
            body.passed();
        } else if (body != null) {
            byte[] bytes = ((Buffer) args[0]).getBytes(); // what lies under it has no type that all versions share
            body.add(bytes, 0, bytes.length);
        }
        return null;
    }
}
