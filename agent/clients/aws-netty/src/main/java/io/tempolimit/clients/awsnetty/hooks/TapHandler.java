package io.tempolimit.clients.awsnetty.hooks;

import io.tempolimit.core.Body;
import java.nio.ByteBuffer;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

/** Sees what a request's handler is told, and passes it on. */
final class TapHandler implements SdkAsyncHttpResponseHandler {
    private final Hop hop;
    private final SdkAsyncHttpResponseHandler handler;

    TapHandler(Hop hop, SdkAsyncHttpResponseHandler handler) {
        this.hop = hop;
        this.handler = handler;
    }

    @Override
    public void onHeaders(SdkHttpResponse head) {
        try {
            hop.answered(head);
        } catch (RuntimeException | LinkageError e) {
            hop.permit.abandoned(); // the answer reaches the application all the same
        }
        handler.onHeaders(head);
    }

    @Override
    public void onStream(Publisher<ByteBuffer> stream) {
        Body body = hop.body();
        handler.onStream(body == null ? stream : reader -> stream.subscribe(new Tap(reader, body)));
    }

    @Override
    public void onError(Throwable failure) {
        handler.onError(failure);
    }

    /** Sees a body on its way to the application. If it does not end, it ends with its request. */
    private static final class Tap implements Subscriber<ByteBuffer> {
        private final Subscriber<? super ByteBuffer> reader;
        private final Body body;

        Tap(Subscriber<? super ByteBuffer> reader, Body body) {
            this.reader = reader;
            this.body = body;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            reader.onSubscribe(subscription);
        }

        @Override
        public void onNext(ByteBuffer bytes) {
            if (body.over()) {
                body.passed();
            } else {
                body.add(bytes.duplicate());
            }
            reader.onNext(bytes);
        }

        @Override
        public void onError(Throwable failure) {
            reader.onError(failure);
        }

        /** Judged before the application hears of it: its next request may follow at once. */
        @Override
        public void onComplete() {
            body.end();
            reader.onComplete();
        }
    }
}
