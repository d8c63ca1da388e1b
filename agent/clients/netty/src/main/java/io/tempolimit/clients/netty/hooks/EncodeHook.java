package io.tempolimit.clients.netty.hooks;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.tempolimit.core.Unseen;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A message is encoded; the arguments are its context and the message. Counts what no class of the JDK will write. */
public final class EncodeHook extends Hook {
    private final Gate gate;

    public EncodeHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (!(args[1] instanceof HttpRequest) || !(self instanceof HttpRequestEncoder)) {
            return null;
        }
        HttpRequest request = (HttpRequest) args[1];
        ChannelHandlerContext context = (ChannelHandlerContext) args[0];
        if (HttpMethod.CONNECT.equals(request.getMethod()) || !Transport.ofItsOwn(context)) {
            return null;
        }
        RequestTarget target = new RequestTarget(request, context);
        Unseen unseen = gate.limiter().unseen();
        if (target.host() != null && !target.spend(unseen)) {
            unseen.sent(target.host(), false, gate.senders().naming());
        }
        return null;
    }
}
