package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.http.Header;
import org.apache.http.HttpHost;
import org.apache.http.HttpRequest;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.conn.routing.HttpRoute;

/** Where a request goes whatever proxies it passes. */
class RouteTarget extends Target {
    private final HttpRoute route;
    private final HttpRequest request;

    RouteTarget(HttpRoute route, HttpRequest request) {
        this.route = route;
        this.request = request;
    }

    @Override
    public String scheme() {
        return route.getTargetHost().getSchemeName();
    }

    @Override
    public String host() {
        return route.getTargetHost().getHostName();
    }

    /** The route names a port always, the default one too, which is left out. */
    @Override
    public int port() {
        int port = route.getTargetHost().getPort();
        return port == (route.isSecure() ? 443 : 80) ? -1 : port;
    }

    @Override
    public String path() {
        if (request instanceof HttpUriRequest) {
            URI uri = ((HttpUriRequest) request).getURI();
            if (uri != null) {
                return uri.getRawPath();
            }
        }
        try {
            return new URI(request.getRequestLine().getUri()).getRawPath();
        } catch (URISyntaxException e) {
            return null;
        }
    }

    @Override
    public String method() {
        return request.getRequestLine().getMethod();
    }

    /** The client's route planner has decided by now; it may have asked a {@code ProxySelector} for that. */
    @Override
    public String proxy() {
        return proxy(route.getProxyHost());
    }

    /** @param proxy null if there is none */
    static String proxy(HttpHost proxy) {
        return proxy == null ? Egress.DIRECT : Egress.of(proxy.getHostName(), proxy.getPort());
    }

    @Override
    public boolean answerable() {
        return true;
    }

    @Override
    public String header(String name) {
        Header header = request.getFirstHeader(name);
        return header == null ? null : header.getValue();
    }
}
