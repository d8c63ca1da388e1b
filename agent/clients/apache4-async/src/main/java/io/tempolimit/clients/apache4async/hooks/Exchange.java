package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.Lanes;
import io.tempolimit.gate.Timer;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.http.HttpResponse;
import org.apache.http.nio.ContentDecoder;
import org.apache.http.nio.NHttpClientConnection;
import org.apache.http.nio.protocol.HttpAsyncClientExchangeHandler;

/**
 * What is known of a call: the permits of its hops. It refers to the call's handler only while that waits.
 *
 * <p>A hop that has waited is begun by one of {@link Lanes}, for the client has no executor of its own; a call is
 * begun by the thread that calls, which looks up the address, so that an event loop is no place for it either.
 */
final class Exchange {
    private static final WeakMap<Object, Exchange> EXCHANGES = new WeakMap<>(e -> e.end(null));
    /** Those that wait, by handler. */
    private static final ConcurrentHashMap<Object, Exchange> HELD = new ConcurrentHashMap<>();
    /** Connection managers of clients that were closed. */
    private static final WeakMap<Object, Boolean> CLOSED = new WeakMap<>();
    private static final Lanes LANES = new Lanes();

    // All below is guarded by this.
    /** Of the hop that comes next, waiting or granted; null if there is none. */
    private Permit next;
    /** In place of {@link #next}: the next hop may not go. */
    private RequestRejectedException rejection;
    /** Of hops that were sent and not answered; several only when they are pipelined. */
    private final ArrayDeque<Permit> sent = new ArrayDeque<>(1);
    /** Of the latest answer; null if nobody wants to see it. */
    private Body body;
    private TapDecoder tap;
    private Hold hold;
    /** While it waits: the connection manager of its client. */
    private Object manager;
    /** Whether the call has ended: what it still does is not ours. */
    private boolean over;
    /** Whether the wait ended because the client was closed. */
    private boolean closed;

    private Exchange() {
    }

    /** Null if none of the call's hops was paced so far. */
    static Exchange of(Object handler) {
        return EXCHANGES.get(handler);
    }

    /** The call's hop was given a permit, or was rejected. */
    static Exchange note(Object handler, Permit next, RequestRejectedException rejection) {
        Exchange exchange = of(handler);
        if (exchange == null) {
            exchange = new Exchange();
            EXCHANGES.put(handler, exchange);
        }
        synchronized (exchange) {
            exchange.next = next;
            exchange.rejection = rejection;
        }
        return exchange;
    }

    /** Takes the rejection of the next hop; null if there is none. */
    synchronized RequestRejectedException takeRejection() {
        RequestRejectedException taken = rejection;
        rejection = null;
        return taken;
    }

    synchronized Permit next() {
        return next;
    }

    synchronized boolean over() {
        return over;
    }

    /** Lets the next hop wait. */
    void await(Timer timer, HttpAsyncClientExchangeHandler handler, Object connectionManager, Runnable begin) {
        Permit permit = next();
        HELD.put(handler, this);
        Hold started = Hold.start(timer, permit, LANES.of(permit), () -> resume(handler, permit, begin), false);
        boolean cancel;
        synchronized (this) {
            if (permit.waiting()) {
                hold = started;
                manager = connectionManager;
                closed |= connectionManager != null && CLOSED.get(connectionManager) != null;
            }
            cancel = over || closed;
        }
        if (cancel) { // before anybody could find it
            started.cancel();
        }
    }

    private void resume(HttpAsyncClientExchangeHandler handler, Permit permit, Runnable begin) {
        HELD.remove(handler);
        boolean wasOver;
        boolean wasClosed;
        synchronized (this) {
            hold = null;
            manager = null;
            wasOver = over;
            wasClosed = closed;
        }
        if (wasOver) {
            return; // by whoever ended it
        }
        if (permit.rejection() != null) {
            handler.failed(permit.rejection());
        } else if (permit.granted()) {
            begin.run();
        } else if (wasClosed) {
            handler.failed(new CancellationException("Request execution cancelled"));
        } else {
            handler.cancel();
        }
    }

