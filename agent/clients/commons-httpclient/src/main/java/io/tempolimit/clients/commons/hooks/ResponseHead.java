package io.tempolimit.clients.commons.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import org.apache.commons.httpclient.Header;
import org.apache.commons.httpclient.HttpMethod;

/** A response's head as it came: this client decodes nothing. */
final class ResponseHead extends Head {
    private final HttpMethod method;

    ResponseHead(HttpMethod method) {
        this.method = method;
    }

    @Override
    public int status() {
        return method.getStatusCode();
    }

    @Override
    public void headers(Headers to) {
        for (Header header : method.getResponseHeaders()) {
            to.add(header.getName(), header.getValue());
        }
    }
}
