package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A call was cancelled: if it waits, it goes on, and finds so itself; if it has an answer, that is over. */
public final class CancelHook extends Hook {
    public CancelHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                Calls.WAITS.end((okhttp3.Call) self);
                Calls.READING.cut((okhttp3.Call) self);
                return result;
            }
        };
    }
}
