package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Target;

/** Where a request goes, whatever proxy or address it takes. */
final class HostTarget extends Target {
    private final String host;
    private final int port;
    private final boolean tls;
    private final String uri;

    /**
     * @param host null if it is left to a resolver of the application: then it is no web site
     * @param port may be null
     * @param tls  null if it is left to the client's own options; then the port has to tell
     * @param uri  path and query; all of the URL if it goes to a proxy
     */
    HostTarget(String host, Integer port, Boolean tls, String uri) {
        this.host = host;
        this.port = port == null ? -1 : port;
        this.tls = tls == null ? this.port == 443 : tls;
        this.uri = uri;
    }

    @Override
    public String scheme() {
        return tls ? "https" : "http";
    }

    @Override
    public String host() {
        return host;
    }

    /** The client always names a port, the default one too, which is left out. */
    @Override
    public int port() {
        return port == (tls ? 443 : 80) ? -1 : port;
    }

    @Override
    public String path() {
        if (uri == null) {
            return null;
        }
        int from = uri.startsWith("/") ? 0 : uri.indexOf("://");
        from = from <= 0 ? 0 : uri.indexOf('/', from + 3);
        if (from < 0) {
            return "/";
        }
        int to = from;
        while (to < uri.length() && uri.charAt(to) != '?' && uri.charAt(to) != '#') {
            to++;
        }
        return uri.substring(from, to);
    }
}
