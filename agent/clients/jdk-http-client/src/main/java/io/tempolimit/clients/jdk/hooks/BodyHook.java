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

/** The last hop's body is about to be read: the argument is the application's handler, the field the exchange that the hop is one of. */
public final class BodyHook extends Hook {
    /** {@code Exchange.readBodyAsync(BodyHandler)} */
    private volatile MethodHandle read;

    public BodyHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Body body = Exchanges.BODIES.remove(args[1]); // so there is none when it is called once more, below
        if (body == null) {
            return null;
        }
        if (read == null) {
            read = lookup.findVirtual(lookup.lookupClass(), "readBodyAsync", MethodType.methodType(CompletableFuture.class, HttpResponse.BodyHandler.class))
                    .asType(MethodType.methodType(Object.class, Object.class, HttpResponse.BodyHandler.class));
        }
        HttpResponse.BodyHandler<?> handler = new Tap.Handler<>((HttpResponse.BodyHandler<?>) args[0], body);
        try {
            return read.invokeExact(self, handler);
        } catch (Throwable t) { // of the application's handler
            body.cut();
            throw new Refusal(t);
        }
    }
}
