package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.concurrent.BasicFuture;
import org.apache.http.nio.protocol.HttpAsyncResponseConsumer;

/**
 * A call fails, above all that the client does by itself; the arguments are why, its future, its consumer and its
 * state. A rejection may become a response.
 */
public final class RejectionHook extends Hook {
    /** {@code InternalState.getLocalContext} */
    private volatile MethodHandle context;

    public RejectionHook(Gate gate) {
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if (context == null) {
            context = lookup.findVirtual(args[3].getClass(), "getLocalContext", MethodType.methodType(HttpClientContext.class))
                    .asType(MethodType.methodType(HttpClientContext.class, Object.class));
        }
        return RejectionExchange.end((Throwable) args[0], (BasicFuture<Object>) args[1],
                (HttpAsyncResponseConsumer<Object>) args[2], contextOf(args[3]))
                ? self : null;
    }

    private HttpClientContext contextOf(Object state) {
        try {
            return (HttpClientContext) context.invokeExact(state);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
