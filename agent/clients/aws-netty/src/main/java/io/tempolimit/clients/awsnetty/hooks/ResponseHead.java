package io.tempolimit.clients.awsnetty.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.http.SdkHttpResponse;

/** An answer's head. */
final class ResponseHead extends Head {
    private final SdkHttpResponse response;

    ResponseHead(SdkHttpResponse response) {
        this.response = response;
    }

    @Override
    public int status() {
        return response.statusCode();
    }

    @Override
    public void headers(Headers to) {
        for (Map.Entry<String, List<String>> header : response.headers().entrySet()) {
            for (String value : header.getValue()) {
                to.add(header.getKey(), value);
            }
        }
    }
}
