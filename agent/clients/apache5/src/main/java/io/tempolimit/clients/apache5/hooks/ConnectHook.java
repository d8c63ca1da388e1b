package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecRuntime;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpStatus;

/** One hop of a client with an execution chain: request, scope, chain. */
public final class ConnectHook extends Hook {
    /** Permits of calls that a proxy has asked for a password: the same request once more costs nothing. */
    private static final WeakMap<ExecRuntime, Permit> PREPAID = new WeakMap<>(Permit::unused);

    private final Gate gate;

    public ConnectHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        ExecChain.Scope scope = (ExecChain.Scope) args[1];
        Permit permit = PREPAID.remove(scope.execRuntime);
        if (permit == null) {
            HostTarget target = new HostTarget(scope.route.getTargetHost(), scope.route.getProxyHost(), (ClassicHttpRequest) args[0], self);
            permit = scope.execRuntime.isEndpointAcquired() ? gate.limiter().charge(target)
                    : Exchange.pass(gate, target, scope.originalRequest, Managers.of(scope.execRuntime));
        }
        return new Round(permit, scope).begin();
    }

    private static final class Round extends Exchange {
        private final ExecChain.Scope scope;
        private boolean askedByProxy;

        Round(Permit permit, ExecChain.Scope scope) {
            super(permit, scope.originalRequest);
            this.scope = scope;
        }

        @Override
        void answered(Gate gate, ClassicHttpResponse response, Object connection) {
            if (response.getCode() == HttpStatus.SC_PROXY_AUTHENTICATION_REQUIRED && scope.route.getProxyHost() != null
                    && !scope.route.isTunnelled()) {
                askedByProxy = true;
            } else {
                super.answered(gate, response, connection);
            }
        }

        @Override
        void ended() {
            if (askedByProxy) {
                PREPAID.put(scope.execRuntime, permit());
            } else {
                super.ended();
            }
        }
    }
}
