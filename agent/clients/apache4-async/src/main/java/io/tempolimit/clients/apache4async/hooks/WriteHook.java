package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A request is made for its connection, by the handler itself or, with the handler as the last argument, by another object. */
public final class WriteHook extends Hook {
    private final Gate gate;

    public WriteHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Object handler = args.length == 0 ? self : args[args.length - 1];
        Exchange exchange = Exchange.of(handler);
        if (exchange == null || exchange.over()) {
            return null;
        }
        Handlers handlers = Handlers.of(lookup);
        return new Call() {
            @Override
            public Object exit(Object result) {
                if (result != null && handlers.routeEstablished(handler) && !exchange.wrote()) {
                    Permit permit = gate.limiter().charge(handlers.target(handler));
                    if (permit != null) {
                        exchange.charged(permit);
                    }
                }
                return result;
            }
        };
    }
}
