package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A response has come to its end, of which the application does not know yet. */
public final class SuccessHook extends Hook {
    public SuccessHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = Internals.of(lookup);
        Object exchange = in.exchange(self);
        Body body = exchange == null ? null : Calls.BODIES.remove(in.request(exchange));
        if (body != null) {
            body.end();
        }
        return null;
    }
}
