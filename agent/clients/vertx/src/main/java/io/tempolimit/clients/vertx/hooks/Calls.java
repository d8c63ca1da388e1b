package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.WeakMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What is known of calls between their hooks. */
final class Calls {
    /** The permit of an {@code HttpClientRequest}, until its response. */
    static final WeakMap<Object, Permit> PERMITS = new WeakMap<>(Permit::abandoned);
    /** The body of an {@code HttpClientResponse}, until its end. */
    static final WeakMap<Object, Body> BODIES = new WeakMap<>(Body::cut);
    /** The object by which the application has the client that this thread is just calling. */
    static final ThreadLocal<Object> FACADE = new ThreadLocal<>();
    private static final WeakMap<Object, Boolean> CLOSED = new WeakMap<>(closed -> { });
    /** Those that wait. */
    private static final ConcurrentHashMap<PacedCall, Hold> HELD = new ConcurrentHashMap<>();

    private Calls() {
    }

    static void waits(PacedCall call, Hold hold) {
        HELD.put(call, hold);
        if (CLOSED.get(call.client()) != null) { // before anybody could find it
            hold.cancel();
        }
        if (!hold.permit().waiting()) {
            HELD.remove(call); // it was over before it was entered
        }
    }

    static void waitIsOver(PacedCall call) {
        HELD.remove(call);
    }

    /** Ends the waits of a client's calls. */
    static void closed(Object client) {
        CLOSED.put(client, true);
        for (Map.Entry<PacedCall, Hold> e : HELD.entrySet()) {
            if (e.getKey().client() == client) {
                e.getValue().cancel();
            }
        }
    }

    /** Vert.x's timeouts are not I/O exceptions, which verdicts go by. */
    static void failed(Permit permit, Throwable failure) {
        permit.failed(failure);
    }
}
