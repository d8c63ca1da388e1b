package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.net.Proxy;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Request;

/** Where a request goes. Does not refer to the request, whose tags may refer to anything. */
class RequestTarget extends Target {
    private final HttpUrl url;
    private final String method;
    private final Headers headers;
    private final String missing;
    private final String missingCookie;
    private final Proxy proxy;

    /**
     * @param missing       what to say of headers that the request does not have
     * @param missingCookie likewise of cookies, if that is null
     * @param proxy         that the client was told to use; null if it was told none, and will ask its {@code ProxySelector}
     */
    RequestTarget(Request request, String missing, String missingCookie, Proxy proxy) {
        this.url = Names.url(request);
        this.method = request.method();
        this.headers = request.headers();
        this.missing = missing;
        this.missingCookie = missingCookie;
        this.proxy = proxy;
    }

    @Override
    public String scheme() {
        return url.scheme();
    }

    @Override
    public String host() {
        return url.host();
    }

    @Override
    public int port() {
        return url.port() == HttpUrl.defaultPort(url.scheme()) ? -1 : url.port();
    }

    @Override
    public String path() {
        return url.encodedPath();
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
        return Egress.of(proxy);
    }

    @Override
    public String header(String name) {
        String value = headers.get(name);
        return value != null ? value : missing == null && name.equalsIgnoreCase("Cookie") ? missingCookie : missing;
    }
}
