package io.tempolimit.clients.ktor.hooks;

import io.ktor.client.engine.HttpClientEngine;
import io.ktor.client.engine.UtilsKt;
import io.ktor.client.request.HttpRequestData;
import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.net.Proxy;

/** Where a hop goes. */
final class RequestTarget extends Target {
    /** Whether the engine asks a {@link java.net.ProxySelector} if it was told of no proxy. */
    private static final boolean SELECTS = selects();

    private final HttpRequestData request;
    private final Proxy proxy;

    /** @param proxy the engine's; null if it was told of none */
    RequestTarget(HttpRequestData request, Proxy proxy) {
        this.request = request;
        this.proxy = proxy;
    }

    @Override
    public String method() {
        return request.getMethod().getValue();
    }

    /** What the engine adds to the headers is a user agent. */
    @Override
    public String header(String name) {
        String value = request.getHeaders().get(name);
        if (value == null) {
            value = request.getBody().getHeaders().get(name);
        }
        return value == null && name.equalsIgnoreCase("User-Agent") ? UtilsKt.getKTOR_DEFAULT_USER_AGENT() : value;
    }

    @Override
    public String proxy() {
        return proxy == null && !SELECTS ? Egress.DIRECT : Egress.of(proxy);
    }

    /** A web socket's handshake is a request of HTTP. */
    @Override
    public String scheme() {
        String name = request.getUrl().getProtocol().getName();
        return name.equals("wss") ? "https" : name.equals("ws") ? "http" : name;
    }

    @Override
    public String host() {
        return request.getUrl().getHost();
    }

    @Override
    public int port() {
        int port = request.getUrl().getPort();
        return port == request.getUrl().getProtocol().getDefaultPort() ? -1 : port;
    }

    @Override
    public String path() {
        return request.getUrl().getEncodedPath();
    }

    private static boolean selects() {
        try {
            Class.forName("io.ktor.client.engine.cio.Proxy_jvmKt", false, HttpClientEngine.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException older) {
            return false;
        }
    }
}
