package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Closings;
import io.tempolimit.gate.WeakMap;

/** What is known of calls between their hooks. */
final class Calls {
    /** The permit of an {@code HttpClientRequest}, until its response. */
    static final WeakMap<Object, Permit> PERMITS = new WeakMap<>(Permit::abandoned);
    /** The body of an {@code HttpClientResponse}, until its end. */
    static final WeakMap<Object, Body> BODIES = new WeakMap<>(Body::cut);
    /** The object by which the application has the client that this thread is just calling. */
    static final ThreadLocal<Object> FACADE = new ThreadLocal<>();
    /** Clients that were closed, and the calls that wait. */
    static final Closings CLIENTS = new Closings();

    private Calls() {
    }

    /** Vert.x's timeouts are not I/O exceptions, which verdicts go by. */
    static void failed(Permit permit, Throwable failure) {
        permit.failed(failure);
    }
}
