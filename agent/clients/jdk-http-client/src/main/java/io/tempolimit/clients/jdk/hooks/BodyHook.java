package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The last hop's body is about to be read by this subscriber, the first argument. {@code Http1Response.readBody} has
 * three arguments and the field {@code exchange}; {@code Stream.receiveData}, of HTTP/2, has two, and is itself what
 * that field is.
 */
public final class BodyHook extends Hook {
    /** {@code ExchangeImpl.getExchange()} */
    private volatile MethodHandle exchange;
    /** {@code Exchange.multi} */
    private volatile MethodHandle multi;
    /** {@code Stream.receiveData}; only where it is needed. */
    private volatile MethodHandle receive;

    public BodyHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        boolean http2 = args.length == 2;
        Object impl = http2 ? self : args[3];
        prepare(lookup, impl.getClass());
        Body body = Exchanges.BODIES.remove(get(multi, get(exchange, impl)));
        if (body == null || args[0] == null) { // no subscriber: the client will say so
            return null;
        }
        if (http2 && !SubscriberHook.WRAPS_ALL) {
            return receive(lookup, self, new Tap<>((HttpResponse.BodySubscriber<?>) args[0], body), (Executor) args[1]);
        }
        SubscriberHook.BODIES.put(args[0], body);
        return null;
    }

    private Object receive(MethodHandles.Lookup lookup, Object stream, Tap<?> tap, Executor executor) throws Exception {
        if (receive == null) {
            receive = lookup.findVirtual(lookup.lookupClass(), "receiveData",
                    MethodType.methodType(CompletableFuture.class, HttpResponse.BodySubscriber.class, Executor.class))
                    .asType(MethodType.methodType(Object.class, Object.class, HttpResponse.BodySubscriber.class, Executor.class));
        }
        try {
            return receive.invokeExact(stream, (HttpResponse.BodySubscriber<?>) tap, executor);
        } catch (Throwable t) {
            throw new Refusal(t);
        }
    }

    private void prepare(MethodHandles.Lookup lookup, Class<?> impl) throws ReflectiveOperationException {
        if (multi == null) {
            ClassLoader loader = impl.getClassLoader();
            Class<?> exchangeImpl = Class.forName("jdk.internal.net.http.ExchangeImpl", false, loader);
            Class<?> exchangeClass = Class.forName("jdk.internal.net.http.Exchange", false, loader);
            Class<?> multiExchange = Class.forName("jdk.internal.net.http.MultiExchange", false, loader);
            MethodType get = MethodType.methodType(Object.class, Object.class);
            exchange = lookup.findVirtual(exchangeImpl, "getExchange", MethodType.methodType(exchangeClass)).asType(get);
            multi = lookup.findGetter(exchangeClass, "multi", multiExchange).asType(get);
        }
    }

    private static Object get(MethodHandle getter, Object of) {
        try {
            return getter.invokeExact(of);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
