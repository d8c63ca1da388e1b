package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** A socket or channel that has had a request of an unknown client. Does not refer to it. Thread-safe. */
final class Connection {
    private static final WeakMap<Object, Connection> ALL = new WeakMap<>(new Consumer<Connection>() { // not a lambda: see Timer
        @Override
        public void accept(Connection collected) {
            collected.close();
        }
    });

    /** Null if there is none under way. */
    private volatile Exchange exchange;
    /** What waits before it is written. */
    private volatile Permit waiting;
    private volatile boolean used;

    /** Of this socket or channel; it is entered if it is not known. */
    static Connection of(Object socket) {
        Connection known = ALL.get(socket);
        if (known == null) {
            known = new Connection();
            ALL.put(socket, known);
        }
        return known;
    }

    /** The request that is under way there; null if there is none. */
    static Exchange exchangeAt(Object socket) {
        Connection known = ALL.get(socket);
        return known == null ? null : known.exchange;
    }

    /** That one is over. */
    static void end(Object socket, Exchange over) {
        Connection known = ALL.get(socket);
        if (known != null && known.exchange == over) {
            known.exchange = null;
        }
    }

    /** This socket or channel was closed: what waits there waits no longer. */
    static void closed(Object socket) {
        Connection known = ALL.remove(socket);
        if (known != null) {
            known.close();
        }
    }

    /** Whether nothing can be written there any more. */
    static boolean isClosed(Object socket) {
        return socket instanceof Socket ? ((Socket) socket).isClosed() : !((SocketChannel) socket).isOpen();
    }

    /** Whether it has had no request. */
    boolean fresh() {
        return !used;
    }

    /** The request before this one, if its answer's head has not been read; else null. */
    Exchange exchange() {
        return exchange;
    }

    /** A request is under way. */
    void begins(Exchange next) {
        used = true;
        Exchange before = exchange;
        exchange = next;
        if (before != null) {
            before.over();
        }
    }

    /** Waits for the permit's turn, or until the socket is closed. */
    void await(Permit permit, Gate gate, Object socket) throws RequestRejectedException, Refusal {
        waiting = permit;
        try {
            if (isClosed(socket)) {
                permit.cancel(); // whoever closed it may have looked before the permit was entered
            }
            gate.await(permit);
        } finally {
            waiting = null;
        }
    }

    private void close() {
        Permit w = waiting;
        if (w != null) {
            w.cancel();
        }
        Exchange e = exchange;
        if (e != null) {
            e.over();
        }
    }
}
