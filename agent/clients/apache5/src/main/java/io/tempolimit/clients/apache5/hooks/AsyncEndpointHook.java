package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncClientEndpoint;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.AsyncPushConsumer;
import org.apache.hc.core5.http.nio.HandlerFactory;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.protocol.HttpContext;

/**
 * A request over a connection that the application itself has leased from a minimal client: the exchange's handler, one for
 * pushed responses, context; then the client. It waits before it is given to the connection.
 */
public final class AsyncEndpointHook extends Hook {
    private static final String OWN = "org.apache.hc.client5.http.impl.async.MinimalHttpAsyncClient$";

    private final Gate gate;

    public AsyncEndpointHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        AsyncClientExchangeHandler handler = (AsyncClientExchangeHandler) args[0];
        if (handler instanceof HandlerHop || handler.getClass().getName().startsWith(OWN)) {
            return null; // paced already
        }
        if (!((AsyncClientEndpoint) self).isConnected()) {
            return null; // as the client says itself
        }
        EndpointHop hop = new EndpointHop(gate, args[3], handler, (AsyncClientEndpoint) self,
                (HandlerFactory<AsyncPushConsumer>) args[1], (HttpContext) args[2]);
        LeasedConnection.expects(hop.endpoint);
        try {
            hop.begin();
        } catch (Exception e) {
            hop.settled();
            hop.failed(e);
        }
        return hop;
    }

    private static final class EndpointHop extends HandlerHop {
        private final AsyncClientEndpoint endpoint;
        private final HandlerFactory<AsyncPushConsumer> pushed;
        private final HttpContext context;
        private final AtomicBoolean settled = new AtomicBoolean();
        private HttpRequest request;
        private EntityDetails details;

        EndpointHop(Gate gate, Object client, AsyncClientExchangeHandler handler, AsyncClientEndpoint endpoint,
                HandlerFactory<AsyncPushConsumer> pushed, HttpContext context) {
            super(gate, client, handler);
            this.endpoint = endpoint;
            this.pushed = pushed;
            this.context = context;
        }

        /** The connection would ask for the request when it is about to write it, where nothing can wait. */
        void begin() throws Exception {
            handler.produceRequest((r, d, c) -> {
                request = r;
                details = d;
                known(r);
            }, context);
        }

        @Override
        HttpContext context() {
            return context;
        }

        @Override
        void send() {
            endpoint.execute(this, pushed, context);
            settled();
        }

        @Override
        void settled() {
            if (settled.compareAndSet(false, true)) {
                LeasedConnection.settled(endpoint);
            }
        }

        @Override
        boolean needs(Object clientOrConnection) {
            return endpoint == clientOrConnection || super.needs(clientOrConnection);
        }

        @Override
        boolean needsClosed() {
            return isClosed(endpoint) || super.needsClosed();
        }

        @Override
        public void produceRequest(RequestChannel channel, HttpContext given) throws HttpException, IOException {
            channel.sendRequest(request, details, given);
        }
    }
}
