package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.request.Target;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;

/** Where a request goes, whatever proxy or address it takes. */
class HostTarget extends Target {
    private final String host;
    private final int port;
    private final boolean tls;
    private final String uri;
    private final String method;
    private final MultiMap headers;

    /**
     * @param host null if it is left to a resolver of the application: then it is no web site
     * @param port may be null
     * @param tls  null if it is left to the client's own options; then the port has to tell
     * @param uri  path and query; all of the URL if it goes to a proxy
     * @param method  null if it is a GET
     * @param headers that are known by now; the application may add to them later. Null if there are none
     */
    HostTarget(String host, Integer port, Boolean tls, String uri, HttpMethod method, MultiMap headers) {
        this.host = host;
        this.port = port == null ? -1 : port;
        this.tls = tls == null ? this.port == 443 : tls;
        this.uri = uri;
        this.method = method == null ? "GET" : method.name();
        this.headers = headers;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String header(String name) {
        String value = headers == null ? null : headers.get(name);
        return value == null ? UNKNOWN : value;
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
