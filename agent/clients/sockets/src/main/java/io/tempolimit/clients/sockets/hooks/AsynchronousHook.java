package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** Bytes are handed to an asynchronous channel, which writes some of them or fails; the arguments begin as those of {@link BufferHook}. */
public final class AsynchronousHook extends Hook {
    private final Wire wire;

    public AsynchronousHook(Gate gate) {
        wire = new Wire(gate);
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        RequestHead head = BufferHook.headOf(args);
        if (head != null) {
            wire.sent(head, self);
        }
        return null;
    }
}