    /** A client that owns this connection manager was closed: its calls that wait fail. */
    static void clientClosed(Object connectionManager) {
        CLOSED.put(connectionManager, true);
        for (Exchange exchange : HELD.values()) {
            Hold held;
            synchronized (exchange) {
                held = exchange.manager == connectionManager ? exchange.hold : null;
                exchange.closed |= held != null;
            }
            if (held != null) {
                held.cancel();
            }
        }
    }

    /** Ends the waits of the handlers for which this holds. */
    static void cancel(Predicate<Object> which) {
        for (Map.Entry<Object, Exchange> held : HELD.entrySet()) {
            if (which.test(held.getKey())) {
                Hold hold = held.getValue().hold();
                if (hold != null) {
                    hold.cancel();
                }
            }
        }
    }

    private synchronized Hold hold() {
        return hold;
    }

    /** The next hop was written to its connection. */
    synchronized boolean wrote() {
        Permit permit = next;
        next = null;
        if (permit == null || !permit.granted()) {
            return false;
        }
        sent.add(permit);
        return true;
    }

    /** A further round was written that had no permit. */
    synchronized void charged(Permit permit) {
        sent.add(permit);
    }

    /** A proxy wants credentials, and the same request once more, which costs nothing. */
    synchronized void askedByProxy() {
        next = sent.poll();
    }

    /** The site has answered the oldest hop. */
    void answered(Gate gate, HttpResponse response, NHttpClientConnection by) {
        Permit permit = poll();
        Body shown = permit == null ? null : permit.answered(new ResponseHead(response));
        if (shown != null && shown.stream()) {
            WeakReference<NHttpClientConnection> connection = new WeakReference<>(by); // which refers to the handler
            gate.opened(shown, () -> shutDown(connection.get()));
        }
        if (shown != null && (response.getEntity() == null || response.getEntity().getContentLength() == 0)) {
            shown.end();
        }
        Body gone;
        synchronized (this) {
            gone = over ? shown : body; // the call was ended meanwhile; or has gone on from the answer before
            body = over ? null : shown;
            tap = null;
        }
        if (gone != null) {
            gone.cut();
        }
    }

    private static void shutDown(NHttpClientConnection connection) {
        if (connection != null) {
            try {
                connection.shutdown();
            } catch (IOException e) {
                // it is gone all the same
            }
        }
    }

    /** By what the answer's body is read, if somebody wants to see it; else null. */
    synchronized TapDecoder tap(ContentDecoder decoder) {
        if (body == null) {
            return null;
        }
        if (body.over()) {
            body.passed();
            tap = null;
        } else if (tap == null) {
            tap = new TapDecoder(decoder, body);
        }
        return tap;
    }

    /** The answer is complete. */
    static void completed(Object handler) {
        Exchange exchange = of(handler);
        Body complete = null;
        if (exchange != null) {
            synchronized (exchange) {
                complete = exchange.body;
                exchange.body = null;
                exchange.tap = null;
            }
        }
        if (complete != null) {
            complete.end();
        }
    }

    /** The call is over; null without a failure, because nobody wants it any more. */
    void end(Throwable failure) {
        Permit unsent;
        Hold held;
        Body cut;
        synchronized (this) {
            over = true;
            cut = body;
            body = null;
            tap = null;
            unsent = next;
            next = null;
            held = hold;
        }
        if (cut != null) {
            cut.cut();
        }
        if (held != null) {
            held.cancel();
        }
        if (unsent != null && !unsent.cancel()) {
            if (failure == null) {
                unsent.unused();
            } else {
                unsent.failed(failure);
            }
        }
        for (Permit permit; (permit = poll()) != null; ) {
            if (failure == null) {
                permit.abandoned();
            } else {
                permit.failed(failure);
            }
        }
    }

    private synchronized Permit poll() {
        return sent.poll();
    }

    static void end(Object handler, Throwable failure) {
        Exchange exchange = of(handler);
        if (exchange != null) {
            exchange.end(failure);
        }
    }
}
