package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.TimeUnit;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.nio.NHttpClientConnection;
import org.apache.http.nio.conn.NHttpClientConnectionManager;

/** A call gets a connection, maybe after a long time in the pool's queue; the fields are the connection manager and the call's context. */
public final class LeasedHook extends Hook {
    public LeasedHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        NHttpClientConnection connection = (NHttpClientConnection) args[0];
        NHttpClientConnectionManager manager = (NHttpClientConnectionManager) args[1];
        Exchange exchange = Exchange.of(self);
        Permit permit = exchange == null || exchange.over() ? null : exchange.next();
        if (permit == null || !connection.isOpen() || !manager.isRouteComplete(connection)) {
            return null; // or it was just made, and nobody knows how long that took
        }
        try {
            Permit now = permit.depart();
            if (now == permit) {
                return null;
            }
            Exchange.note(self, now, null);
            if (now.poll() && now.granted()) {
                return null;
            }
        } catch (RequestRejectedException e) {
            Exchange.note(self, null, e);
        }
        // Soon: those behind it in the queue come now. Later nobody knows any more how long the site keeps it open.
        manager.releaseConnection(connection, ((HttpClientContext) args[2]).getUserToken(), 1, TimeUnit.SECONDS);
        Handlers.of(lookup).requestConnection(self); // where it waits, or fails
        return exchange;
    }
}
