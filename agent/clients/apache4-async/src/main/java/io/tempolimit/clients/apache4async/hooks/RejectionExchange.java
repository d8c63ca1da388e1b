package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.weave.RejectionResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.http.HttpException;
import org.apache.http.HttpResponse;
import org.apache.http.HttpVersion;
import org.apache.http.concurrent.BasicFuture;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.message.BasicHttpResponse;
import org.apache.http.nio.ContentDecoder;
import org.apache.http.nio.IOControl;
import org.apache.http.nio.protocol.HttpAsyncResponseConsumer;
import org.apache.http.protocol.HTTP;
import org.apache.http.protocol.HttpContext;

/**
 * A rejection, given to a call's consumer as a response from a connection would be. There is no connection, so what
 * controls one does nothing.
 */
final class RejectionExchange implements ContentDecoder, IOControl {
    private final RejectionResponse rejection;
    private final ByteBuffer content;

    private RejectionExchange(RejectionResponse rejection) {
        this.rejection = rejection;
        this.content = ByteBuffer.wrap(rejection.body());
    }

    /**
     * Ends a call that is about to fail with a response, if it shall be one.
     *
     * @return whether it has ended so
     */
    static <T> boolean end(Throwable failure, BasicFuture<T> future, HttpAsyncResponseConsumer<T> consumer, HttpContext context) {
        RejectionResponse rejection = RejectionResponse.of(failure);
        if (rejection == null) {
            return false;
        }
        try {
            if (!new RejectionExchange(rejection).giveTo(consumer)) {
                return false;
            }
            consumer.responseCompleted(context);
            T result = consumer.getResult();
            Exception exception = consumer.getException();
            if (exception == null) {
                future.completed(result);
            } else {
                future.failed(exception);
            }
        } catch (Exception e) { // of the application's consumer
            consumer.failed(e);
            future.failed(e);
        }
        return true;
    }

    /** Gives it all; false if the consumer does not take it before it has been given another look, which nobody would give it. */
    private boolean giveTo(HttpAsyncResponseConsumer<?> consumer) throws IOException, HttpException {
        consumer.responseReceived(response());
        for (int before = -1; !isCompleted(); before = content.position()) {
            if (content.position() == before) {
                return false;
            }
            consumer.consumeContent(this, this);
        }
        return true;
    }

    private HttpResponse response() {
        HttpResponse response = new BasicHttpResponse(HttpVersion.HTTP_1_1, rejection.status(), rejection.reason());
        for (Map.Entry<String, String> header : rejection.headers().entrySet()) {
            response.addHeader(header.getKey(), header.getValue());
        }
        if (rejection.body().length > 0) {
            ByteArrayEntity entity = new ByteArrayEntity(rejection.body());
            entity.setContentType(response.getFirstHeader(HTTP.CONTENT_TYPE));
            response.setEntity(entity);
        }
        return response;
    }

    @Override
    public int read(ByteBuffer to) {
        if (!content.hasRemaining()) {
            return -1;
        }
        int n = Math.min(to.remaining(), content.remaining());
        for (int i = 0; i < n; i++) {
            to.put(content.get());
        }
        return n;
    }

    @Override
    public boolean isCompleted() {
        return !content.hasRemaining();
    }

    @Override
    public void requestInput() {
    }

    @Override
    public void suspendInput() {
    }

    @Override
    public void requestOutput() {
    }

    @Override
    public void suspendOutput() {
    }

    @Override
    public void shutdown() {
    }
}
