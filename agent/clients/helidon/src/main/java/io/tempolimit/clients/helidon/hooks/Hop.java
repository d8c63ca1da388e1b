package io.tempolimit.clients.helidon.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Egress;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.TapStream;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.HttpURLConnection;

/** One hop, from the gate to its answer's head; the thread that runs it finds it here. */
final class Hop extends Call {
    private static final int SWITCHING = 101;
    private static final ThreadLocal<Hop> CURRENT = new ThreadLocal<>();

    private final Gate gate;
    private final Internals internals;
    /** Within which this one runs; null if none. */
    private final Hop outer = CURRENT.get();
    /** Null while a hop within this one goes in its place, and if that was answered. */
    private Permit permit;
    /** Whether it may still become a hop of HTTP/1.1. */
    private boolean connecting;
    private boolean redirected;
    /** Of the last hop to which this one was redirected; null if nobody wants to see it. */
    private Body redirectedTo;

    Hop(Gate gate, Internals internals, Permit permit, boolean http2) {
        this.gate = gate;
        this.internals = internals;
        this.permit = permit;
        this.connecting = http2;
        CURRENT.set(this);
    }

    /** The hop of this thread that has no stream of HTTP/2 yet; null if there is none. */
    static Hop connecting() {
        Hop hop = CURRENT.get();
        return hop != null && hop.connecting ? hop : null;
    }

    /** The permit, for a hop within this one; null if another has it. */
    Permit givePermit() {
        Permit given = permit;
        permit = null;
        return given;
    }

    /** It has a stream of HTTP/2, or an answer over HTTP/1.1. */
    static void connected() {
        Hop hop = CURRENT.get();
        if (hop != null) {
            hop.connecting = false;
        }
    }

    /** The hop of this thread was answered with a redirect, which the client follows before the hop ends. */
    static void redirected(int status, Object headers) {
        Hop hop = CURRENT.get();
        if (hop != null && !hop.redirected) {
            hop.redirected = true;
            if (hop.permit != null) {
                end(hop.permit.answered(new ResponseHead(hop.internals, status, headers, null)));
            }
        }
    }

    private static void end(Body body) {
        if (body != null) {
            body.end();
        }
    }

    @Override
    public Object exit(Object response) {
        over();
        int status = internals.status(response);
        if (outer != null && outer.connecting && outer.permit == null && status == SWITCHING) {
            upgraded(status, response);
            return response;
        }
        if (redirected) {
            return tapped(response, redirectedTo);
        }
        if (permit == null) {
            return response; // the hop within has seen to it
        }
        if (status == HttpURLConnection.HTTP_PROXY_AUTH && permit.target().scheme().equals("http")
                && !permit.target().proxy().equals(Egress.DIRECT)) {
            permit.unused();
            return response;
        }
        Body body = permit.answered(new ResponseHead(internals, status, internals.headers(response), internals.stream(response)));
        if (outer != null && outer.redirected) {
            outer.redirectedTo = body; // whose chain makes another stream
            return response;
        }
        return tapped(response, body);
    }

    /** The client will send the request once more, over HTTP/2, on this connection. */
    private void upgraded(int status, Object response) {
        end(permit.answered(new ResponseHead(internals, status, internals.headers(response), null)));
        outer.permit = gate.limiter().charge(permit.target());
    }

    /** The answer as the application shall have it. */
    private Object tapped(Object response, Body body) {
        if (body == null) {
            return response;
        }
        InputStream in = internals.stream(response);
        if (in == null) {
            body.end();
            return response;
        }
        if (body.stream()) {
            WeakReference<Object> open = new WeakReference<>(internals.connection(response));
            gate.opened(body, () -> {
                Object still = open.get();
                if (still != null) {
                    internals.close(still);
                }
            });
        }
        return internals.withStream(response, new TapStream(in, body, false));
    }

    @Override
    public Throwable fail(Throwable failure) {
        over();
        if (permit != null && !redirected) {
            permit.failed(failure);
        } else if (redirectedTo != null) {
            redirectedTo.cut();
        }
        return failure;
    }

    private void over() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }
}
