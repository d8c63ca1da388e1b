package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.http.HttpResponse;
import org.apache.http.HttpStatus;
import org.apache.http.conn.routing.HttpRoute;

/** A response begins; it is the first argument. The handler is {@code this}, or the last argument. */
public final class AnswerHook extends Hook {
    private final Gate gate;

    public AnswerHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Object handler = args.length == 1 ? self : args[args.length - 1];
        Exchange exchange = Exchange.of(handler);
        if (exchange == null) {
            return null;
        }
        Handlers handlers = Handlers.of(lookup);
        if (handlers.routeEstablished(handler)) { // else a proxy answers a CONNECT
            HttpResponse response = (HttpResponse) args[0];
            HttpRoute route = handlers.route(handler);
            if (response.getStatusLine().getStatusCode() == HttpStatus.SC_PROXY_AUTHENTICATION_REQUIRED && route.getProxyHost() != null
                    && !route.isTunnelled()) {
                exchange.askedByProxy();
                gate.announced(handlers.target(handler));
            } else {
                exchange.answered(gate, response, handlers.connection(handler));
            }
        }
        return null;
    }
}
