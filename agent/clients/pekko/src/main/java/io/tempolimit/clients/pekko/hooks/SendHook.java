package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.pekko.dispatch.Futures;
import org.apache.pekko.http.impl.engine.client.PoolId;
import org.apache.pekko.http.impl.engine.client.PoolMaster;
import org.apache.pekko.http.scaladsl.model.HttpRequest;
import org.apache.pekko.stream.Materializer;

/** A request for a pool; the arguments are the pool, the request, and the materializer to start the pool with. */
public final class SendHook extends Hook {
    private final Gate gate;

    public SendHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        PoolId pool = (PoolId) args[0];
        HttpRequest request = (HttpRequest) args[1];
        if (Hop.isOnItsWay(request)) {
            return null; // it has been here
        }
        Permit permit;
        try {
            permit = gate.arrive(new RequestTarget(new Endpoint(pool.hcps()), request));
        } catch (RequestRejectedException e) {
            return Futures.failed(e);
        }
        if (permit == null) {
            return null;
        }
        Sending sending = new Sending(gate, permit, (PoolMaster) self, pool, request, (Materializer) args[2]);
        if (permit.granted()) {
            sending.send();
        } else {
            sending.hold();
        }
        return sending.promised();
    }
}
