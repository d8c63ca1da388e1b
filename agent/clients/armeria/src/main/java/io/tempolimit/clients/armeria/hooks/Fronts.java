package io.tempolimit.clients.armeria.hooks;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLogAccess;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Waits;
import io.tempolimit.gate.WeakMap;

/**
 * Redirects and retries stand in front of the gate. What the application has of a call is their response, and they do
 * not tell a hop when that is cancelled: a hop's answer comes at once, they think. A call is known by its context,
 * which is an ancestor of its hops' contexts.
 */
final class Fronts {
    private static final WeakMap<Object, Boolean> CANCELLED = new WeakMap<>();
    private static final Waits<Object> WAITS = new Waits<>(call -> CANCELLED.get(call) != null);

    private Fronts() {
    }

    /** The call has this response. */
    static void answered(Object call, HttpResponse response) {
        response.whenComplete().whenComplete((none, cause) -> {
            if (cause != null) {
                CANCELLED.put(call, true);
                WAITS.end(call);
            }
        });
    }

    /** A hop waits; {@code end} ends its wait when one of its calls is cancelled. */
    static void waits(ClientRequestContext hop, Permit permit, Runnable end) {
        for (RequestLogAccess log = hop.log().parent(); log != null; log = log.parent()) {
            WAITS.begins(log.context(), permit, end);
        }
    }

    /**
     * The hop waits no longer.
     *
     * @return whether one of its calls was cancelled
     */
    static boolean waitIsOver(ClientRequestContext hop) {
        boolean cancelled = false;
        for (RequestLogAccess log = hop.log().parent(); log != null; log = log.parent()) {
            WAITS.over(log.context());
            cancelled |= CANCELLED.get(log.context()) != null;
        }
        return cancelled;
    }
}
