package io.tempolimit.clients.commons.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.commons.httpclient.HttpMethod;

/** A call with all its rounds; the argument is the method, which is request and response at once. */
public final class CallHook extends Hook {
    private final Gate gate;

    public CallHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws ReflectiveOperationException {
        return args[0] == null ? null : Exchange.begin(gate, (HttpMethod) args[0], Internals.by(lookup));
    }
}
