package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;

/** An answer's head as the client has read it. */
final class ResponseHead extends Head {
    private final int status;
    private final HttpHeaders headers;

    ResponseHead(int status, HttpHeaders headers) {
        this.status = status;
        this.headers = headers;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public void headers(Headers to) {
        for (Map.Entry<String, List<String>> line : headers.map().entrySet()) {
            for (String value : line.getValue()) {
                to.add(line.getKey(), value);
            }
        }
    }
}
