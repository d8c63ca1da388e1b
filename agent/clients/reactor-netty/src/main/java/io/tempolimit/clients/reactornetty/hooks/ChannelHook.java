package io.tempolimit.clients.reactornetty.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import reactor.netty.Connection;

/** A hop's request is about to be sent; the argument tells on which channel (in HTTP/2, one of its own). */
public final class ChannelHook extends Hook {
    public ChannelHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Permit permit = Hop.OF_CALL.remove(self);
        if (permit != null) {
            Hop.ON_CHANNEL.put(((Connection) args[0]).channel(), permit);
        }
        return null;
    }
}
