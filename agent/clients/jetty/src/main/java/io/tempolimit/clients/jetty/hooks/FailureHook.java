package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Stack;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.TimeoutException;

/** An exchange ends, wholly or on one side; the first argument is the failure, or null. */
public final class FailureHook extends Hook {
    public FailureHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Throwable failure = (Throwable) args[0];
        if (failure == null) {
            return null;
        }
        Stack.clean(failure); // a hop that has waited is handed over by us
        Object request = Internals.of(lookup).request(self);
        Permit permit = Calls.PERMITS.remove(request); // first: see AnswerHook
        Body body = Calls.BODIES.remove(request);
        if (body != null) {
            body.cut();
        }
        if (permit == null) {
            return null;
        }
        if (ofTheNetwork(failure)) {
            permit.failed(failure);
        } else {
            permit.abandoned();
        }
        return null;
    }

    /** The application aborts with exceptions of its own, or by interrupting or cancelling. */
    private static boolean ofTheNetwork(Throwable failure) {
        return failure instanceof IOException || failure instanceof TimeoutException || failure instanceof UnresolvedAddressException
                || failure.getClass().getName().startsWith("org.eclipse.jetty.");
    }
}
