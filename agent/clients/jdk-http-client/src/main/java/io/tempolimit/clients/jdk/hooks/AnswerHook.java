package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.util.concurrent.Executor;

/**
 * Each hop's response passes here, and what is returned is the request of the next hop; the argument is the response,
 * the fields its request and the client's executor.
 */
public final class AnswerHook extends Hook {
    /** {@code Response.statusCode} */
    private volatile MethodHandle status;
    /** {@code Response.headers} */
    private volatile MethodHandle headers;
    /** {@code HttpRequestImpl.proxy()}, null if there is none */
    private volatile MethodHandle proxy;

    /** {@code MultiExchange.cancel(IOException)} */
    private volatile MethodHandle cancel;

    private final Gate gate;

    public AnswerHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Permit permit = Exchanges.PERMITS.get(self);
        if (permit == null) {
            return null;
        }
        prepare(lookup, args[0].getClass(), args[1].getClass());
        int code = (Integer) get(status, args[0]);
        if (code == HttpURLConnection.HTTP_PROXY_AUTH && get(proxy, args[1]) != null) {
            return new AskedByProxy(self, permit);
        }
        Exchanges.PERMITS.remove(self);
        Body body = permit.answered(new ResponseHead(code, (HttpHeaders) get(headers, args[0])));
        if (body != null && body.stream()) {
            WeakReference<Object> exchange = new WeakReference<>(self);
            gate.opened(body, (Executor) args[2], why -> cancel(exchange.get(), why));
        }
        return body == null ? null : new Answer(self, body);
    }

    private void prepare(MethodHandles.Lookup lookup, Class<?> response, Class<?> request) throws ReflectiveOperationException {
        if (proxy == null) {
            status = lookup.findGetter(response, "statusCode", int.class).asType(MethodType.methodType(Object.class, Object.class));
            headers = lookup.findGetter(response, "headers", HttpHeaders.class).asType(MethodType.methodType(Object.class, Object.class));
            cancel = lookup.findVirtual(lookup.lookupClass(), "cancel", MethodType.methodType(void.class, IOException.class))
                    .asType(MethodType.methodType(void.class, Object.class, IOException.class));
            proxy = lookup.findVirtual(request, "proxy", MethodType.methodType(InetSocketAddress.class))
                    .asType(MethodType.methodType(Object.class, Object.class));
        }
    }

    private void cancel(Object exchange, IOException why) {
        if (exchange != null) {
            try {
                cancel.invokeExact(exchange, why);
            } catch (Throwable t) {
                throw new IllegalStateException(t);
            }
        }
    }

    private static Object get(MethodHandle getter, Object of) {
        try {
            return getter.invokeExact(of);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** An answer whose body is to be seen, if it is the application that reads it. */
    private static final class Answer extends Call {
        private final Object exchange;
        private final Body body;

        Answer(Object exchange, Body body) {
            this.exchange = exchange;
            this.body = body;
        }

        @Override
        public Object exit(Object next) {
            if (next == null) {
                Exchanges.BODIES.put(exchange, body);
            } else {
                body.cut(); // the client throws it away
            }
            return next;
        }

        @Override
        public Throwable fail(Throwable failure) {
            body.cut();
            return failure;
        }
    }

    /** The next hop, if there is one, is the same request with a password for the proxy, and goes with the permit that is there already. */
    private static final class AskedByProxy extends Call {
        private final Object exchange;
        private final Permit permit;

        AskedByProxy(Object exchange, Permit permit) {
            this.exchange = exchange;
            this.permit = permit;
        }

        @Override
        public Object exit(Object next) {
            if (next == null) {
                unsent();
            }
            return next;
        }

        @Override
        public Throwable fail(Throwable failure) {
            unsent();
            return failure;
        }

        private void unsent() {
            Exchanges.PERMITS.remove(exchange);
            permit.unused();
        }
    }
}
