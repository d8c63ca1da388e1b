package io.tempolimit.clients.helidon.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;

/** One hop: its request; the fields are the client and, over HTTP/1.1 the proxy, over HTTP/2 the request as it was made. */
public final class SendHook extends Hook {
    private final Gate gate;
    private volatile Internals internals;

    public SendHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = internals;
        if (in == null) {
            in = new Internals(lookup.lookupClass().getClassLoader());
            internals = in;
        }
        boolean http2 = in.isHttp2Request(args[2]);
        RequestTarget target = new RequestTarget(in, args[0], http2 ? in.proxyOf(args[2]) : args[2]);
        if (target.method().equals("CONNECT")) { // the client makes a tunnel, by a request of its own
            return null;
        }
        Hop outer = Hop.connecting();
        Permit permit = outer == null ? null : outer.givePermit();
        if (permit == null) {
            permit = pass(target, in.connectionsOf(lookup, args[1]));
        }
        return permit == null ? null : new Hop(gate, in, permit, http2);
    }

    /** Null if the request is not paced, or its client was closed while it waited, as the client will find. */
    private Permit pass(RequestTarget target, Object connections) throws Refusal {
        try {
            Permit permit = gate.arrive(target);
            if (permit != null && permit.waiting()) {
                CloseHook.CLOSED.waits(permit, connections, permit::cancel);
                try {
                    gate.await(permit);
                } finally {
                    CloseHook.CLOSED.waitIsOver(permit);
                }
            }
            return permit == null || permit.cancelled() ? null : permit;
        } catch (RequestRejectedException e) {
            throw new Refusal(new UncheckedIOException(e.getMessage(), e));
        } catch (Refusal e) { // the thread was interrupted
            throw new Refusal(new UncheckedIOException(e.getCause().getMessage(), (IOException) e.getCause()));
        }
    }
}
