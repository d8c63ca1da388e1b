package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Unseen;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;
import io.tempolimit.weave.Senders;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;

/**
 * Has the sender of an unannounced request wait. On a new connection it waits before the request is written. On an older one the
 * request is written at once and its sender waits as soon as something of the answer was read, since the site would close a connection
 * that is idle for so long. So may it be on a new one, where the wait is longer than a second; but no more than {@code burst} go so, or a
 * hundred threads that begin together would all be served at once. A thread is one request ahead of its turn at the most. A cooldown, a
 * window or a place is waited for before the request is written, whatever becomes of the connection.
 */
final class Pace {
    private static final long SHORT = 1_000_000_000L;
    /** The latest request of a thread that went ahead of its turn. */
    private static final ThreadLocal<Exchange> AHEAD = new ThreadLocal<>();

    private final Gate gate;
    private final Wire wire;

    Pace(Gate gate) {
        this.gate = gate;
        this.wire = new Wire(gate);
    }

    /**
     * A head is about to be written, by a thread that may block as far as the socket is concerned.
     *
     * @param to the socket, or a channel that blocks
     * @return what sees the end of the write; null if the request is not paced
     * @throws RequestRejectedException if it shall not be sent
     * @throws Refusal                  the thread was interrupted
     */
    Call send(RequestHead head, Object to) throws RequestRejectedException, Refusal {
        String host = wire.unexpected(head, to);
        Unseen unseen = gate.limiter().unseen();
        if (host == null || unseen.early() || Connection.isClosed(to)) {
            return null;
        }
        Senders.Sender sender = gate.senders().unknown();
        if (sender == null) {
            return null;
        }
        if (head.http2() || !sender.mayBlock()) {
            unseen.sent(host, head.http2(), new Supplier<String>() {
                @Override
                public String get() {
                    return sender.name();
                }
            });
            return null;
        }
        return pass(new HeadTarget(head.text(), host, to instanceof SSLSocket), to, sender);
    }

    private Call pass(HeadTarget target, Object to, Senders.Sender sender) throws RequestRejectedException, Refusal {
        Connection connection = Connection.of(to);
        Exchange before = connection.exchange();
        if (before != null) {
            before.awaitTurn();
        }
        Exchange owed = AHEAD.get();
        if (owed != null && owed.host().equals(target.host())) {
            owed.awaitTurnInAnyCase();
            AHEAD.remove();
        }
        Permit permit = gate.arrive(target);
        if (permit == null) {
            return null;
        }
        gate.senders().paced(sender);
        long ahead = 0;
        if (permit.waiting() && !Thread.currentThread().isInterrupted()) {
            boolean fresh = connection.fresh();
            ahead = permit.goAhead(fresh ? SHORT : 0, fresh);
        }
        if (permit.waiting()) {
            connection.await(permit, gate, to);
        }
        if (!permit.granted()) {
            return null; // the socket was closed
        }
        Exchange exchange = new Exchange(permit, ahead);
        if (ahead > 0) {
            AHEAD.set(exchange);
        }
        connection.begins(exchange);
        return new Call() {
            @Override
            public Throwable fail(Throwable failure) {
                exchange.failed(failure);
                return failure;
            }
        };
    }
}
