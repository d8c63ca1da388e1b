package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.lang.reflect.Method;
import java.net.SocketAddress;
import org.apache.pekko.http.impl.settings.HostConnectionPoolSetup;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.scaladsl.ClientTransport;
import org.apache.pekko.http.scaladsl.settings.ClientConnectionSettings;

/** What a pool, or a connection of the application's own, leads to. */
final class Endpoint {
    final String host;
    final boolean secure;
    final ClientConnectionSettings settings;
    private final int port;

    Endpoint(String host, int port, boolean secure, ClientConnectionSettings settings) {
        this.host = host;
        this.port = port;
        this.secure = secure;
        this.settings = settings;
    }

    Endpoint(HostConnectionPoolSetup pool) {
        this(pool.host(), pool.port(), ((ConnectionContext) pool.setup().connectionContext()).isSecure(),
                pool.setup().settings().connectionSettings());
    }

    /** A negative number if it is the default. */
    int port() {
        return port == 0 || port == (secure ? 443 : 80) ? -1 : port;
    }

    /** A transport of the application's own may go through anything. */
    String proxy() {
        ClientTransport transport = settings.transport();
        if (transport == ClientTransport.TCP()) {
            return Egress.DIRECT;
        }
        try {
            Method address = transport.getClass().getMethod("proxyAddress");
            address.setAccessible(true);
            return Egress.of((SocketAddress) address.invoke(transport));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return Target.UNKNOWN;
        }
    }
}
