package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.Parking;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.core5.concurrent.CancellableDependency;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;

/** A request that was let go, up to its response. */
final class Exchange extends Call {
    private final Permit permit;
    /** What the application can cancel the call by; null if it cannot. */
    private final CancellableDependency cancellable;

    Exchange(Permit permit, HttpRequest original) {
        this.permit = permit;
        this.cancellable = original instanceof CancellableDependency ? (CancellableDependency) original : null;
    }

    /** Waits for the permit; null if the request is not paced. */
    static Exchange begin(Gate gate, HostTarget target, HttpRequest original) throws Exception {
        Permit permit = gate.limiter().arrive(target);
        if (permit == null) {
            return null;
        }
        Exchange exchange = new Exchange(permit, original);
        if (permit.waiting()) {
            exchange.await();
        }
        if (permit.cancelled()) { // a client that leased now would find its endpoint gone, from 5.2 or so with another exception
            throw new Refusal(new RequestFailedException("Request aborted"));
        }
        return exchange;
    }

    private void await() throws Exception {
        if (cancellable != null) {
            cancellable.setDependency(permit::cancel);
            if (cancellable.isCancelled()) { // before that, so nobody has told the permit
                permit.cancel();
            }
        }
        try {
            Parking.await(permit);
        } catch (InterruptedException e) {
            throw new Refusal(new RequestFailedException("Request aborted", e));
        }
    }

    @Override
    public Object exit(Object result) {
        permit.answered(((HttpResponse) result).getCode());
        return result;
    }

    @Override
    public Throwable fail(Throwable failure) {
        if (cancellable != null && cancellable.isCancelled()) {
            permit.abandoned();
        } else {
            permit.failed(failure);
        }
        return failure;
    }
}
