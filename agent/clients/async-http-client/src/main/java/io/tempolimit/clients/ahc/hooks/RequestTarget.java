package io.tempolimit.clients.ahc.hooks;

import io.netty.handler.codec.http.HttpHeaders;
import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import org.asynchttpclient.AsyncHttpClientConfig;
import org.asynchttpclient.Request;
import org.asynchttpclient.proxy.ProxyServer;
import org.asynchttpclient.uri.Uri;

/** Where a hop goes. Does not refer to the request, whose body may be anything. */
final class RequestTarget extends Target {
    private final Uri uri;
    private final String method;
    private final HttpHeaders headers;
    /** For requests that have none of their own. */
    private final String userAgent;
    private final ProxyServer proxy;

    /** @param proxy null if there is none */
    RequestTarget(Request request, ProxyServer proxy, AsyncHttpClientConfig config) {
        this.uri = request.getUri();
        this.method = request.getMethod();
        this.headers = request.getHeaders();
        this.userAgent = config.getUserAgent();
        this.proxy = proxy;
    }

    /** A web socket's handshake is a request of HTTP. */
    @Override
    public String scheme() {
        return uri.isSecured() ? "https" : "http";
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
        return uri.getPath();
    }

    @Override
    public String method() {
        return method;
    }

    /** The client has decided by now; its selector may have asked a {@code ProxySelector} for that. */
    @Override
    public String proxy() {
        return proxy == null ? Egress.DIRECT : Egress.of(proxy.getHost(), uri.isSecured() ? proxy.getSecuredPort() : proxy.getPort());
    }

    @Override
    public String header(String name) {
        String value = headers.get(name);
        return value == null && name.equalsIgnoreCase("User-Agent") ? userAgent : value;
    }
}
