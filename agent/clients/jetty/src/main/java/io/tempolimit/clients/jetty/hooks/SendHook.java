package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.List;

/** One hop is handed to its destination; the argument is the exchange. */
public final class SendHook extends Hook {
    private final Gate gate;

    public SendHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = Internals.of(lookup);
        return new ExchangeHop(in, self, args[0]).enter(gate);
    }

    private static final class ExchangeHop extends Hop {
        private final Object exchange;

        ExchangeHop(Internals in, Object destination, Object exchange) {
            super(in, destination, in.request(exchange));
            this.exchange = exchange;
        }

        /** It is since it exists. */
        @Override
        void join() {
        }

        @Override
        List<?> listeners() {
            return Collections.emptyList();
        }

        @Override
        void send() {
            in.sent(request);
            in.send(destination, exchange);
        }
    }
}
