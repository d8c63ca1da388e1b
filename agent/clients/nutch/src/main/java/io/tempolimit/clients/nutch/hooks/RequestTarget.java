package io.tempolimit.clients.nutch.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.net.URL;

/** Where a request goes. */
final class RequestTarget extends Target {
    private final URL url;
    private final String userAgent;
    private final String proxy;

    RequestTarget(Internals plugin, Object http, URL url) {
        this.url = url;
        this.userAgent = plugin.userAgent(http);
        this.proxy = plugin.usesProxy(http, url) ? Egress.of(plugin.proxyHost(http), plugin.proxyPort(http)) : Egress.DIRECT;
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
        return url.getPort() == url.getDefaultPort() ? -1 : url.getPort();
    }

    @Override
    public String path() {
        return url.getPath();
    }

    @Override
    public String proxy() {
        return proxy;
    }

    /** The plugin adds others, which may be cookies. */
    @Override
    public String header(String name) {
        return !name.equalsIgnoreCase("User-Agent") ? UNKNOWN : userAgent == null || userAgent.isEmpty() ? null : userAgent;
    }
}
