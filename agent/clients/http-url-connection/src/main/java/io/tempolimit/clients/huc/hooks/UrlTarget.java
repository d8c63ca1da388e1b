package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.Target;
import java.net.URL;

final class UrlTarget extends Target {
    private final URL url;

    UrlTarget(URL url) {
        this.url = url;
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
}
