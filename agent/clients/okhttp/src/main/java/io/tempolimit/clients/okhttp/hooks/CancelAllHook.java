package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** All calls of a dispatcher were cancelled; those that it does not know of, because they are held, are too. */
public final class CancelAllHook extends Hook {
    public CancelAllHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                for (okhttp3.Call held : Calls.HELD.from(self)) {
                    Names.cancel(held);
                }
                return result;
            }
        };
    }
}
