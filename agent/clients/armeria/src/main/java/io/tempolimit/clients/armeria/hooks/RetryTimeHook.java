package io.tempolimit.clients.armeria.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** How many milliseconds are left for all attempts of a call: those for which they waited do not count. */
public final class RetryTimeHook extends Hook {
    public RetryTimeHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        long waited = Timeouts.waitedMillis(self);
        return waited == 0 ? null : new Call() {
            @Override
            public Object exit(Object result) {
                return (Long) result + waited;
            }
        };
    }
}
