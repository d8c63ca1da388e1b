package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/**
 * A client is closed: its connection manager, and its thread if the manager is its own. Its calls that wait end, also
 * those that have come meanwhile.
 */
public final class CloseHook extends Hook {
    public CloseHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (args[1] == null) {
            return null; // others may use it
        }
        Exchange.clientClosed(args[0]);
        return new Call() {
            @Override
            public Object exit(Object result) {
                Exchange.clientClosed(args[0]);
                return result;
            }
        };
    }
}
