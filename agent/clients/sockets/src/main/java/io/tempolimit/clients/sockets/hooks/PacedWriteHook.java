package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** As {@link WriteHook}, where requests of unknown clients are paced. */
public final class PacedWriteHook extends Hook {
    private final Pace pace;

    public PacedWriteHook(Gate gate) {
        pace = new Pace(gate);
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        RequestHead head = RequestHead.of((byte[]) args[0], (Integer) args[1], (Integer) args[2]);
        return head == null ? null : pace.send(head, args.length > 3 ? args[3] : self);
    }
}
