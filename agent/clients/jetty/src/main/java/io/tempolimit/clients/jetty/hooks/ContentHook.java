package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;

/**
 * Up to 11, a part of a response's body is on its way to the listeners, who have asked for it; the arguments are the
 * exchange and the part, not decoded yet.
 */
public final class ContentHook extends Hook {
    public ContentHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Body body = Calls.BODIES.get(Internals.of(lookup).request(args[0]));
        if (body != null) {
            body.add((ByteBuffer) args[1]);
        }
        return null;
    }
}
