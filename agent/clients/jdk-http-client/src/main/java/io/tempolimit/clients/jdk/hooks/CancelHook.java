package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** The application has cancelled the future of a call; the argument says whether that may interrupt it. */
public final class CancelHook extends Hook {
    public CancelHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return !(Boolean) args[0] ? null : new Call() {
            @Override
            public Object exit(Object result) {
                Exchanges.cancel(self);
                return result;
            }
        };
    }
}
