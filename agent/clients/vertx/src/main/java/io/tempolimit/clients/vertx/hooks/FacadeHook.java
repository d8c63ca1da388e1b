package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A call comes by way of an object whose collection closes the client. */
public final class FacadeHook extends Hook {
    private static final Call CALL = new Call() {
        @Override
        public Object exit(Object result) {
            Calls.FACADE.remove();
            return result;
        }

        @Override
        public Throwable fail(Throwable failure) {
            Calls.FACADE.remove();
            return failure;
        }
    };

    public FacadeHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Calls.FACADE.set(self);
        return CALL;
    }
}
