package io.tempolimit.clients.apache5.hooks;

import java.util.concurrent.ConcurrentHashMap;
import org.apache.hc.client5.http.impl.async.MinimalHttpAsyncClient;
import org.apache.hc.core5.http.nio.AsyncClientEndpoint;

/**
 * A connection that the application has leased from a {@link MinimalHttpAsyncClient}, while requests over it wait. An
 * application that gives it back with requests under way expects them to go on; so it is given back after the last of
 * them was written.
 */
final class LeasedConnection {
    private static final ConcurrentHashMap<AsyncClientEndpoint, LeasedConnection> EXPECTING = new ConcurrentHashMap<>();

    // Both guarded by the map's entry.
    private int requests;
    private boolean givenBack;

    private LeasedConnection() {
    }

    /** A request will be given to the connection, now or later, or never. */
    static void expects(AsyncClientEndpoint endpoint) {
        EXPECTING.compute(endpoint, (e, before) -> {
            LeasedConnection now = before == null ? new LeasedConnection() : before;
            now.requests++;
            return now;
        });
    }

    /** One of them was, or never will be. */
    static void settled(AsyncClientEndpoint endpoint) {
        boolean[] last = new boolean[1];
        EXPECTING.computeIfPresent(endpoint, (e, now) -> {
            now.requests--;
            last[0] = now.requests == 0 && now.givenBack;
            return now.requests == 0 ? null : now;
        });
        if (last[0]) {
            endpoint.releaseAndReuse();
        }
    }

    /** The application gives it back; whether that has to wait. */
    static boolean givenBack(Object endpoint) {
        boolean[] waits = new boolean[1];
        EXPECTING.computeIfPresent((AsyncClientEndpoint) endpoint, (e, now) -> {
            now.givenBack = true;
            waits[0] = true;
            return now;
        });
        return waits[0];
    }
}
