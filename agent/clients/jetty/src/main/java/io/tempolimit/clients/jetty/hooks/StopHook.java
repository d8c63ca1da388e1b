package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.eclipse.jetty.client.HttpClient;

/** A client is stopped: it fails what is in its queues, and so those are failed that are held back from them. */
public final class StopHook extends Hook {
    public StopHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Calls.stopped((HttpClient) self);
        return null;
    }
}
