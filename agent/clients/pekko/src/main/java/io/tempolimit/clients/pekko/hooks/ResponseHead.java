package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.scaladsl.model.HttpResponse;

/** An answer's head. What says how its body is to be read is the entity's, and not among the headers. */
final class ResponseHead extends Head {
    private final HttpResponse response;

    ResponseHead(HttpResponse response) {
        this.response = response;
    }

    @Override
    public int status() {
        return response.status().intValue();
    }

    @Override
    public void headers(Headers to) {
        for (HttpHeader header : response.getHeaders()) {
            to.add(header.name(), header.value());
        }
        HttpEntity entity = response.entity();
        String type = entity.getContentType().toString();
        if (!type.equals("none/none")) {
            to.add("Content-Type", type);
        }
        if (entity.getContentLengthOption().isPresent()) {
            to.add("Content-Length", String.valueOf(entity.getContentLengthOption().getAsLong()));
        }
    }
}
