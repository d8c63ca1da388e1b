package io.tempolimit.clients.awsnetty.hooks;

import io.tempolimit.core.request.Target;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Where a request goes. */
final class RequestTarget extends Target {
    private final SdkHttpRequest request;
    private final Object pools;

    /** @param pools the client's, which know its proxy */
    RequestTarget(SdkHttpRequest request, Object pools) {
        this.request = request;
        this.pools = pools;
    }

    @Override
    public String method() {
        return request.method().name();
    }

    @Override
    public String header(String name) {
        return request.firstMatchingHeader(name).orElse(null);
    }

    @Override
    public String proxy() {
        return ProxyOf.of(pools, request.host());
    }

    @Override
    public String scheme() {
        return request.protocol();
    }

    @Override
    public String host() {
        return request.host();
    }

    /** The client always names a port, the default one too, which is left out. */
    @Override
    public int port() {
        int port = request.port();
        return port == (request.protocol().equals("https") ? 443 : 80) ? -1 : port;
    }

    @Override
    public String path() {
        return request.encodedPath();
    }
}
