package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.asynchttpclient.HttpResponseStatus;
import org.asynchttpclient.netty.NettyResponseFuture;

/** A response's head has come, before the client looks whether another hop follows; among the arguments are the call's future and the status. */
public final class AnswerHook extends Hook {
    public AnswerHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        NettyResponseFuture<?> call = (NettyResponseFuture<?>) args[1];
        Hop hop = Hop.latest(call);
        if (hop != null) {
            hop.answered(call, ((HttpResponseStatus) args[4]).getStatusCode());
        }
        return null;
    }
}
