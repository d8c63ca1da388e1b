package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.CompletableFuture;

/**
 * A call begins, on the application's thread, inside of {@code sendAsync}; its hops begin on others. The future that is
 * returned fails however the call fails: also by what the application's own handlers throw, of which no hop hears.
 */
public final class StartHook extends Hook {
    private final Gate gate;

    public StartHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (gate.limiter().exempt().here()) {
            Exchanges.EXEMPT.put(self, true);
        }
        if (Exchanges.PASS_ON_CANCEL) {
            Exchanges.started(self);
        }
        return new Call() {
            @Override
            public Object exit(Object result) {
                ((CompletableFuture<?>) result).whenComplete((response, failure) -> {
                    if (failure != null) {
                        Exchanges.over(self);
                    }
                });
                return result;
            }
        };
    }
}
