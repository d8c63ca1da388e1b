package io.tempolimit.clients.commons.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A request is written and its answer's head read; after a failure the client may do that once more, within the same round. */
public final class AttemptHook extends Hook {
    public AttemptHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Exchange exchange = Exchange.of(self);
        if (exchange == null) {
            return null;
        }
        exchange.attempt();
        return new Call() {
            @Override
            public Throwable fail(Throwable failure) {
                exchange.failed(failure);
                return failure;
            }
        };
    }
}
