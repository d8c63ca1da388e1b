package io.tempolimit.clients.awsnetty.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Set;

/** Which proxy a client was told to use. There is none in the oldest versions. */
final class ProxyOf {
    /** What knows it; null as long as nobody has asked, or there is no such thing. */
    private static volatile Internals internals;

    private ProxyOf() {
    }

    static String of(Object pools, String host) {
        try {
            Internals in = internals;
            if (in == null || in.configuration.getDeclaringClass() != pools.getClass()) {
                in = new Internals(pools.getClass());
                internals = in;
            }
            return in.proxy(pools, host);
        } catch (NoSuchFieldException older) {
            return Egress.DIRECT;
        } catch (ReflectiveOperationException | RuntimeException e) { // in a module of its own, it hides its fields
            return Target.UNKNOWN;
        }
    }

    /** What is not public, or not there in the version that this is compiled against. */
    private static final class Internals {
        final Field configuration;
        private final Method host;
        private final Method port;
        private final Method except;

        Internals(Class<?> pools) throws ReflectiveOperationException {
            configuration = pools.getDeclaredField("proxyConfiguration");
            configuration.setAccessible(true);
            Class<?> type = configuration.getType();
            host = type.getMethod("host");
            port = type.getMethod("port");
            except = type.getMethod("nonProxyHosts");
        }

        String proxy(Object pools, String site) throws ReflectiveOperationException {
            Object told = configuration.get(pools);
            String name = told == null ? null : (String) host.invoke(told);
            if (name == null) {
                return Egress.DIRECT;
            }
            for (Object pattern : (Set<?>) except.invoke(told)) { // as the client does
                if (site.matches((String) pattern)) {
                    return Egress.DIRECT;
                }
            }
            return Egress.of(name, (Integer) port.invoke(told));
        }
    }
}
