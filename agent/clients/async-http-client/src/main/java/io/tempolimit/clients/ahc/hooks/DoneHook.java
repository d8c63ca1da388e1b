package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.asynchttpclient.netty.NettyResponseFuture;

/** A call is complete. If its last request has no answer from the site then, a proxy has refused it. */
public final class DoneHook extends Hook {
    public DoneHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop hop = Hop.forget((NettyResponseFuture<?>) self);
        if (hop != null) {
            hop.permit.unused();
        }
        return null;
    }
}
