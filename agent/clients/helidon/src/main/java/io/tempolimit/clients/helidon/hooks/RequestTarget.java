package io.tempolimit.clients.helidon.hooks;

import io.tempolimit.core.request.Target;

/** Where a hop goes. */
final class RequestTarget extends Target {
    private final Internals internals;
    private final Object request;
    private final Object uri;
    private final Object proxy;

    RequestTarget(Internals internals, Object request, Object proxy) {
        this.internals = internals;
        this.request = request;
        this.uri = internals.uri(request);
        this.proxy = proxy;
    }

    @Override
    public String scheme() {
        return internals.scheme(uri);
    }

    @Override
    public String host() {
        return internals.host(uri);
    }

    /** The client names a port always, the default one too, which is left out. */
    @Override
    public int port() {
        int port = internals.port(uri);
        return port == ("https".equalsIgnoreCase(scheme()) ? 443 : 80) ? -1 : port;
    }

    @Override
    public String path() {
        return internals.path(uri);
    }

    @Override
    public String method() {
        return internals.method(request);
    }

    @Override
    public String proxy() {
        return internals.egress(proxy, host(), internals.port(uri));
    }

    /** Its own are there by now, cookies among them. */
    @Override
    public String header(String name) {
        for (Object header : internals.requestHeaders(request)) {
            if (internals.name(header).equalsIgnoreCase(name)) {
                return internals.values(header).get(0);
            }
        }
        return null;
    }
}
