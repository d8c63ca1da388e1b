package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.request.Target;
import io.tempolimit.weave.Gate;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.RequestOptions;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** A request on a connection that the application has opened itself: context, options, which may leave host and port to the connection. */
public final class ConnectionRequestHook extends CallHook {
    /** From the connection to what it was opened to, and from that to the host and the port. */
    private volatile MethodHandle[] authority;

    public ConnectionRequestHook(Gate gate) {
        super(gate, "request");
    }

    @Override
    Target target(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        RequestOptions options = (RequestOptions) args[1];
        boolean ssl = ((HttpConnection) self).isSsl();
        if (options.getHost() != null && options.getPort() != null) {
            return new HostTarget(options.getHost(), options.getPort(), ssl, options.getURI(), options.getMethod(), options.getHeaders());
        }
        MethodHandle[] a = authority;
        if (a == null) {
            a = prepare(lookup);
            authority = a;
        }
        return new HostTarget((String) call(a[0], self), (Integer) call(a[1], self), ssl, options.getURI(),
                options.getMethod(), options.getHeaders());
    }

    private static MethodHandle[] prepare(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        Field actual = lookup.lookupClass().getDeclaredField("actual");
        Method authority = actual.getType().getMethod("authority");
        MethodHandle toAuthority = MethodHandles.filterReturnValue(lookup.unreflectGetter(actual), lookup.unreflect(authority));
        MethodHandle[] handles = new MethodHandle[2];
        for (int i = 0; i < 2; i++) {
            Method part = authority.getReturnType().getMethod(i == 0 ? "host" : "port");
            handles[i] = MethodHandles.filterReturnValue(toAuthority, lookup.unreflect(part))
                    .asType(MethodType.methodType(Object.class, Object.class));
        }
        return handles;
    }

    private static Object call(MethodHandle handle, Object self) {
        try {
            return handle.invokeExact(self);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
