package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.core5.http.ClassicHttpRequest;

/** One hop of a client with an execution chain: request, scope, chain. */
public final class ConnectHook extends Hook {
    private final Gate gate;

    public ConnectHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        ExecChain.Scope scope = (ExecChain.Scope) args[1];
        HostTarget target = new HostTarget(scope.route.getTargetHost(), (ClassicHttpRequest) args[0]);
        if (scope.execRuntime.isEndpointAcquired()) {
            Permit permit = gate.limiter().charge(target);
            return permit == null ? null : new Exchange(permit, scope.originalRequest);
        }
        return Exchange.begin(gate, target, scope.originalRequest);
    }
}
