package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.gate.Hold;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** The client itself ends an exchange (a timeout, or the client was shut down): nothing is left to wait for. */
public final class AbortHook extends Hook {
    public AbortHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                Hold hold = Exchanges.HELD.get(self);
                if (hold != null) {
                    hold.cancel();
                }
                return result;
            }
        };
    }
}
