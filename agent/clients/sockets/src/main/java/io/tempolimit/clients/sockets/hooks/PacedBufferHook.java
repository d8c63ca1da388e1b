package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.nio.channels.SocketChannel;

/** As {@link BufferHook}, where requests of unknown clients are paced: on channels that block. */
public final class PacedBufferHook extends Hook {
    private final BufferHook counted;
    private final Pace pace;

    public PacedBufferHook(Gate gate) {
        counted = new BufferHook(gate);
        pace = new Pace(gate);
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if (!((SocketChannel) self).isBlocking()) {
            return counted.enter(lookup, self, args);
        }
        RequestHead head = BufferHook.headOf(args);
        return head == null ? null : pace.send(head, self);
    }
}
