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
class Exchange extends Call {
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

    /** Waits for a permit; null if the request is not paced. */
    static Permit pass(Gate gate, HostTarget target, HttpRequest original) throws Exception {
        Permit permit = gate.limiter().arrive(target);
        if (permit != null && permit.waiting()) {
            await(permit, cancellable(original));
        }
        if (permit != null && permit.cancelled()) { // a client that leased now would find its endpoint gone, from 5.2 or so with another exception
            throw new Refusal(new RequestFailedException("Request aborted"));
        }
        return permit;
    }

    private static void await(Permit permit, CancellableDependency cancellable) throws Exception {
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

    final Permit permit() {
        return permit;
    }

    @Override
    public final Object exit(Object result) {
        answered(((HttpResponse) result).getCode());
        return result;
    }

    void answered(int status) {
        permit.answered(status);
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
