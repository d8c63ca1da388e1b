package io.tempolimit.clients.armeria.hooks;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientRequestContext;
import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/**
 * One hop, before a connection is looked for. The arguments are the hop's context and its endpoint, and somewhere
 * behind its request, its response, and the proxy where the client has chosen one by then; the field is the client's
 * factory.
 */
public final class HopHook extends Hook {
    private final Gate gate;
    private volatile MethodHandle goOn;

    public HopHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Hop hop = new Hop((ClientRequestContext) args[0], args);
        if (Hop.isKnown(hop.response)) {
            return null; // after its wait, or further on its way
        }
        Permit permit;
        try {
            permit = gate.arrive(new EndpointTarget((ClientFactory) args[args.length - 1], args, hop.request));
        } catch (RequestRejectedException e) {
            gate.timer().handOver(hop.loop(), () -> hop.fail(e));
            return hop;
        }
        Hop.begins(hop.response, permit);
        if (permit == null) {
            return null;
        }
        hop.ends(permit);
        if (permit.granted()) {
            return null;
        }
        try {
            hop.hold(gate, permit, handle(lookup, args.length - 1), self);
        } catch (Exception | Error e) {
            permit.cancel();
            throw e;
        }
        return hop;
    }

    /**
     * The woven method; of those that are woven in a version, the one that comes first has this number of arguments.
     */
    private MethodHandle handle(MethodHandles.Lookup lookup, int arguments) throws ReflectiveOperationException {
        MethodHandle handle = goOn;
        if (handle == null) {
            for (Method m : lookup.lookupClass().getDeclaredMethods()) {
                if (m.getParameterTypes().length == arguments
                        && (m.getName().equals("execute0") || handle == null && m.getName().equals("acquireConnectionAndExecute"))) {
                    handle = lookup.unreflect(m);
                }
            }
            if (handle == null) {
                throw new NoSuchMethodException(lookup.lookupClass().getName());
            }
            handle = handle.asSpreader(Object[].class, arguments).asType(MethodType.methodType(void.class, Object.class, Object[].class));
            goOn = handle;
        }
        return handle;
    }
}
