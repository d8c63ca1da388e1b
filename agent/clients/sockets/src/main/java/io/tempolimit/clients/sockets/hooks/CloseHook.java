package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A socket or channel is closed. What waits there goes on once it is, so that nothing is written. */
public final class CloseHook extends Hook {
    public CloseHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                Connection.closed(self);
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                Connection.closed(self);
                return failure;
            }
        };
    }
}
