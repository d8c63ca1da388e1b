package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.http.nio.protocol.HttpAsyncClientExchangeHandler;

/** A call asks the pool for a connection, for its next hop; the field is the connection manager. */
public final class HopHook extends Hook {
    private final Gate gate;

    public HopHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        HttpAsyncClientExchangeHandler handler = (HttpAsyncClientExchangeHandler) self;
        Handlers handlers = Handlers.of(lookup);
        Exchange exchange = Exchange.of(handler);
        Permit permit = null;
        if (exchange != null) {
            if (exchange.over()) {
                return null;
            }
            RequestRejectedException rejection = exchange.takeRejection();
            if (rejection != null) {
                handler.failed(rejection);
                return rejection;
            }
            permit = exchange.next(); // it has waited, or the connection that it was to go over is gone
        }
        if (permit == null) {
            try {
                permit = gate.arrive(handlers.target(handler));
            } catch (RequestRejectedException e) {
                handler.failed(e);
                return e;
            }
            if (permit == null) {
                return null;
            }
            exchange = Exchange.note(handler, permit, null);
        }
        if (!permit.waiting()) {
            return null;
        }
        try {
            handlers.discardConnection(handler); // as the method itself does first
            exchange.await(gate.timer(), handler, args[0], () -> begin(handlers, handler));
            return exchange;
        } catch (RuntimeException | Error e) {
            permit.cancel();
            throw e;
        }
    }

    private static void begin(Handlers handlers, HttpAsyncClientExchangeHandler handler) {
        try {
            handlers.requestConnection(handler);
        } catch (RuntimeException e) {
            handler.failed(e);
        }
    }
}
