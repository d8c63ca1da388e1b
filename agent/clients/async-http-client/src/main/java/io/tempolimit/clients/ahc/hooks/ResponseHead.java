package io.tempolimit.clients.ahc.hooks;

import io.netty.handler.codec.http.HttpHeaders;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.Map;

/** An answer's head. What the client has decoded, it names no longer, or, if so configured, does: then the bytes tell. */
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
        for (Map.Entry<String, String> line : headers) {
            to.add(line.getKey(), line.getValue());
        }
    }
}
