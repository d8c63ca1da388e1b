package io.tempolimit.clients.armeria.hooks;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.proxy.ProxyConfig;
import com.linecorp.armeria.client.proxy.ProxyConfigSelector;
import com.linecorp.armeria.client.proxy.ProxyType;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.lang.reflect.Method;

/** Where a hop goes. Does not refer to its context, which may refer to the response. */
final class EndpointTarget extends Target {
    /** How the client's own value begins. */
    private static final String OWN_AGENT = "armeria/";
    /** How the client names a file that is a socket, in any case. */
    private static final String SOCKET_FILE = "unix%3A";
    /** A selector that gives the same proxy each time: it is the client's. */
    private static final String STATIC = "com.linecorp.armeria.client.proxy.StaticProxyConfigSelector";
    /**
     * {@code ClientRequestContext.defaultRequestHeaders()}: what the client adds to all its requests; before, it is
     * among the additional ones.
     */
    private static final Method DEFAULTS = defaults();

    private final SessionProtocol protocol;
    private final Endpoint endpoint;
    private final RequestHeaders headers;
    private final HttpHeaders additional;
    private final HttpHeaders always;
    /** Null if the client has not chosen yet: up to 1.16. */
    private final ProxyConfig chosen;
    private final ClientFactory factory;

    EndpointTarget(ClientFactory factory, Object[] args, HttpRequest request) {
        ClientRequestContext context = (ClientRequestContext) args[0];
        this.factory = factory;
        this.protocol = context.sessionProtocol();
        this.endpoint = (Endpoint) args[1];
        this.headers = request.headers();
        this.additional = context.additionalRequestHeaders();
        this.always = defaults(context);
        Object last = args[args.length - 2];
        this.chosen = last instanceof ProxyConfig ? (ProxyConfig) last : null;
    }

    private static Method defaults() {
        try {
            return ClientRequestContext.class.getMethod("defaultRequestHeaders");
        } catch (NoSuchMethodException older) {
            return null;
        }
    }

    private static HttpHeaders defaults(ClientRequestContext context) {
        try {
            return DEFAULTS == null ? HttpHeaders.of() : (HttpHeaders) DEFAULTS.invoke(context);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String method() {
        return headers.method().name();
    }

    @Override
    public String header(String name) {
        String value = additional.get(name);
        value = value == null ? headers.get(name) : value;
        value = value == null ? always.get(name) : value;
        return value == null && name.equalsIgnoreCase("User-Agent") ? OWN_AGENT : value;
    }

    @Override
    public String scheme() {
        return protocol.isTls() ? "https" : "http";
    }

    /** A socket of this machine is no site. */
    @Override
    public String host() {
        String host = endpoint.host();
        return host.regionMatches(true, 0, SOCKET_FILE, 0, SOCKET_FILE.length()) ? null : host;
    }

    /** The client always names a port, the default one too, which is left out. */
    @Override
    public int port() {
        return !endpoint.hasPort() || endpoint.port() == protocol.defaultPort() ? -1 : endpoint.port();
    }

    @Override
    public String path() {
        String path = headers.path();
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    @Override
    public String proxy() {
        ProxyConfig proxy = chosen;
        if (proxy == null) {
            ProxyConfigSelector selector = factory.options().proxyConfigSelector();
            if (!selector.getClass().getName().equals(STATIC)) {
                return UNKNOWN;
            }
            proxy = selector.select(protocol, endpoint);
        }
        return proxy.proxyType() == ProxyType.DIRECT ? Egress.DIRECT : Egress.of(proxy.proxyAddress());
    }
}
