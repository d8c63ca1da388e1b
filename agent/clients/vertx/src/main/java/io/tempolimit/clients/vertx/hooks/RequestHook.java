package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.request.Target;
import io.tempolimit.weave.Gate;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ProxyOptions;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * A request of a client, each redirect one of its own. The arguments are, among others, host, port, whether it is TLS, and
 * URI, in a row (Vert.x 4), or port, host and options at the end (5).
 */
public final class RequestHook extends CallHook {
    private static final MethodType FROM_ARGUMENTS = MethodType.methodType(Object.class, Object[].class);
    private static final Object CLIENTS_OWN = new Object();

    private volatile MethodHandle decided;

    public RequestHook(Gate gate) {
        super(gate, "request", "doRequest");
    }

    @Override
    Target target(MethodHandles.Lookup lookup, Object self, Object[] args) throws ReflectiveOperationException {
        int n = args.length;
        Proxies proxies = proxies(lookup);
        if (args[n - 1] instanceof RequestOptions) {
            RequestOptions options = (RequestOptions) args[n - 1];
            String name = (String) args[n - 2];
            Integer port = (Integer) args[n - 3];
            return new HostTarget(name, port, options.isSsl(), options.getURI(), options.getMethod(), options.getHeaders()) {
                @Override
                public String proxy() {
                    return name == null || port == null ? UNKNOWN : proxies.of(self, options, name, port);
                }
            };
        }
        int host = 0;
        while (!(args[host] instanceof String)) {
            host++;
        }
        Object headers = args[host + 4];
        Object proxy = proxyOf(lookup, args);
        return new HostTarget((String) args[host], (Integer) args[host + 1], (Boolean) args[host + 2], (String) args[host + 3],
                (HttpMethod) args[0], headers instanceof MultiMap ? (MultiMap) headers : null) {
            @Override
            public String proxy() {
                return proxy == CLIENTS_OWN ? proxies.own(self) : Proxies.name((ProxyOptions) proxy);
            }
        };
    }

    /**
     * What Vert.x 4 has decided by now, by the request's options and the client's; null for no proxy. In 4.0 there were
     * no options of requests.
     */
    private Object proxyOf(MethodHandles.Lookup lookup, Object[] args) throws ReflectiveOperationException {
        MethodHandle from = decided;
        if (from == null) {
            from = decided(lookup, args.length);
            decided = from;
        }
        try {
            return from.invokeExact(args);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /**
     * From the arguments: what the key of the connection's pool says (since 4.4, where an argument may be null although
     * there is one), or the argument.
     */
    private static MethodHandle decided(MethodHandles.Lookup lookup, int parameters) throws ReflectiveOperationException {
        for (Method m : lookup.lookupClass().getDeclaredMethods()) {
            Class<?>[] types = m.getParameterTypes();
            int argument = Arrays.asList(types).indexOf(ProxyOptions.class);
            if (types.length == parameters && argument >= 0 && (m.getName().equals("request") || m.getName().equals("doRequest"))) {
                MethodHandle get = MethodHandles.arrayElementGetter(Object[].class);
                Class<?> before = types[parameters - 2];
                if (before.getSimpleName().equals("EndpointKey")) {
                    Field field = before.getDeclaredField("proxyOptions");
                    MethodHandle key = MethodHandles.insertArguments(get, 1, parameters - 2)
                            .asType(MethodType.methodType(before, Object[].class));
                    return MethodHandles.filterReturnValue(key, lookup.unreflectGetter(field)).asType(FROM_ARGUMENTS);
                }
                return MethodHandles.insertArguments(get, 1, argument).asType(FROM_ARGUMENTS);
            }
        }
        return MethodHandles.dropArguments(MethodHandles.constant(Object.class, CLIENTS_OWN), 0, Object[].class);
    }
}
