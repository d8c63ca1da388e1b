package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** The client sends the first hop of a call. */
public final class ExecuteHook extends Hook {
    public ExecuteHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        First first = First.enter();
        return new Call() {
            @Override
            public Object exit(Object result) {
                first.exit();
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                first.exit();
                return failure;
            }
        };
    }
}
