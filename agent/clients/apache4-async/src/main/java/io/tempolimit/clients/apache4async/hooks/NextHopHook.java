package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.http.HttpResponse;
import org.apache.http.auth.AuthState;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.nio.NHttpClientConnection;

/**
 * A response was read to its end, and it is settled what comes next: the call's state, its handler. A hop that would go over the same
 * connection and has to wait gives it back; then the handler asks for one, as it does for any other hop.
 */
public final class NextHopHook extends Hook {
    private final Gate gate;
    /** {@code InternalState.getFinalResponse} */
    private volatile MethodHandle finalResponse;
    /** {@code InternalState.getLocalContext} */
    private volatile MethodHandle context;

    public NextHopHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Object state = args[0];
        Object handler = args[1];
        Exchange.completed(handler);
        if (Exchange.of(handler) == null) {
            return null;
        }
        if (context == null) {
            finalResponse = getter(lookup, state, "getFinalResponse", HttpResponse.class);
            context = getter(lookup, state, "getLocalContext", HttpClientContext.class);
        }
        Handlers handlers = Handlers.of(lookup);
        return new Call() {
            @Override
            public Object exit(Object result) {
                if (get(finalResponse, state) == null && staysOnConnection(handlers, handler)
                        && !boundToConnection((HttpClientContext) get(context, state))) {
                    arrive(handlers, handler);
                }
                return result;
            }
        };
    }

    private static boolean staysOnConnection(Handlers handlers, Object handler) {
        NHttpClientConnection connection = handlers.connection(handler);
        return connection != null && connection.isOpen() && handlers.routeEstablished(handler) && Exchange.of(handler).next() == null;
    }

    /** NTLM and the like authenticate a connection: it must not be given back in the middle of that. */
    private static boolean boundToConnection(HttpClientContext context) {
        return connectionBased(context.getTargetAuthState()) || connectionBased(context.getProxyAuthState());
    }

    private static boolean connectionBased(AuthState state) {
        return state != null && state.getAuthScheme() != null && state.getAuthScheme().isConnectionBased();
    }

    private void arrive(Handlers handlers, Object handler) {
        try {
            Permit permit = gate.arrive(handlers.target(handler));
            if (permit == null) {
                return;
            }
            Exchange.note(handler, permit, null);
            if (permit.granted()) {
                return;
            }
        } catch (RequestRejectedException e) {
            Exchange.note(handler, null, e);
        }
        handlers.releaseConnection(handler);
    }

    private static MethodHandle getter(MethodHandles.Lookup lookup, Object of, String name, Class<?> type)
            throws ReflectiveOperationException {
        return lookup.findVirtual(of.getClass(), name, MethodType.methodType(type))
                .asType(MethodType.methodType(Object.class, Object.class));
    }

    private static Object get(MethodHandle getter, Object state) {
        try {
            return getter.invokeExact(state);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
