package io.tempolimit.clients.commons.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import org.apache.commons.httpclient.HostConfiguration;
import org.apache.commons.httpclient.HttpConnection;
import org.apache.commons.httpclient.HttpConnectionManager;
import org.apache.commons.httpclient.HttpMethod;
import org.apache.commons.httpclient.HttpState;
import org.apache.commons.httpclient.params.HttpClientParams;

/**
 * A round: the method; then the connection that is leased for it, the state with the cookies, and what another connection is
 * leased with: the host, the manager and the client's parameters.
 */
public final class SendHook extends Hook {
    private final Gate gate;

    public SendHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Exchange exchange = Exchange.of(args[0]);
        if (exchange == null) {
            return null;
        }
        RequestTarget target = new RequestTarget((HttpMethod) args[0], (HttpConnection) args[1], (HttpState) args[2]);
        Permit permit = exchange.inAdvance(target);
        if (permit == null) {
            permit = gate.arrive(target);
        }
        if (permit != null && permit.waiting()) {
            await(permit, exchange.internals(), self, args);
        }
        exchange.round(permit);
        return new Call() {
            @Override
            public Object exit(Object result) {
                exchange.over();
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                exchange.failed(failure);
                return failure;
            }
        };
    }

    /** Waits without a connection, as if the client came to the pool only then. */
    private void await(Permit permit, Internals internals, Object director, Object[] args) throws Exception {
        HttpMethod method = (HttpMethod) args[0];
        HttpConnectionManager manager = (HttpConnectionManager) args[4];
        try {
            internals.giveBack(director, (HttpConnection) args[1]);
        } catch (RuntimeException e) { // of the application's manager: the round goes at once
            permit.cancel();
            throw e;
        }
        try {
            Calls.WAITS.begins(method, permit, permit::cancel);
            CloseHook.CLOSED.waits(permit, manager, permit::cancel);
            gate.await(permit);
        } finally {
            CloseHook.CLOSED.waitIsOver(permit);
            Calls.WAITS.over(method);
        }
        if (Calls.isAborted(method)) {
            permit.unused(); // if its turn had come all the same
            throw new Refusal(new IllegalStateException("Method has been aborted")); // as the client says it, when it has a connection
        }
        try {
            long timeout = ((HttpClientParams) args[5]).getConnectionManagerTimeout();
            internals.lease(director, manager.getConnectionWithTimeout((HostConfiguration) args[3], timeout));
        } catch (IOException | RuntimeException e) {
            permit.unused();
            throw new Refusal(e);
        }
    }
}
