package io.tempolimit.clients.armeria.hooks;

import com.linecorp.armeria.common.ResponseHeaders;
import io.netty.util.AsciiString;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.Map;

/** An answer's head; that of HTTP/1.1 is one of HTTP/2 by then. */
final class ResponseHead extends Head {
    private final ResponseHeaders headers;

    ResponseHead(ResponseHeaders headers) {
        this.headers = headers;
    }

    @Override
    public int status() {
        return headers.status().code();
    }

    @Override
    public void headers(Headers to) {
        for (Map.Entry<AsciiString, String> line : headers) {
            if (line.getKey().charAt(0) != ':') {
                to.add(line.getKey().toString(), line.getValue());
            }
        }
    }
}
