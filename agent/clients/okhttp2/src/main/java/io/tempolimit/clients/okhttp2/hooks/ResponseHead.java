package io.tempolimit.clients.okhttp2.hooks;

import com.squareup.okhttp.Response;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;

/** An answer's head, as the client has read it and its network interceptors have left it. */
final class ResponseHead extends Head {
    private final Response response;

    ResponseHead(Response response) {
        this.response = response;
    }

    @Override
    public int status() {
        return response.code();
    }

    @Override
    public void headers(Headers to) {
        com.squareup.okhttp.Headers headers = response.headers();
        for (int i = 0; i < headers.size(); i++) {
            to.add(headers.name(i), headers.value(i));
        }
    }
}
