package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import org.eclipse.jetty.client.ProxyConfiguration;
import org.eclipse.jetty.http.HttpField;

/** Where a request goes. Does not refer to the request, by which its permit is remembered. */
final class RequestTarget extends Target {
    private final String scheme;
    private final String host;
    private final int port;
    private final String path;
    private final String method;
    private final Iterable<HttpField> headers;
    private final ProxyConfiguration.Proxy proxy;

    /** @param proxy null if there is none */
    RequestTarget(String scheme, String host, int port, String path, String method, Iterable<HttpField> headers,
            ProxyConfiguration.Proxy proxy) {
        this.scheme = scheme;
        this.host = host;
        this.port = port;
        this.path = path;
        this.method = method;
        this.headers = headers;
        this.proxy = proxy;
    }

    /** A web socket's handshake is a request of HTTP. */
    @Override
    public String scheme() {
        return secure() ? "https" : "http";
    }

    private boolean secure() {
        return "https".equalsIgnoreCase(scheme) || "wss".equalsIgnoreCase(scheme);
    }

    @Override
    public String host() {
        return host;
    }

    /** The request names a port always, the default one too, which is left out. */
    @Override
    public int port() {
        return port == (secure() ? 443 : 80) ? -1 : port;
    }

    /** The query is not part of it, unless the application has written it there. */
    @Override
    public String path() {
        int query = path == null ? -1 : path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String proxy() {
        return proxy == null ? Egress.DIRECT : Egress.of(proxy.getAddress().getHost(), proxy.getAddress().getPort());
    }

    /** What the application has set for the whole client, the user agent above all, is there since the request was made. */
    @Override
    public String header(String name) {
        for (HttpField header : headers) {
            if (name.equalsIgnoreCase(header.getName())) {
                return header.getValue();
            }
        }
        return null;
    }
}
