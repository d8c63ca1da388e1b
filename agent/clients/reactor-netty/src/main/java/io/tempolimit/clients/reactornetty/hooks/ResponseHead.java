package io.tempolimit.clients.reactornetty.hooks;

import io.netty.handler.codec.http.HttpResponse;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.Iterator;
import java.util.Map;

/** An answer's head. Where the client is asked to decode, {@code Content-Encoding} is gone. */
final class ResponseHead extends Head {
    private final HttpResponse response;

    ResponseHead(HttpResponse response) {
        this.response = response;
    }

    @Override
    public int status() {
        return response.status().code();
    }

    @Override
    public void headers(Headers to) {
        for (Iterator<Map.Entry<String, String>> i = response.headers().iteratorAsString(); i.hasNext(); ) {
            Map.Entry<String, String> line = i.next();
            to.add(line.getKey(), line.getValue());
        }
    }
}
