package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.CancellationException;
import org.apache.http.concurrent.BasicFuture;

/** A call of the minimal client fails; the arguments are why, and its future, which from 4.1.3 on the client forgets to tell. */
public final class MinimalFailureHook extends Hook {
    public MinimalFailureHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (args[0] instanceof RequestRejectedException || args[0] instanceof CancellationException) { // for what comes from us, it must know
            ((BasicFuture<?>) args[1]).failed((Exception) args[0]);
        }
        return null;
    }
}
