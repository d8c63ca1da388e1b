package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.Iterator;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;

/** A response's head as it came: the client takes {@code Content-Encoding} out only further up, where it decodes. */
final class ResponseHead extends Head {
    private final HttpResponse response;

    ResponseHead(HttpResponse response) {
        this.response = response;
    }

    @Override
    public int status() {
        return response.getCode();
    }

    @Override
    public void headers(Headers to) {
        for (Iterator<Header> i = response.headerIterator(); i.hasNext(); ) {
            Header header = i.next();
            to.add(header.getName(), header.getValue());
        }
    }
}
