package io.tempolimit.clients.ahc.hooks;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpResponse;
import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import org.asynchttpclient.HttpResponseStatus;
import org.asynchttpclient.netty.NettyResponseFuture;

/**
 * A response's head has come, before the client looks whether another hop follows; the arguments are the channel, the call's future,
 * its handler, the response, and the status.
 */
public final class AnswerHook extends Hook {
    private final Gate gate;

    public AnswerHook(Gate gate) {
        this.gate = gate;
    }

    /** In this order: a call whose connection goes is sent once more. */
    private static void close(NettyResponseFuture<?> call, Channel channel, IOException why) {
        if (call != null && channel != null) {
            call.abort(why);
            channel.close();
        }
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        NettyResponseFuture<?> call = (NettyResponseFuture<?>) args[1];
        Hop hop = Hop.latest(call);
        if (hop != null) {
            Body body = hop.answered(call, new ResponseHead(((HttpResponseStatus) args[4]).getStatusCode(),
                    ((HttpResponse) args[3]).headers()));
            if (body != null && body.stream()) {
                WeakReference<NettyResponseFuture<?>> streaming = new WeakReference<>(call);
                WeakReference<Channel> on = new WeakReference<>((Channel) args[0]);
                gate.opened(body, ((Channel) args[0]).eventLoop(), why -> close(streaming.get(), on.get(), why));
            }
            if (body != null) {
                Bodies.begin((Channel) args[0], body);
            }
        }
        return null;
    }
}
