package io.tempolimit.clients.reactornetty.hooks;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpResponse;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import reactor.netty.Connection;

/** A response's head, the argument, has come on a channel. By channel, for a web socket's operations take the place of the request's. */
public final class AnswerHook extends Hook {
    public AnswerHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Channel channel = ((Connection) self).channel();
        Permit permit = Hop.ON_CHANNEL.get(channel);
        if (permit == null && channel.parent() != null) { // a request that upgrades its connection to HTTP/2 is answered on a stream
            channel = channel.parent();
            permit = Hop.ON_CHANNEL.get(channel);
        }
        if (permit != null) {
            permit.answered(((HttpResponse) args[0]).status().code());
            if (permit.done()) { // else it was a 1xx
                Hop.ON_CHANNEL.remove(channel);
            }
        }
        return null;
    }
}
