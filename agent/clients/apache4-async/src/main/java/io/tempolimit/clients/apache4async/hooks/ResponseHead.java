package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import org.apache.http.Header;
import org.apache.http.HeaderIterator;
import org.apache.http.HttpResponse;

/** A response's head as it came: the client takes {@code Content-Encoding} out only further up, where it decodes. */
final class ResponseHead extends Head {
    private final HttpResponse response;

    ResponseHead(HttpResponse response) {
        this.response = response;
    }

    @Override
    public int status() {
        return response.getStatusLine().getStatusCode();
    }

    @Override
    public void headers(Headers to) {
        for (HeaderIterator i = response.headerIterator(); i.hasNext(); ) {
            Header header = i.nextHeader();
            to.add(header.getName(), header.getValue());
        }
    }
}
