package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import io.tempolimit.weave.Stack;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hc.core5.concurrent.Cancellable;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.HandlerFactory;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.protocol.HttpContext;

/** A request of a minimal asynchronous client, which has no chain: the exchange's handler, one for pushed responses, context. */
public final class AsyncMinimalHook extends Hook {
    private final Gate gate;
    private volatile MethodHandle execute;

    public AsyncMinimalHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if (args[0] instanceof HandlerHop) {
            return null;
        }
        if (execute == null) {
            execute = lookup.findVirtual(lookup.lookupClass(), "execute", MethodType.methodType(Cancellable.class,
                    AsyncClientExchangeHandler.class, HandlerFactory.class, HttpContext.class))
                    .asType(MethodType.methodType(Object.class, Object.class, Object.class, Object.class, Object.class));
        }
        MinimalHop hop = new MinimalHop(gate, self, (AsyncClientExchangeHandler) args[0]);
        Cancellable cancellable;
        try {
            cancellable = (Cancellable) (Object) execute.invokeExact(self, (Object) hop, args[1], args[2]);
        } catch (Throwable t) {
            Stack.clean(t);
            throw new Refusal(t);
        }
        return hop.handedOver() ? cancellable : (Cancellable) () -> {
            boolean cancelled = cancellable.cancel();
            hop.cancelCall();
            return cancelled;
        };
    }

    private static final class MinimalHop extends HandlerHop {
        private RequestChannel channel;
        private HttpRequest request;
        private EntityDetails details;
        private HttpContext context;

        MinimalHop(Gate gate, Object client, AsyncClientExchangeHandler handler) {
            super(gate, client, handler);
        }

        /** Called by the client when it begins the call. */
        @Override
        public void produceRequest(RequestChannel toClient, HttpContext given) throws HttpException, IOException {
            handler.produceRequest((r, d, c) -> {
                channel = toClient;
                request = r;
                details = d;
                context = c;
                known(r);
            }, given);
        }

        @Override
        HttpContext context() {
            return context;
        }

        /** Makes the client lease a connection. */
        @Override
        void send() throws HttpException, IOException {
            channel.sendRequest(request, details, context);
        }
    }
}
