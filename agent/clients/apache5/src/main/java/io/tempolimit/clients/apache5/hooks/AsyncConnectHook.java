package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import io.tempolimit.weave.Stack;
import java.lang.invoke.MethodHandles;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.async.AsyncExecChainHandler;
import org.apache.hc.client5.http.async.AsyncExecRuntime;
import org.apache.hc.client5.http.auth.AuthExchange;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;

/** One hop of an asynchronous client with an execution chain: request, entity, scope, chain, callback. */
public final class AsyncConnectHook extends Hook {
    private final Gate gate;

    public AsyncConnectHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        AsyncExecCallback callback = (AsyncExecCallback) args[4];
        if (callback instanceof ChainHop) {
            return null; // sent by its hop
        }
        HttpRequest request = (HttpRequest) args[0];
        AsyncExecChain.Scope scope = (AsyncExecChain.Scope) args[2];
        Permit permit;
        try {
            permit = permit(scope, new HostTarget(scope.route.getTargetHost(), scope.route.getProxyHost(), request, self));
        } catch (RequestRejectedException e) {
            scope.execRuntime.releaseEndpoint(); // or a good connection would be closed
            callback.failed(e);
            return e;
        }
        if (permit == null) {
            return null;
        }
        ChainHop hop;
        try {
            hop = new ChainHop(gate, ClientOfHook.clientOf(scope.execRuntime), (AsyncExecChainHandler) self, request,
                    (AsyncEntityProducer) args[1], scope, (AsyncExecChain) args[3], callback);
            if (permit.waiting()) {
                hop.waits(permit);
                return hop;
            }
            hop.goesWith(permit);
        } catch (RuntimeException | Error e) {
            permit.cancel();
            throw e;
        }
        try {
            hop.send();
        } catch (Throwable t) {
            hop.over(t);
            Stack.clean(t);
            throw new Refusal(t);
        }
        return hop;
    }

    private Permit permit(AsyncExecChain.Scope scope, HostTarget target) throws RequestRejectedException {
        AsyncExecRuntime runtime = scope.execRuntime;
        Permit prepaid = ChainHop.prepaid(runtime);
        if (prepaid != null && prepaid.granted()) {
            gate.announced(target);
            return prepaid;
        }
        return runtime.isEndpointAcquired() && boundToConnection(scope) ? gate.limiter().charge(target) : gate.arrive(target);
    }

    /** NTLM and the like authenticate a connection: it must not be given back in the middle of that. */
    private static boolean boundToConnection(AsyncExecChain.Scope scope) {
        for (AuthExchange exchange : scope.clientContext.getAuthExchanges().values()) {
            if (exchange.isConnectionBased()) {
                return true;
            }
        }
        return false;
    }
}
