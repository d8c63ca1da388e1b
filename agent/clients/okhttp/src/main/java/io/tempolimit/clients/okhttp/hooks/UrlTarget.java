package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.core.Target;
import okhttp3.HttpUrl;

final class UrlTarget extends Target {
    private final HttpUrl url;

    UrlTarget(HttpUrl url) {
        this.url = url;
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
}
