package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** An asynchronous client makes the runtime of a call. A call does not know its client; this does. */
public final class ClientOfHook extends Hook {
    private static final WeakMap<Object, Object> CLIENTS = new WeakMap<>();

    public ClientOfHook(Gate gate) {
    }

    /** Null if it is not known: a runtime that was forked from another one. */
    static Object clientOf(Object runtime) {
        return CLIENTS.get(runtime);
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                CLIENTS.put(result, self);
                return result;
            }
        };
    }
}
