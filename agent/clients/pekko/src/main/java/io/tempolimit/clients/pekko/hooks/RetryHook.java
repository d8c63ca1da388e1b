package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A pool is about to send a request once more; the field is the promise of its answer. */
public final class RetryHook extends Hook {
    public RetryHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop hop = Hop.of(args[args.length - 1]);
        if (hop != null) {
            hop.retried();
        }
        return null;
    }
}
