package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import java.net.SocketException;
import java.util.concurrent.Executor;
import org.apache.pekko.http.scaladsl.model.HttpRequest;
import org.apache.pekko.http.scaladsl.model.HttpResponse;
import org.apache.pekko.stream.BufferOverflowException;

/** A request that has come to the gate. Refers to nothing of the application's, so that it may be forgotten with its answer. */
final class Hop {
    /** The copies of requests that have passed the gate. */
    private static final WeakMap<HttpRequest, Boolean> ON_THEIR_WAY = new WeakMap<>();
    /** By the pool's future, which is also its promise. */
    private static final WeakMap<Object, Hop> BY_ANSWER = new WeakMap<>(Hop::left);

    private final Gate gate;
    private final Executor executor;
    private volatile Permit permit;
    /** Null if nobody wants to see one. */
    private volatile Body body;

    Hop(Gate gate, Permit permit, Executor executor) {
        this.gate = gate;
        this.permit = permit;
        this.executor = executor;
    }

    /** This one is sent, and nothing else is. */
    static void goesAs(HttpRequest copy) {
        ON_THEIR_WAY.put(copy, true);
    }

    /** Whether it has passed the gate: it goes to a pool, or another one, as the first was shut down. */
    static boolean isOnItsWay(HttpRequest request) {
        return ON_THEIR_WAY.get(request) != null;
    }

    /** Null if it is not paced. */
    static Hop of(Object answer) {
        return BY_ANSWER.get(answer);
    }

    /** That of its latest attempt. */
    Permit permit() {
        return permit;
    }

    void answeredBy(Object answer) {
        BY_ANSWER.put(answer, this);
    }

    /** The pool lost its connection, and is about to try it again. */
    void retried() {
        Permit lost = permit;
        lost.failed(new SocketException("the pool tries again"));
        Permit next = gate.limiter().charge(lost.target());
        if (next != null) { // else its host is not paced any more
            permit = next;
        }
    }

    /** @return what the application shall have of it */
    HttpResponse answered(HttpResponse response) {
        Body coming = permit.answered(new ResponseHead(response));
        if (coming == null) {
            return response;
        }
        body = coming;
        return Bodies.shown(response, coming, gate, executor);
    }

    void failed(Throwable failure) {
        if (failure instanceof BufferOverflowException) {
            permit.unused(); // the pool has as many as it takes
        } else {
            permit.failed(failure);
        }
    }

    /** Nobody has read its answer in time, so nobody will. */
    void unread() {
        Body unread = body;
        if (unread != null) {
            unread.cut();
        }
    }

    private void left() {
        permit.abandoned();
    }
}
