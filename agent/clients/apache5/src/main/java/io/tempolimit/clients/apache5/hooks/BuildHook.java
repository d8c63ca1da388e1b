package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A client is made. */
public final class BuildHook extends Hook {
    public BuildHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                AddedUserAgent.look(result);
                return result;
            }
        };
    }
}
