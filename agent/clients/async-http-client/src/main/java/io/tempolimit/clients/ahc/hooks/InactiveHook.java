package io.tempolimit.clients.ahc.hooks;

import io.netty.channel.ChannelHandlerContext;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A channel, of which the argument is the context, is closed. */
public final class InactiveHook extends Hook {
    public InactiveHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Bodies.cut(((ChannelHandlerContext) args[0]).channel());
        return null;
    }
}
