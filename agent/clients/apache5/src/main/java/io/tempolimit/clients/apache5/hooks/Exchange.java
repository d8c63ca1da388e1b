package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Parking;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;
import org.apache.hc.client5.http.classic.ExecRuntime;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.core5.concurrent.CancellableDependency;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpRequest;

/** A request of a classic client that was let go, up to its response; the thread that runs it finds it here. */
class Exchange extends Call {
    private static final ThreadLocal<Exchange> CURRENT = new ThreadLocal<>();

    /** Whose connection is being made with the help of a call of its own; else null. */
    private final Exchange outer = CURRENT.get();
    /** Null if it is not paced. */
    private final Permit permit;
    /** What the application can cancel the call by; null if it cannot. */
    private final CancellableDependency cancellable;

    Exchange(Permit permit, HttpRequest original) {
        this.permit = permit;
        this.cancellable = cancellable(original);
    }

    private static CancellableDependency cancellable(HttpRequest original) {
        return original instanceof CancellableDependency ? (CancellableDependency) original : null;
    }

    /**
     * Waits for a permit; null if the request is not paced.
     *
     * @param manager where the client is about to lease a connection; null if it is not known
     */
    static Permit pass(Gate gate, HostTarget target, HttpRequest original, Object manager) throws Exception {
        Permit permit = CloseHook.CLOSED.isClosed(manager) ? null : gate.arrive(target);
        if (permit != null && permit.waiting()) {
            await(permit, cancellable(original), manager);
        }
        if (permit != null && permit.cancelled() && CloseHook.CLOSED.isClosed(manager)) {
            return null; // it leases no connection any more, and says so itself
        }
        // a client that leased now would find its endpoint gone, from 5.2 or so with another exception
        if (permit != null && permit.cancelled()) {
            throw new Refusal(new RequestFailedException("Request aborted"));
        }
        return permit;
    }

    private static void await(Permit permit, CancellableDependency cancellable, Object manager) throws Exception {
        if (cancellable != null) {
            cancellable.setDependency(permit::cancel);
            if (cancellable.isCancelled()) { // before that, so nobody has told the permit
                permit.cancel();
            }
        }
        try {
            CloseHook.CLOSED.waits(permit, manager, permit::cancel);
            Parking.await(permit);
        } catch (InterruptedException e) {
            throw new Refusal(new RequestFailedException("Request aborted", e));
        } finally {
            CloseHook.CLOSED.waitIsOver(permit);
        }
    }

    /** The request begins. */
    final Exchange begin() {
        if (permit == null && outer == null) {
            return null;
        }
        CURRENT.set(this);
        return this;
    }

    /** The request that this thread runs, if it is paced; else null. */
    static Exchange current() {
        Exchange exchange = CURRENT.get();
        return exchange == null || exchange.permit == null ? null : exchange;
    }

    final Permit permit() {
        return permit;
    }

    /** The site has answered, or a proxy without a tunnel; nobody has read from the answer. */
    void answered(Gate gate, ClassicHttpResponse response, Object connection) {
        Body body = permit.answered(new ResponseHead(response));
        if (body != null && body.stream()) {
            gate.opened(body, ((ExecRuntime) connection)::discardEndpoint);
        }
        TapEntity.show(response, connection, body);
    }

    @Override
    public final Object exit(Object result) {
        over();
        if (permit != null) {
            ended();
        }
        return result;
    }

    /** The client goes on with an answer. If it was not the site's, it came from a proxy that has refused the tunnel. */
    void ended() {
        permit.unused();
    }

    @Override
    public final Throwable fail(Throwable failure) {
        over();
        if (permit != null && cancellable != null && cancellable.isCancelled()) {
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
