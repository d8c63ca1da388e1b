package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.http.HttpResponse;
import org.apache.http.HttpStatus;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.impl.client.RoutedRequest;

/** A round of the deprecated client, on a connection that is leased, the field; the first argument is request and route. */
@SuppressWarnings("deprecation")
public final class DirectorRoundHook extends Hook {
    private final Gate gate;

    public DirectorRoundHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        RoutedRequest routed = (RoutedRequest) args[0];
        RouteTarget target = DirectorHook.plansByParameters(args[args.length - 1]) ? new RouteTarget(routed.getRoute(), routed.getRequest())
                : new RouteTarget(routed.getRoute(), routed.getRequest()) {
                    @Override
                    public String proxy() {
                        return UNKNOWN; // as it was when the call began, or its key would be another one now
                    }
                };
        Permit latest = DirectorHook.PERMITS.get(self);
        boolean same = latest != null && gate.limiter().sameKey(latest, target);
        if (latest != null && !same) {
            latest.unused(); // if it was not sent: an interceptor has said whose request it is
        }
        Permit permit;
        if (same && latest.granted()) {
            permit = latest;
        } else {
            permit = same ? gate.limiter().charge(target) : gate.pass(target);
            if (permit == null) {
                return null;
            }
            DirectorHook.PERMITS.put(self, permit);
        }
        return new Call() {
            @Override
            public Object exit(Object result) {
                if (result != null) { // null: the client begins again
                    HttpResponse response = (HttpResponse) result;
                    HttpRoute route = routed.getRoute();
                    if (response.getStatusLine().getStatusCode() != HttpStatus.SC_PROXY_AUTHENTICATION_REQUIRED
                            || route.getProxyHost() == null
                            || route.isTunnelled()) {
                        Body body = permit.answered(new ResponseHead(response));
                        if (body != null && body.stream()) {
                            gate.opened(body, () -> Hop.abort(args[2]));
                        }
                        TapEntity.show(response, body);
                        TapEntity.keeps(response, args[2]);
                    } // else the same request once more goes with it
                }
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                permit.failed(failure);
                return failure;
            }
        };
    }
}
