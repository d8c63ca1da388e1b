package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;

/** Where a hop goes. Does not refer to its connection. */
final class UrlTarget extends Target {
    private final URL url;
    private final String method;
    private final MessageHeaders access;
    private final Object headers;
    private final String userAgent;
    private final Proxy proxy;

    /**
     * @param headers   a {@code MessageHeader} of the request; null if it is not known
     * @param userAgent what the JVM says of itself where the application says nothing
     * @param proxy     that the connection was opened with; null if it was not told, and will ask the default {@code ProxySelector}
     */
    UrlTarget(HttpURLConnection connection, MessageHeaders access, Object headers, String userAgent, Proxy proxy) {
        this.url = connection.getURL();
        String now = connection.getRequestMethod();
        this.method = now.equals("GET") && connection.getDoOutput() ? "POST" : now; // it becomes one when the application writes the body
        this.access = access;
        this.headers = headers;
        this.userAgent = userAgent;
        this.proxy = proxy;
    }

    @Override
    public String scheme() {
        return url.getProtocol();
    }

    @Override
    public String host() {
        return url.getHost();
    }

    @Override
    public int port() {
        return url.getPort();
    }

    @Override
    public String path() {
        return url.getPath();
    }

    @Override
    public String method() {
        return method;
    }

    Proxy namedProxy() {
        return proxy;
    }

    @Override
    public String proxy() {
        return Egress.of(proxy);
    }

    @Override
    public String header(String name) {
        if (headers == null) {
            return UNKNOWN;
        }
        String own = access.find(headers, name);
        return own == null && name.equalsIgnoreCase("User-Agent") ? userAgent : own;
    }
}
