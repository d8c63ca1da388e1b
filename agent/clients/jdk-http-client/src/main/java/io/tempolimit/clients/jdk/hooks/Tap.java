package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.core.Body;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Shows a body on its way to the application's subscriber, where the client has none of its own in between. */
final class Tap<T> implements HttpResponse.BodySubscriber<T> {
    private final HttpResponse.BodySubscriber<T> subscriber;
    private final Body body;

    Tap(HttpResponse.BodySubscriber<T> subscriber, Body body) {
        this.subscriber = subscriber;
        this.body = body;
    }

    @Override
    public CompletionStage<T> getBody() {
        return subscriber.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {
                subscription.request(n);
            }

            @Override
            public void cancel() {
                body.cut();
                subscription.cancel();
            }
        });
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            body.add(buffer);
        }
        subscriber.onNext(buffers);
    }

    @Override
    public void onError(Throwable failure) {
        body.cut();
        subscriber.onError(failure);
    }

    @Override
    public void onComplete() {
        body.end(); // before the application can know of it
        subscriber.onComplete();
    }
}
