package io.tempolimit.clients.ahc.hooks;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpResponse;
import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.asynchttpclient.HttpResponseStatus;
import org.asynchttpclient.netty.NettyResponseFuture;

/**
 * A response's head has come, before the client looks whether another hop follows; the arguments are the channel, the call's future,
 * its handler, the response, and the status.
 */
public final class AnswerHook extends Hook {
    public AnswerHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        NettyResponseFuture<?> call = (NettyResponseFuture<?>) args[1];
        Hop hop = Hop.latest(call);
        if (hop != null) {
            Body body = hop.answered(call, new ResponseHead(((HttpResponseStatus) args[4]).getStatusCode(), ((HttpResponse) args[3]).headers()));
            if (body != null) {
                Bodies.begin((Channel) args[0], body);
            }
        }
        return null;
    }
}
