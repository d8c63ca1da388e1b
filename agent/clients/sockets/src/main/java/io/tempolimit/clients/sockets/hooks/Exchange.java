package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.Permit;
import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A request that is on its way, and the beginning of its answer. One that went ahead of its turn has its sender wait for that turn
 * as soon as something of the answer was read: so the answer is judged when it comes, no timeout runs meanwhile, and the connection
 * is not idle. Thread-safe.
 */
final class Exchange {
    private final Permit permit;
    private final AnswerHead head = new AnswerHead();
    private final long turn;
    /** Whether its turn is still to be waited for. */
    private volatile boolean ahead;
    private volatile Thread waiter;
    private volatile boolean closed;
    /** Whether a read has given up, after which the application may read again. */
    private volatile Throwable timeout;

    /** @param ahead nanoseconds by which it went ahead of its turn; 0 if it did not */
    Exchange(Permit permit, long ahead) {
        this.permit = permit;
        this.turn = Clock.SYSTEM.nanos() + ahead;
        this.ahead = ahead > 0;
    }

    /** Where it went, in canonical form. */
    String host() {
        return permit.target().host();
    }

    /** Whether this was the rest of the answer's head. */
    synchronized boolean read(byte[] bytes, int from, int length) {
        if (!head.add(bytes, from, length)) {
            return false;
        }
        if (head.status() == 0) {
            permit.answered();
            return true;
        }
        Body body = permit.answered(head);
        if (body != null) {
            body.cut(); // where it ends is not known without reading its framing
        }
        return true;
    }

    /** It could not be sent, or there is no answer; whether that is final. */
    boolean failed(Throwable failure) {
        if (failure instanceof SocketTimeoutException) {
            timeout = failure;
            return false;
        }
        permit.failed(failure);
        return true;
    }

    /** The answer's end has come before its head's. */
    void ended() {
        permit.failed(new EOFException());
    }

    /** Its connection is closed, or goes on with another request. */
    void over() {
        closed = true;
        Throwable t = timeout;
        if (t != null) {
            permit.failed(t);
        } else {
            permit.abandoned();
        }
        Thread w = waiter;
        if (w != null) {
            LockSupport.unpark(w);
        }
    }

    /** Waits for its turn, unless that is over; until its connection is closed, or the thread is interrupted. */
    void awaitTurn() {
        if (ahead && !closed) {
            park();
        }
    }

    /** The same for the next request of the same thread, which comes after this one's turn whatever became of that. */
    void awaitTurnInAnyCase() {
        closed = false;
        if (ahead) {
            park();
        }
    }

    private void park() {
        Thread me = Thread.currentThread();
        waiter = me;
        for (long left; !closed && !me.isInterrupted() && (left = turn - Clock.SYSTEM.nanos()) > 0; ) {
            LockSupport.parkNanos(this, left);
        }
        waiter = null;
        if (turn - Clock.SYSTEM.nanos() <= 0) {
            ahead = false;
        }
    }
}
