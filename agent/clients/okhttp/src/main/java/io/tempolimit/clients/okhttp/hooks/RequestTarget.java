package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.core.Target;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Request;

/** Where a request goes. Does not refer to the request, whose tags may refer to anything. */
final class RequestTarget extends Target {
    private final HttpUrl url;
    private final String method;
    private final Headers headers;
    private final String missing;
    private final String missingCookie;

    /**
     * @param missing       what to say of headers that the request does not have
     * @param missingCookie likewise of cookies, if that is null
     */
    RequestTarget(Request request, String missing, String missingCookie) {
        this.url = request.url();
        this.method = request.method();
        this.headers = request.headers();
        this.missing = missing;
        this.missingCookie = missingCookie;
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
    public String header(String name) {
        String value = headers.get(name);
        return value != null ? value : missing == null && name.equalsIgnoreCase("Cookie") ? missingCookie : missing;
    }
}
