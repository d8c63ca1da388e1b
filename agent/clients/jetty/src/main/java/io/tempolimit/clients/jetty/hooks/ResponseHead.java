package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import org.eclipse.jetty.http.HttpField;

/** An answer's head as the client has read it, without the headers that the application's listeners have refused. */
final class ResponseHead extends Head {
    private final int status;
    private final Iterable<HttpField> headers;

    ResponseHead(int status, Iterable<HttpField> headers) {
        this.status = status;
        this.headers = headers;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public void headers(Headers to) {
        for (HttpField header : headers) {
            to.add(header.getName(), header.getValue());
        }
    }
}
