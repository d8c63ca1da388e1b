package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.RejectionResponse;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;

/** What is known of the exchanges ({@code MultiExchange}: one call of the application, with all its hops). */
final class Exchanges {
    /** The permit of an exchange's latest hop. */
    static final WeakMap<Object, Permit> PERMITS = new WeakMap<>(Permit::abandoned);
    /** Who is to see the body of an exchange's last hop, until it is read. */
    static final WeakMap<Object, Body> BODIES = new WeakMap<>(Body::cut);
    /** What the last hop of an exchange was answered with, where it was rejected, until that is read. */
    static final WeakMap<Object, RejectionResponse> REJECTED = new WeakMap<>();
    /** By a hop's request: from when to when it has waited, until the thread that sends it takes note. */
    static final WeakMap<Object, long[]> WAITED = new WeakMap<>();
    /** Those that are no requests. */
    static final WeakMap<Object, Boolean> EXEMPT = new WeakMap<>();
    /** Those that the application has cancelled, perhaps before their hop has begun on a thread of the client's. */
    static final WeakMap<Object, Boolean> CANCELLED = new WeakMap<>();
    /** Those whose hop waits. */
    static final ConcurrentHashMap<Object, Hold> HELD = new ConcurrentHashMap<>();
    /** The exchange that this thread has begun last, where cancelling has to be passed on by us (Java 11 to 15). */
    private static final ThreadLocal<WeakReference<Object>> STARTED = new ThreadLocal<>();
    static final boolean PASS_ON_CANCEL = Runtime.version().feature() < 16;

    private Exchanges() {
    }

    static void started(Object exchange) {
        STARTED.set(new WeakReference<>(exchange));
    }

    static Object startedLast() {
        WeakReference<Object> started = STARTED.get();
        return started == null ? null : started.get();
    }

    /** The application wants no answer to it any more. */
    static void cancel(Object exchange) {
        CANCELLED.put(exchange, true); // first: a hop that is not held yet looks for it when it is
        Hold hold = HELD.get(exchange);
        if (hold != null) {
            hold.cancel();
        }
        over(exchange);
    }

    /** Nothing more will come of it. */
    static void over(Object exchange) {
        Permit permit = PERMITS.get(exchange);
        if (permit != null) {
            permit.abandoned();
        }
        Body body = BODIES.remove(exchange);
        if (body != null) {
            body.cut();
        }
    }
}
