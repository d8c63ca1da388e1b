package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/**
 * Bytes are written whole; the arguments are the array, where they begin, how many they are, and the socket, if that is not the woven
 * object itself.
 */
public final class WriteHook extends Hook {
    private final Wire wire;

    public WriteHook(Gate gate) {
        wire = new Wire(gate);
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        RequestHead head = RequestHead.of((byte[]) args[0], (Integer) args[1], (Integer) args[2]);
        if (head != null) {
            wire.sent(head, args.length > 3 ? args[3] : self);
        }
        return null;
    }
}
