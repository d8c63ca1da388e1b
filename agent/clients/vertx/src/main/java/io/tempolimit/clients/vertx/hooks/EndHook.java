package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.vertx.core.MultiMap;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;

/** A response's body is at its end, which the application does not know yet. */
public final class EndHook extends Hook {
    /** Whether trailers are told apart from the end, and may come before the last pieces. */
    private volatile Boolean trailersApart;

    public EndHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Body body = Calls.BODIES.get(self);
        if (body != null && !(args[0] instanceof MultiMap && trailersApart(lookup.lookupClass()))) {
            Calls.BODIES.remove(self);
            body.end();
        }
        return null;
    }

    private boolean trailersApart(Class<?> response) {
        Boolean apart = trailersApart;
        if (apart == null) {
            apart = false;
            for (Method m : response.getDeclaredMethods()) {
                apart |= m.getName().equals("handleEnd") && m.getParameterTypes()[0] == Void.class;
            }
            trailersApart = apart;
        }
        return apart;
    }
}
