package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.http.HttpResponse;
import org.apache.http.HttpStatus;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.protocol.HttpCoreContext;
import org.apache.http.protocol.HttpContext;

/** Whether a response makes the client send the request once more, with credentials: route, response and context are among the arguments. */
public final class AuthenticationHook extends Hook {
    private final Gate gate;

    public AuthenticationHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        HttpRoute route = (HttpRoute) args[2];
        HttpResponse response = (HttpResponse) args[3];
        HttpContext context = (HttpContext) args[4];
        return new Call() {
            @Override
            public Object exit(Object result) {
                int status = response.getStatusLine().getStatusCode();
                if ((Boolean) result && status == HttpStatus.SC_UNAUTHORIZED) {
                    Permit permit = gate.limiter().charge(new RouteTarget(route, HttpCoreContext.adapt(context).getRequest()));
                    if (permit != null) {
                        permit.answered(status); // the answer to this round is the call's own
                    }
                }
                return result;
            }
        };
    }
}
