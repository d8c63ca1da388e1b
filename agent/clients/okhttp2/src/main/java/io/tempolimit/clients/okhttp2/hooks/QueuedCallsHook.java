package io.tempolimit.clients.okhttp2.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** How many calls a dispatcher says to be in its queue has the held ones in it: applications steer by that. */
public final class QueuedCallsHook extends Hook {
    public QueuedCallsHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                return (Integer) result + Calls.HELD.from(self).size();
            }
        };
    }
}
