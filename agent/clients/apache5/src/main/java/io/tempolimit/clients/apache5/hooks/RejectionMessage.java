package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.RejectionResponse;
import java.util.Map;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.impl.BasicEntityDetails;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.http.message.BasicHttpResponse;

/** A rejection in this client's types. */
final class RejectionMessage {
    private RejectionMessage() {
    }

    /** For an asynchronous call. */
    static HttpResponse head(RejectionResponse rejection) {
        return complete(new BasicHttpResponse(rejection.status(), rejection.reason()), rejection);
    }

    /** For a classic call, without its entity. */
    static BasicClassicHttpResponse classicHead(RejectionResponse rejection) {
        return complete(new BasicClassicHttpResponse(rejection.status(), rejection.reason()), rejection);
    }

    private static <T extends HttpResponse> T complete(T response, RejectionResponse rejection) {
        response.setVersion(HttpVersion.HTTP_1_1);
        for (Map.Entry<String, String> header : rejection.headers().entrySet()) {
            response.addHeader(header.getKey(), header.getValue());
        }
        return response;
    }

    static ContentType type(RejectionResponse rejection) {
        return ContentType.parse(rejection.headers().get("Content-Type"));
    }

    /** Null if there is no body. */
    static EntityDetails entity(RejectionResponse rejection) {
        return rejection.body().length == 0 ? null : new BasicEntityDetails(rejection.body().length, type(rejection));
    }
}
