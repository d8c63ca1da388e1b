package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.pekko.http.impl.engine.client.PoolFlow;

/** A pool gives up an answer that nobody reads, and closes its connection; the field is the context of the request. */
public final class UnreadHook extends Hook {
    public UnreadHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop hop = Hop.of(((PoolFlow.RequestContext) args[args.length - 1]).responsePromise());
        if (hop != null) {
            hop.unread();
        }
        return null;
    }
}
