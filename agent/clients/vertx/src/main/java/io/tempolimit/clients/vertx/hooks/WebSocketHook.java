package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.request.Target;
import io.tempolimit.weave.Gate;
import io.vertx.core.http.RequestOptions;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** The handshake of a web socket: options, after the context in Vert.x 5, and a promise. */
public final class WebSocketHook extends CallHook {
    /** {@code getHost(RequestOptions)} and {@code getPort(RequestOptions)}, which know the client's own */
    private volatile MethodHandle[] parts;

    public WebSocketHook(Gate gate) {
        super(gate, "webSocket");
    }

    @Override
    Target target(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        MethodHandle[] p = parts;
        if (p == null) {
            p = new MethodHandle[] {part(lookup, "getHost", String.class), part(lookup, "getPort", int.class)};
            parts = p;
        }
        RequestOptions options = (RequestOptions) args[args.length - 2];
        Proxies proxies = proxies(lookup);
        String host = (String) call(p[0], self, options);
        int port = (Integer) call(p[1], self, options);
        return new HostTarget(host, port, options.isSsl(), options.getURI(), null, options.getHeaders()) {
            @Override
            public String proxy() {
                return proxies.of(self, options, host, port);
            }
        };
    }

    private static MethodHandle part(MethodHandles.Lookup lookup, String name, Class<?> type) throws ReflectiveOperationException {
        return lookup.findVirtual(lookup.lookupClass(), name, MethodType.methodType(type, RequestOptions.class))
                .asType(MethodType.methodType(Object.class, Object.class, RequestOptions.class));
    }

    private static Object call(MethodHandle handle, Object self, RequestOptions options) {
        try {
            return handle.invokeExact(self, options);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
