package io.tempolimit.clients.reactornetty.hooks;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import reactor.netty.Connection;

/** A response's head, the argument, has come on a channel. By channel, for a web socket's operations take the place of the request's. */
public final class AnswerHook extends Hook {
    private final Gate gate;

    public AnswerHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Channel stream = ((Connection) self).channel();
        Channel channel = stream;
        Permit permit = Hop.ON_CHANNEL.get(channel);
        if (permit == null && channel.parent() != null) { // a request that upgrades its connection to HTTP/2 is answered on a stream
            channel = channel.parent();
            permit = Hop.ON_CHANNEL.get(channel);
        }
        if (permit != null) {
            HttpResponse response = (HttpResponse) args[0];
            Body body = permit.answered(new ResponseHead(response));
            if (permit.done()) { // else it was a 1xx
                Hop.ON_CHANNEL.remove(channel);
            }
            if (body != null && body.stream()) {
                WeakReference<Channel> streaming = new WeakReference<>(stream);
                gate.opened(body, stream.eventLoop(), why -> {
                    Channel still = streaming.get();
                    if (still != null) {
                        still.close();
                    }
                });
            }
            if (body != null) {
                if (response instanceof HttpContent) {
                    Bodies.show(body, (HttpContent) response);
                } else {
                    Bodies.begin(stream, body);
                }
            }
        }
        return null;
    }
}
