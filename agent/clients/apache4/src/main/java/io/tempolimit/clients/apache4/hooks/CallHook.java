package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.RejectionResponse;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import org.apache.http.HttpVersion;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.message.BasicHttpResponse;
import org.apache.http.protocol.HTTP;

/** A call with all its hops, and all that the client does by itself. On its way out a rejection may become a response. */
public final class CallHook extends Hook {
    private static final Call CALL = new Call() {
        @Override
        public Object instead(Throwable failure) {
            RejectionResponse rejection = RejectionResponse.of(failure);
            return rejection == null ? null : new Response(rejection);
        }
    };

    public CallHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return CALL;
    }

    /** Keeps no connection, so that there is nothing to close. */
    private static final class Response extends BasicHttpResponse implements CloseableHttpResponse {
        Response(RejectionResponse rejection) {
            super(HttpVersion.HTTP_1_1, rejection.status(), rejection.reason());
            for (Map.Entry<String, String> header : rejection.headers().entrySet()) {
                addHeader(header.getKey(), header.getValue());
            }
            if (rejection.body().length > 0) {
                ByteArrayEntity entity = new ByteArrayEntity(rejection.body());
                entity.setContentType(getFirstHeader(HTTP.CONTENT_TYPE));
                setEntity(entity);
            }
        }

        @Override
        public void close() {
        }
    }
}
