package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.Target;
import java.net.HttpURLConnection;
import java.net.URL;

/** Where a hop goes. Does not refer to its connection. */
final class UrlTarget extends Target {
    private final URL url;
    private final String method;
    private final MessageHeaders access;
    private final Object headers;
    private final String userAgent;

    /**
     * @param headers   a {@code MessageHeader} of the request; null if it is not known
     * @param userAgent what the JVM says of itself where the application says nothing
     */
    UrlTarget(HttpURLConnection connection, MessageHeaders access, Object headers, String userAgent) {
        this.url = connection.getURL();
        String now = connection.getRequestMethod();
        this.method = now.equals("GET") && connection.getDoOutput() ? "POST" : now; // it becomes one when the application writes the body
        this.access = access;
        this.headers = headers;
        this.userAgent = userAgent;
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

    @Override
    public String header(String name) {
        if (headers == null) {
            return UNKNOWN;
        }
        String own = access.find(headers, name);
        return own == null && name.equalsIgnoreCase("User-Agent") ? userAgent : own;
    }
}
