package io.tempolimit.clients.reactornetty.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.lang.reflect.Method;
import java.net.SocketAddress;
import java.util.function.Supplier;
import reactor.netty.http.client.HttpClientConfig;
import reactor.netty.transport.ProxyProvider;

/**
 * Which proxy a client was told to use. Up to 1.2 the client asks a supplier of its address with each request, and so
 * does this, unless it is the application's own, which may give another one each time.
 */
final class ProxyOf {
    /** {@code HttpClientConfig.proxyProviderSupplier()}: versions that have it look into system properties late, if they are told to. */
    private static final Method LATE = late();

    private ProxyOf() {
    }

    static String of(HttpClientConfig config, SocketAddress site) {
        ProxyProvider provider = config.proxyProvider();
        if (provider == null && LATE != null) {
            Supplier<?> late = lateOf(config);
            if (late != null && !isClients(late)) {
                return Target.UNKNOWN;
            }
            provider = late == null ? null : (ProxyProvider) late.get();
        }
        if (provider == null || !provider.shouldProxy(site)) {
            return Egress.DIRECT;
        }
        Supplier<? extends SocketAddress> address = provider.getAddress();
        return isClients(address) ? Egress.of(address.get()) : Target.UNKNOWN;
    }

    private static boolean isClients(Supplier<?> supplier) {
        return supplier.getClass().getName().startsWith("reactor.netty.");
    }

    private static Method late() {
        try {
            return HttpClientConfig.class.getMethod("proxyProviderSupplier");
        } catch (NoSuchMethodException older) {
            return null;
        }
    }

    private static Supplier<?> lateOf(HttpClientConfig config) {
        try {
            return (Supplier<?>) LATE.invoke(config);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
