package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.Parking;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import java.lang.invoke.MethodHandles;
import org.apache.http.HttpResponse;
import org.apache.http.client.methods.HttpExecutionAware;
import org.apache.http.client.methods.HttpRequestWrapper;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.impl.execchain.RequestAbortedException;

/** One hop: route, request, context, and what the application can abort it by. */
public final class ExecHook extends Hook {
    private final Gate gate;

    public ExecHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        HttpRequestWrapper request = (HttpRequestWrapper) args[1];
        HttpExecutionAware aware = (HttpExecutionAware) args[3];
        Permit permit = gate.limiter().arrive(new RouteTarget((HttpRoute) args[0], request));
        if (permit == null) {
            return null;
        }
        if (permit.waiting()) {
            await(permit, aware);
        }
        if (permit.cancelled()) {
            return null; // the method itself finds that it was aborted
        }
        return new Call() {
            @Override
            public Object exit(Object result) {
                permit.answered(((HttpResponse) result).getStatusLine().getStatusCode());
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                if (aware != null && aware.isAborted()) {
                    permit.abandoned();
                } else {
                    permit.failed(failure);
                }
                return failure;
            }
        };
    }

    private static void await(Permit permit, HttpExecutionAware aware) throws Exception {
        if (aware != null) {
            aware.setCancellable(permit::cancel);
            if (aware.isAborted()) { // before that, so nobody has told the permit
                permit.cancel();
            }
        }
        try {
            Parking.await(permit);
        } catch (InterruptedException e) {
            throw new Refusal(new RequestAbortedException("Request aborted", e));
        }
    }
}
