package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Target;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A method that begins a request, or opens a web socket. */
abstract class CallHook extends Hook {
    private final Gate gate;
    private final String[] names;
    private volatile Beginning beginning;
    private volatile Proxies proxies;

    /** @param names the method's, in all versions */
    CallHook(Gate gate, String... names) {
        this.gate = gate;
        this.names = names;
    }

    final Proxies proxies(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        Proxies p = proxies;
        if (p == null) {
            p = new Proxies(lookup);
            proxies = p;
        }
        return p;
    }

    /** Where a call with these arguments goes. */
    abstract Target target(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception;

    @Override
    public final Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if (Beginning.isOurs()) {
            return null; // begun by us, with its permit
        }
        Beginning b = beginning;
        if (b == null) {
            b = new Beginning(lookup, names, args.length);
            beginning = b;
        }
        if (b.isClosed(self)) {
            return null; // as the client says itself
        }
        Permit permit;
        try {
            permit = gate.arrive(target(lookup, self, args));
        } catch (RequestRejectedException e) {
            return new PacedCall(gate, b, self, args, null).reject(e);
        }
        if (permit == null) {
            return null;
        }
        try {
            return new PacedCall(gate, b, self, args, permit).start();
        } catch (RuntimeException | Error e) {
            permit.cancel();
            permit.unused();
            throw e;
        }
    }
}
