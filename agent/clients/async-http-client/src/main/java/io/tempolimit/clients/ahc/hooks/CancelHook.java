package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.asynchttpclient.netty.NettyResponseFuture;

/** The application has cancelled a call. */
public final class CancelHook extends Hook {
    public CancelHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        NettyResponseFuture<?> call = (NettyResponseFuture<?>) self;
        Hop hop = Hop.latest(call);
        return hop == null ? null : new Call() {
            @Override
            public Object exit(Object result) {
                Hop.endWait(call);
                Hop.forget(call);
                hop.permit.abandoned();
                return result;
            }
        };
    }
}
