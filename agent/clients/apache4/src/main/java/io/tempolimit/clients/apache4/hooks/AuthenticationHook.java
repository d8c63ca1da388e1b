package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.http.HttpResponse;
import org.apache.http.HttpStatus;
import org.apache.http.conn.routing.HttpRoute;

/**
 * The site has answered a round, and the client looks whether to send the request once more, with credentials; route and response
 * are among the arguments. What a proxy says of a tunnel does not come here.
 */
public final class AuthenticationHook extends Hook {
    private final Gate gate;

    public AuthenticationHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop hop = Hop.current();
        if (hop == null) {
            return null;
        }
        HttpResponse response = (HttpResponse) args[3];
        hop.answered((HttpRoute) args[2], response);
        return response.getStatusLine().getStatusCode() != HttpStatus.SC_UNAUTHORIZED ? null : new Call() {
            @Override
            public Object exit(Object result) {
                if ((Boolean) result) {
                    hop.goesOn(gate.limiter().charge(hop.permit().target()));
                }
                return result;
            }
        };
    }
}
