package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.Lanes;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpResponse;

/**
 * One hop of an asynchronous call, from the gate to its end. A hop that has to wait holds no thread: it is sent later by one
 * of {@link Lanes}, for these clients have no executor of their own; a call is begun by the thread that calls,
 * which may have to look up an address, so that an event loop is no place for it either.
 */
abstract class Hop {
    /** Those that wait, to be found when their client is closed. */
    private static final Set<Hop> HELD = ConcurrentHashMap.newKeySet();
    /** Clients that were closed, and connections that were given back. */
    private static final WeakMap<Object, Boolean> CLOSED = new WeakMap<>();
    /** A client may forget calls that are in its queue when it is closed. */
    private static final WeakMap<Hop, Permit> UNDERWAY = new WeakMap<>(Permit::abandoned);

    private static final Lanes LANES = new Lanes();

    private final Gate gate;
    /** The client whose closing ends the wait; null if it is not known. */
    private final Object client;
    private volatile Permit permit;
    private volatile Hold hold;
    private volatile boolean closed;
    /** Of the response; null if nobody needs to see it. */
    private volatile Body body;
    /** Guarded by this for writing. */
    private volatile boolean gone;

    Hop(Gate gate, Object client) {
        this.gate = gate;
        this.client = client;
    }

    /** Hands the hop to the client, with this object in it, so that the hook lets it pass. */
    abstract void send() throws Exception;

    /** Whether the application wants it no more. */
    abstract boolean cancelled();

    /** Ends the call, as the client itself ends one that was cancelled in its queue. */
    abstract void endCancelled();

    /** Ends the call with a failure. */
    abstract void end(Exception failure);

    final Gate gate() {
        return gate;
    }

    final Permit permit() {
        return permit;
    }

    final void goesWith(Permit granted) {
        permit = granted;
        UNDERWAY.put(this, granted);
    }

    /** Lets it wait for the permit's turn. */
    final void waitsFor(Permit waiting) {
        permit = waiting;
        try {
            hold = Hold.start(gate.timer(), waiting, LANES.of(waiting), this::resume, false);
        } catch (RuntimeException | Error e) {
            waiting.cancel();
            throw e;
        }
        HELD.add(this);
        if (needsClosed()) { // before anybody could find it
            closed = true;
            endWait();
        }
        if (!waiting.waiting()) {
            HELD.remove(this); // it was over before it was entered
        }
    }

    /** The application has cancelled it: a wait ends now. */
    final void endWait() {
        Hold h = hold;
        if (h != null) {
            h.cancel();
        }
    }

    /** Whether the wait ends when this is closed. */
    boolean needs(Object clientOrConnection) {
        return client == clientOrConnection;
    }

    /** Whether any is closed that it needs. */
    boolean needsClosed() {
        return isClosed(client);
    }

    static boolean isClosed(Object clientOrConnection) {
        return clientOrConnection != null && CLOSED.get(clientOrConnection) != null;
    }

    /** A client is closed, or a connection that the application has leased from one. */
    static void closed(Object clientOrConnection) {
        CLOSED.put(clientOrConnection, true);
        for (Hop hop : HELD) {
            if (hop.needs(clientOrConnection)) {
                hop.closed = true;
                hop.endWait();
            }
        }
    }

    private void resume() {
        HELD.remove(this);
        hold = null;
        RequestRejectedException rejection = permit.rejection();
        if (rejection != null) {
            end(rejection);
        } else if (permit.cancelled()) {
            endUnsent();
        } else if (cancelled()) {
            permit.unused();
            endUnsent();
        } else {
            goesWith(permit);
            try {
                send();
            } catch (Exception e) {
                over(e);
                end(e);
            }
        }
    }

    private void endUnsent() {
        if (closed) {
            end(new CancellationException("Request execution cancelled"));
        } else {
            endCancelled();
        }
    }

    /**
     * The site has answered.
     *
     * @param entity null if there is no body
     * @return who is to be shown the body, and told of its end; null if nobody needs to see it
     */
    final Body answered(HttpResponse response, EntityDetails entity) {
        Permit p = permit;
        if (p == null) {
            return null;
        }
        UNDERWAY.remove(this);
        Body b = p.answered(new ResponseHead(response));
        if (b != null && (entity == null || entity.getContentLength() == 0)) {
            b.end();
            return null;
        }
        body = b;
        if (gone) { // meanwhile, so nobody has told the body
            cut();
        }
        return b;
    }

    /** Nothing more comes, if it was not complete. Gives whether that is news. */
    final boolean gone() {
        boolean first;
        synchronized (this) {
            first = !gone;
            gone = true;
        }
        cut();
        return first;
    }

    private void cut() {
        Body b = body;
        if (b != null) {
            b.cut();
        }
    }

    /** It ended without an answer; no effect if there was one. */
    final void over(Throwable failure) {
        Permit p = permit;
        if (p != null) {
            UNDERWAY.remove(this);
            if (cancelled()) {
                p.abandoned();
            } else {
                p.failed(failure);
            }
        }
    }

    /** It never reached the site. */
    final void unsent() {
        UNDERWAY.remove(this);
        permit.unused();
    }
}
