package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.http.Header;
import org.apache.http.HttpHost;
import org.apache.http.HttpRequest;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.protocol.HTTP;

/** Where a request goes whatever proxies it passes. */
final class RouteTarget extends Target {
    private final HttpRoute route;
    /** Null before a pipeline's first request is made. */
    private final HttpRequest request;
    /** What completes it. */
    private final Object processor;
    private final boolean answerable;

    RouteTarget(HttpRoute route, HttpRequest request, Object processor, boolean answerable) {
        this.route = route;
        this.request = request;
        this.processor = processor;
        this.answerable = answerable;
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
        if (request == null) {
            return null;
        }
        try {
            return new URI(request.getRequestLine().getUri()).getRawPath();
        } catch (URISyntaxException e) {
            return null;
        }
    }

    @Override
    public String method() {
        return request == null ? super.method() : request.getRequestLine().getMethod();
    }

    /** The client's route planner has decided by now; it may have asked a {@code ProxySelector} for that. */
    @Override
    public String proxy() {
        HttpHost proxy = route.getProxyHost();
        return proxy == null ? Egress.DIRECT : Egress.of(proxy.getHostName(), proxy.getPort());
    }

    @Override
    public boolean answerable() {
        return answerable;
    }

    @Override
    public String header(String name) {
        if (request == null) {
            return UNKNOWN;
        }
        Header header = request.getFirstHeader(name);
        if (header != null) {
            return header.getValue();
        }
        return name.equalsIgnoreCase(HTTP.USER_AGENT) ? AddedUserAgent.of(processor) : null;
    }
}
