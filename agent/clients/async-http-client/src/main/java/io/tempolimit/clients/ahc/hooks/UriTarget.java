package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.core.Target;
import org.asynchttpclient.uri.Uri;

/** Where a hop goes. */
final class UriTarget extends Target {
    private final Uri uri;

    UriTarget(Uri uri) {
        this.uri = uri;
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
}
