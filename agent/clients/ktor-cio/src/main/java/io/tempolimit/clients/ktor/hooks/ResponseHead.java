package io.tempolimit.clients.ktor.hooks;

import io.ktor.client.request.HttpResponseData;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.List;
import java.util.Map;

/** An answer's head. */
final class ResponseHead extends Head {
    private final HttpResponseData response;

    ResponseHead(HttpResponseData response) {
        this.response = response;
    }

    @Override
    public int status() {
        return response.getStatusCode().getValue();
    }

    @Override
    public void headers(Headers to) {
        for (Map.Entry<String, List<String>> header : response.getHeaders().entries()) {
            for (String value : header.getValue()) {
                to.add(header.getKey(), value);
            }
        }
    }
}
