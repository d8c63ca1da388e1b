package io.tempolimit.clients.reactornetty.hooks;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.tempolimit.core.request.Target;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import reactor.netty.http.client.HttpClientConfig;

/**
 * Where a hop goes. The host is that of the address, which is what the URL says or, for a URL that is only a path, what
 * {@code HttpClient.remoteAddress} or {@code host} says.
 */
final class EndpointTarget extends Target {
    private final boolean secure;
    private final SocketAddress address;
    private final String pathAndQuery;
    private final HttpMethod method;
    private final HttpHeaders headers;
    private final String missing;
    private final HttpClientConfig config;

    /** @param missing what to say of headers that the request does not have */
    EndpointTarget(String scheme, SocketAddress address, String pathAndQuery, HttpMethod method, HttpHeaders headers, String missing,
            HttpClientConfig config) {
        this.secure = scheme.equals("https") || scheme.equals("wss");
        this.address = address;
        this.pathAndQuery = pathAndQuery;
        this.method = method;
        this.headers = headers;
        this.missing = missing;
        this.config = config;
    }

    @Override
    public String method() {
        return method.name();
    }

    @Override
    public String header(String name) {
        String value = headers.get(name);
        return value == null ? missing : value;
    }

    @Override
    public String proxy() {
        return ProxyOf.of(config, address);
    }

    /** A web socket's handshake is a request of HTTP. */
    @Override
    public String scheme() {
        return secure ? "https" : "http";
    }

    @Override
    public String host() {
        return address instanceof InetSocketAddress ? ((InetSocketAddress) address).getHostString() : null;
    }

    @Override
    public int port() {
        int port = ((InetSocketAddress) address).getPort();
        return port == (secure ? 443 : 80) ? -1 : port;
    }

    @Override
    public String path() {
        int query = pathAndQuery.indexOf('?');
        return query < 0 ? pathAndQuery : pathAndQuery.substring(0, query);
    }
}
