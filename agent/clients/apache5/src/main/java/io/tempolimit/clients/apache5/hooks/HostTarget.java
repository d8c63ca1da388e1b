package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;

/** Where a request goes whatever proxies it passes. */
class HostTarget extends Target {
    private final HttpHost host;
    private final HttpHost proxy;
    private final HttpRequest request;
    /**
     * The element of the client's chain behind which the request is completed; null if it is as it shall be, or gets
     * only what is the client's own.
     */
    private final Object connect;

    /** @param proxy null if there is none */
    HostTarget(HttpHost host, HttpHost proxy, HttpRequest request, Object connect) {
        this.host = host;
        this.proxy = proxy;
        this.request = request;
        this.connect = connect;
    }

    @Override
    public String scheme() {
        return host.getSchemeName();
    }

    @Override
    public String host() {
        return host.getHostName();
    }

    /** The route names a port always, the default one too, which is left out. */
    @Override
    public int port() {
        return host.getPort() == ("https".equalsIgnoreCase(host.getSchemeName()) ? 443 : 80) ? -1 : host.getPort();
    }

    /** The request has path and query in one, and for a proxy the whole URL. */
    @Override
    public String path() {
        String path = request.getPath();
        if (path == null) {
            return null;
        }
        int query = path.indexOf('?');
        int end = query < 0 ? path.length() : query;
        int authority = path.startsWith("/") ? -1 : path.indexOf("://");
        int begin = authority < 0 || authority > end ? 0 : path.indexOf('/', authority + 3);
        return begin < 0 || begin > end ? "/" : path.substring(begin, end);
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    /** The client's route planner has decided by now; it may have asked a {@code ProxySelector} for that. */
    @Override
    public String proxy() {
        return proxy == null ? Egress.DIRECT : Egress.of(proxy.getHostName(), proxy.getPort());
    }

    @Override
    public boolean answerable() {
        return true;
    }

    @Override
    public String header(String name) {
        Header header = request.getFirstHeader(name);
        if (header != null) {
            return header.getValue();
        }
        return connect != null && name.equalsIgnoreCase(HttpHeaders.USER_AGENT) ? AddedUserAgent.of(connect) : null;
    }
}
