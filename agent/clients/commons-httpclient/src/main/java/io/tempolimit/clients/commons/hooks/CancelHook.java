package io.tempolimit.clients.commons.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.commons.httpclient.HttpMethod;

/** A method is aborted. */
public final class CancelHook extends Hook {
    public CancelHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                Calls.aborted((HttpMethod) self);
                return result;
            }
        };
    }
}
