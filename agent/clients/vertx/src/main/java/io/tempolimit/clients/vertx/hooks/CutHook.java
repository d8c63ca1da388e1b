package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** The rest of a response's body will not come. */
public final class CutHook extends Hook {
    public CutHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Body body = Calls.BODIES.remove(self);
        if (body != null) {
            body.cut();
        }
        return null;
    }
}
