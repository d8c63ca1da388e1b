package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.Parking;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import java.lang.invoke.MethodHandles;
import org.apache.http.client.methods.HttpExecutionAware;
import org.apache.http.client.methods.HttpRequestWrapper;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.impl.execchain.MainClientExec;
import org.apache.http.impl.execchain.RequestAbortedException;

/** One hop: route, request, context, and what the application can abort it by; the field is the connection manager. */
public final class ExecHook extends Hook {
    private final Gate gate;

    public ExecHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        HttpRequestWrapper request = (HttpRequestWrapper) args[1];
        HttpExecutionAware aware = (HttpExecutionAware) args[3];
        Permit permit = CloseHook.CLOSED.isClosed(args[4]) ? null : gate.arrive(new RouteTarget((HttpRoute) args[0], request));
        if (permit != null && permit.waiting()) {
            await(permit, aware, args[4]);
        }
        if (permit != null && permit.cancelled()) {
            return null; // the method itself finds that it was aborted, or that there are no connections any more
        }
        return Hop.begin(permit, aware, self instanceof MainClientExec);
    }

    private static void await(Permit permit, HttpExecutionAware aware, Object manager) throws Exception {
        if (aware != null) {
            aware.setCancellable(permit::cancel);
            if (aware.isAborted()) { // before that, so nobody has told the permit
                permit.cancel();
            }
        }
        try {
            CloseHook.CLOSED.waits(permit, manager, permit::cancel);
            Parking.await(permit);
        } catch (InterruptedException e) {
            throw new Refusal(new RequestAbortedException("Request aborted", e));
        } finally {
            CloseHook.CLOSED.waitIsOver(permit);
        }
    }
}
