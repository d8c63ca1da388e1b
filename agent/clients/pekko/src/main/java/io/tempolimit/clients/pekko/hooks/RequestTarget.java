package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.core.request.Target;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.scaladsl.model.HttpRequest;

/** Where a request goes: its pool or connection names the site. */
final class RequestTarget extends Target {
    private final Endpoint endpoint;
    private final HttpRequest request;

    RequestTarget(Endpoint endpoint, HttpRequest request) {
        this.endpoint = endpoint;
        this.request = request;
    }

    @Override
    public String method() {
        return request.method().value();
    }

    /** What a connection adds to the headers is a user agent. */
    @Override
    public String header(String name) {
        Optional<? extends HttpHeader> header = request.getHeader(name);
        if (!header.isPresent() && name.equalsIgnoreCase("User-Agent")) {
            header = endpoint.settings.getUserAgentHeader();
        }
        return header.isPresent() ? header.get().value() : null;
    }

    @Override
    public String proxy() {
        return endpoint.proxy();
    }

    @Override
    public String scheme() {
        return endpoint.secure ? "https" : "http";
    }

    @Override
    public String host() {
        return endpoint.host;
    }

    @Override
    public int port() {
        return endpoint.port();
    }

    @Override
    public String path() {
        return request.uri().path().toString();
    }
}
