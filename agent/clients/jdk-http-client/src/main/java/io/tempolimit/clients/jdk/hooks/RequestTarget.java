package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;

/** Where a hop goes. Does not keep the request, whose body may be large. */
final class RequestTarget extends Target {
    private final URI uri;
    private final String method;
    private final HttpHeaders headers;
    private final InetSocketAddress proxy;

    /** @param proxy null if there is none */
    RequestTarget(HttpRequest request, InetSocketAddress proxy) {
        this.uri = request.uri();
        this.method = request.method();
        this.headers = request.headers();
        this.proxy = proxy;
    }

    @Override
    public String scheme() {
        return uri.getScheme();
    }

    @Override
    public String host() {
        return uri.getHost();
    }

    @Override
    public int port() {
        return uri.getPort();
    }

    @Override
    public String path() {
        return uri.getRawPath();
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public boolean answerable() {
        return true;
    }

    @Override
    public String proxy() {
        return proxy == null ? Egress.DIRECT : Egress.of(proxy);
    }

    @Override
    public String header(String name) {
        return headers.firstValue(name).orElse(null);
    }
}
