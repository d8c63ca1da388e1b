package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import java.io.IOException;
import org.apache.http.HttpResponse;
import org.apache.http.HttpStatus;
import org.apache.http.client.methods.HttpExecutionAware;
import org.apache.http.conn.ConnectionReleaseTrigger;
import org.apache.http.conn.routing.HttpRoute;

/** One hop, from the gate to its response, which the thread that runs it finds here. */
final class Hop extends Call {
    private static final ThreadLocal<Hop> CURRENT = new ThreadLocal<>();

    /** Whose connection is being made with the help of a call of its own; else null. */
    private final Hop outer = CURRENT.get();
    /** What the application can abort it by; may be null. */
    private final HttpExecutionAware aware;
    /** Whether its client looks at an answer, by {@link AuthenticationHook}, before it makes it the application's. */
    private final boolean looks;
    /** Of the round that runs; null if it is not paced. */
    private Permit permit;
    /** Of the latest answer; null if there is none that somebody wants to see. */
    private Body body;

    private Hop(Permit permit, HttpExecutionAware aware, boolean looks) {
        this.permit = permit;
        this.aware = aware;
        this.looks = looks;
    }

    /** The hop begins; its permit is null if it is not paced. */
    static Hop begin(Permit permit, HttpExecutionAware aware, boolean looks) {
        if (permit == null && CURRENT.get() == null) {
            return null;
        }
        Hop hop = new Hop(permit, aware, looks);
        CURRENT.set(hop);
        return hop;
    }

    /** The one that this thread runs, if it is paced; else null. */
    static Hop current() {
        Hop hop = CURRENT.get();
        return hop == null || hop.permit == null ? null : hop;
    }

    Permit permit() {
        return permit;
    }

    /** The client sends the request once more. */
    void goesOn(Permit round) {
        permit = round;
    }

    /**
     * A round was answered, and nobody has read from the answer. A proxy that wants a password gets the same request
     * once more, with the same permit.
     */
    void answered(HttpRoute route, HttpResponse response) {
        if (response.getStatusLine().getStatusCode() != HttpStatus.SC_PROXY_AUTHENTICATION_REQUIRED || route.getProxyHost() == null
                || route.isTunnelled()) {
            answered(response);
        }
    }

    private void answered(HttpResponse response) {
        cut(); // the client has gone on from that, maybe without reading it
        body = permit.answered(new ResponseHead(response));
        TapEntity.show(response, body);
    }

    static void abort(Object connection) {
        try {
            ((ConnectionReleaseTrigger) connection).abortConnection();
        } catch (IOException e) {
            // it is gone all the same
        }
    }

    private void cut() {
        if (body != null) {
            body.cut();
        }
    }

    /** The response becomes the application's; it keeps this connection, or none if it has no body. */
    void ends(Gate gate, HttpResponse response, Object connection) {
        if (!looks) {
            answered(response);
        }
        if (connection != null) {
            TapEntity.keeps(response, connection);
        }
        if (connection != null && body != null && body.stream()) {
            gate.opened(body, () -> abort(connection));
        }
    }

    @Override
    public Object exit(Object result) {
        over();
        if (permit != null) {
            permit.unused(); // if it was no answer of the site's, but a proxy's
        }
        return result;
    }

    @Override
    public Throwable fail(Throwable failure) {
        over();
        cut();
        if (permit != null && aware != null && aware.isAborted()) {
            permit.abandoned();
        } else if (permit != null) {
            permit.failed(failure);
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
