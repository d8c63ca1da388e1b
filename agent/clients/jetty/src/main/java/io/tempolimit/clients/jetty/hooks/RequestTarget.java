package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.core.Target;

/** Where a request goes. Does not refer to the request, by which its permit is remembered. */
final class RequestTarget extends Target {
    private final String scheme;
    private final String host;
    private final int port;
    private final String path;

    RequestTarget(String scheme, String host, int port, String path) {
        this.scheme = scheme;
        this.host = host;
        this.port = port;
        this.path = path;
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
}
