package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.Body;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.nio.AsyncDataConsumer;
import org.apache.hc.core5.http.nio.CapacityChannel;

/** What a response's body goes to as it comes from the connection, shown on the way. */
final class TapConsumer implements AsyncDataConsumer {
    private final AsyncDataConsumer consumer;
    private final Body body;

    private TapConsumer(AsyncDataConsumer consumer, Body body) {
        this.consumer = consumer;
        this.body = body;
    }

    /** @param body null if nobody wants to see it */
    static AsyncDataConsumer of(AsyncDataConsumer consumer, Body body) {
        if (body == null) {
            return consumer;
        }
        if (consumer == null) {
            body.cut(); // the client drops what comes
            return null;
        }
        return new TapConsumer(consumer, body);
    }

    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
        consumer.updateCapacity(channel);
    }

    /** A consumer must take all that it is given. */
    @Override
    public void consume(ByteBuffer source) throws IOException {
        if (body.closed()) {
            throw body.failure(new ConnectionClosedException());
        }
        body.add(source);
        consumer.consume(source);
    }

    @Override
    public void streamEnd(List<? extends Header> trailers) throws HttpException, IOException {
        body.end();
        consumer.streamEnd(trailers);
    }

    @Override
    public void releaseResources() {
        body.cut();
        consumer.releaseResources();
    }
}
