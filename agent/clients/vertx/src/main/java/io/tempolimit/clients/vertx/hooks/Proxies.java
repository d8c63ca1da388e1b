package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.request.Egress;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.SocketAddress;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Which proxy a client takes for a request, as it decides itself: by the request's options, its own, and the hosts that need none. */
final class Proxies {
    /** {@code RequestOptions.getProxyOptions()}, since 4.1. */
    private static final Method OF_REQUEST = ofRequest();

    /**
     * From client, options of a request, and where that goes, to options ({@code resolveProxyOptions},
     * {@code computeProxyOptions}); null in 4.0 to 4.3.
     */
    private final MethodHandle resolve;
    /** From a client to its options, where there is no {@link #resolve}. */
    private final MethodHandle options;

    /** @param lookup of the client's class */
    Proxies(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        Method decides = null;
        Field own = null;
        for (Class<?> type = lookup.lookupClass(); type != null; type = type.getSuperclass()) {
            for (Method m : type.getDeclaredMethods()) {
                Class<?>[] parameters = m.getParameterTypes();
                if (m.getReturnType() == ProxyOptions.class && parameters.length == 2 && parameters[1] == SocketAddress.class) {
                    decides = m;
                }
            }
            for (Field f : type.getDeclaredFields()) {
                own = f.getType() == HttpClientOptions.class ? f : own;
            }
        }
        resolve = decides == null ? null : lookup.unreflect(decides)
                .asType(MethodType.methodType(ProxyOptions.class, Object.class, ProxyOptions.class, SocketAddress.class));
        options = decides != null || own == null ? null
                : lookup.unreflectGetter(own).asType(MethodType.methodType(HttpClientOptions.class, Object.class));
    }

    /** For a request with these options. */
    String of(Object client, RequestOptions request, String host, int port) {
        try {
            ProxyOptions asked = OF_REQUEST == null ? null : (ProxyOptions) OF_REQUEST.invoke(request);
            if (resolve == null) {
                return asked == null ? own(client) : name(asked);
            }
            return name((ProxyOptions) resolve.invokeExact(client, asked, SocketAddress.inetSocketAddress(port, host)));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** The client's own, where a request has none. */
    String own(Object client) {
        try {
            return name(((HttpClientOptions) options.invokeExact(client)).getProxyOptions());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** @param options null if there is no proxy */
    static String name(ProxyOptions options) {
        return options == null ? Egress.DIRECT : Egress.of(options.getHost(), options.getPort());
    }

    private static Method ofRequest() {
        try {
            return RequestOptions.class.getMethod("getProxyOptions");
        } catch (NoSuchMethodException older) {
            return null;
        }
    }
}
