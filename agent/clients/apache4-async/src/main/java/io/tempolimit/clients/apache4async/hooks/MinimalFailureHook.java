package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.CancellationException;
import org.apache.http.concurrent.BasicFuture;
import org.apache.http.nio.protocol.HttpAsyncResponseConsumer;
import org.apache.http.protocol.HttpContext;

/**
 * A call of the minimal client fails; the arguments are why, its future, which from 4.1.3 on the client forgets to
 * tell, its consumer and its context.
 */
public final class MinimalFailureHook extends Hook {
    public MinimalFailureHook(Gate gate) {
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (RejectionExchange.end((Throwable) args[0], (BasicFuture<Object>) args[1],
                (HttpAsyncResponseConsumer<Object>) args[2], (HttpContext) args[3])) {
            return self;
        }
        // for what comes from us, it must know
        if (args[0] instanceof RequestRejectedException || args[0] instanceof CancellationException) {
            ((BasicFuture<?>) args[1]).failed((Exception) args[0]);
        }
        return null;
    }
}
