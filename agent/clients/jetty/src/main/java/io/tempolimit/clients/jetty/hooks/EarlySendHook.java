package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.eclipse.jetty.client.HttpDestination;
import org.eclipse.jetty.client.HttpExchange;
import org.eclipse.jetty.client.HttpRequest;
import org.eclipse.jetty.client.api.Response;

/**
 * Before 9.4.9, one hop is handed to its destination: request and listeners, from which the woven method makes the exchange. Later
 * versions have the method too, and hand the exchange on to what {@link SendHook} is at.
 */
public final class EarlySendHook extends Hook {
    private final Gate gate;
    /** {@code HttpDestination.send(HttpRequest, List)} */
    private volatile MethodHandle send;

    public EarlySendHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = Internals.of(lookup);
        if (in.sendsExchanges()) {
            return null;
        }
        if (send == null) {
            send = lookup.unreflect(HttpDestination.class.getDeclaredMethod("send", HttpRequest.class, List.class));
        }
        return new RequestHop(in, (HttpDestination) self, (HttpRequest) args[0], (List<?>) args[1]).enter(gate);
    }

    private final class RequestHop extends Hop {
        private final HttpDestination destination;
        private final HttpRequest request;
        private final List<?> listeners;

        RequestHop(Internals in, HttpDestination destination, HttpRequest request, List<?> listeners) {
            super(in, destination, request);
            this.destination = destination;
            this.request = request;
            this.listeners = listeners;
        }

        /** An exchange enters its conversation when it is made. */
        @Override
        @SuppressWarnings("unchecked")
        void join() {
            new HttpExchange(destination, request, (List<Response.ResponseListener>) listeners);
        }

        @Override
        List<?> listeners() {
            return listeners;
        }

        @Override
        void send() {
            try {
                send.invoke(destination, request, listeners);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable t) {
                throw new IllegalStateException(t);
            }
        }
    }
}
