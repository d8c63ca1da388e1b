package io.tempolimit.clients.commons.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Target;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.RejectionResponse;
import io.tempolimit.weave.TapStream;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import org.apache.commons.httpclient.HttpConnection;
import org.apache.commons.httpclient.HttpMethod;
import org.apache.commons.httpclient.HttpMethodBase;
import org.apache.commons.httpclient.HttpStatus;

/** One call with all its rounds, which the thread that makes it finds here. */
final class Exchange extends Call {
    private static final ThreadLocal<Exchange> CURRENT = new ThreadLocal<>();

    private final Gate gate;
    private final HttpMethod method;
    private final Internals internals;
    /** The call that this one is made for, by a handler of the application's; else null. */
    private final Exchange outer = CURRENT.get();
    /** Of the round that runs; null if it is not paced. */
    private Permit permit;
    /** Whether the round has been sent. */
    private boolean sent;
    /** What the site, or a proxy, has answered to the round that runs; 0 before. */
    private int status;
    /** Of the latest answer; null if there is none that somebody wants to see. */
    private Body body;

    private Exchange(Gate gate, HttpMethod method, Internals internals) {
        this.gate = gate;
        this.method = method;
        this.internals = internals;
    }

    static Exchange begin(Gate gate, HttpMethod method, Internals internals) {
        Exchange exchange = new Exchange(gate, method, internals);
        CURRENT.set(exchange);
        return exchange;
    }

    /** The one that this thread makes with this method; null if it is another one's, as that which makes a tunnel is. */
    static Exchange of(Object method) {
        Exchange exchange = CURRENT.get();
        return exchange == null || exchange.method != method ? null : exchange;
    }

    Internals internals() {
        return internals;
    }

    /**
     * What the round may go with at once: a proxy that wants a password gets the same request once more, with the same permit;
     * and one with a password for the site is charged. Else null.
     */
    Permit inAdvance(Target target) {
        if (permit != null && status == HttpStatus.SC_PROXY_AUTHENTICATION_REQUIRED && permit.granted()) {
            gate.announced(target);
            return permit;
        }
        return status == HttpStatus.SC_UNAUTHORIZED ? gate.limiter().charge(target) : null;
    }

    /** A round begins; its permit is null if it is not paced. */
    void round(Permit roundPermit) {
        permit = roundPermit;
        sent = false;
        status = 0;
    }

    /** The round is sent; or once more, after an attempt that failed. */
    void attempt() {
        if (permit != null && sent) {
            permit = gate.limiter().charge(permit.target());
        }
        sent = true;
    }

    /**
     * The round was answered, and nobody has read from the answer.
     *
     * @param stream null if there is no body
     * @param drains whether closing it reads the rest
     * @return what the application shall read from
     */
    InputStream answered(InputStream stream, HttpConnection connection, boolean drains) {
        status = method.getStatusCode();
        if (permit == null || status == HttpStatus.SC_PROXY_AUTHENTICATION_REQUIRED && connection.isProxied() && !connection.isSecure()) {
            return stream;
        }
        cut(); // the client has gone on from that
        body = permit.answered(new ResponseHead(method));
        if (body == null) {
            return stream;
        }
        if (stream == null) {
            body.end();
            return null;
        }
        Calls.READING.put(method, body);
        if (body.stream()) {
            WeakReference<HttpConnection> open = new WeakReference<>(connection);
            gate.opened(body, () -> {
                HttpConnection still = open.get();
                if (still != null) {
                    still.close();
                }
            });
        }
        return new TapStream(stream, body, drains);
    }

    /** The round is over. If the client has made no stream of its answer, as of that to a HEAD, the head is all that there is. */
    void over() {
        if (permit == null || status != 0) {
            return;
        }
        boolean skipped = method instanceof HttpMethodBase ? !sent : method.getStatusLine() == null;
        if (skipped) { // there is no tunnel to the site
            permit.unused();
            return;
        }
        status = method.getStatusCode();
        Body none = permit.answered(new ResponseHead(method));
        if (none != null) {
            none.end();
        }
    }

    /** The round, or an attempt of it, has failed. */
    void failed(Throwable failure) {
        cut();
        if (permit != null && Calls.isAborted(method)) {
            permit.abandoned();
        } else if (permit != null) {
            permit.failed(failure);
        }
    }

    private void cut() {
        if (body != null) {
            body.cut();
        }
    }

    private void end() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
        if (permit != null) {
            permit.unused(); // if it was no answer of the site's, but a proxy's
        }
    }

    @Override
    public Object exit(Object result) {
        end();
        return result;
    }

    @Override
    public Object instead(Throwable failure) {
        RejectionResponse rejection = method instanceof HttpMethodBase ? RejectionResponse.of(failure) : null;
        if (rejection == null) {
            return null;
        }
        end();
        internals.answer((HttpMethodBase) method, rejection);
        return method;
    }

    @Override
    public Throwable fail(Throwable failure) {
        end();
        return failure;
    }
}
