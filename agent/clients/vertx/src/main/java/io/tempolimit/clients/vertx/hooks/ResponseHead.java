package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import io.vertx.core.http.HttpClientResponse;
import java.util.Map;

/** An answer's head as the client has read it. */
final class ResponseHead extends Head {
    private final HttpClientResponse response;

    ResponseHead(HttpClientResponse response) {
        this.response = response;
    }

    @Override
    public int status() {
        return response.statusCode();
    }

    @Override
    public void headers(Headers to) {
        for (Map.Entry<String, String> line : response.headers()) {
            to.add(line.getKey(), line.getValue());
        }
    }
}
