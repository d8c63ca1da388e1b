package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.asynchttpclient.netty.NettyResponseFuture;

/** A call has failed; the argument is the failure. */
public final class FailureHook extends Hook {
    public FailureHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        NettyResponseFuture<?> call = (NettyResponseFuture<?>) self;
        Hop hop = Hop.forget(call);
        if (hop != null) {
            Hop.endWait(call);
            hop.permit.failed((Throwable) args[0]);
        }
        return null;
    }
}
