package io.tempolimit.clients.jdk.hooks;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * A rejection's body on its way to the application's subscriber, which asks for it when it likes. Nothing goes before
 * the subscriber has returned from {@code onSubscribe}.
 */
final class RejectionBody implements Flow.Subscription {
    private final HttpResponse.BodySubscriber<?> subscriber;
    private final byte[] content;
    // Guarded by this.
    private boolean begun;
    private boolean wanted;
    private boolean over;

    RejectionBody(HttpResponse.BodySubscriber<?> subscriber, byte[] content) {
        this.subscriber = subscriber;
        this.content = content;
    }

    void begin() {
        subscriber.onSubscribe(this);
        synchronized (this) {
            begun = true;
            wanted |= content.length == 0; // its end is told without being asked for
        }
        give();
    }

    @Override
    public void request(long n) {
        if (n <= 0) {
            if (ends()) {
                subscriber.onError(new IllegalArgumentException("non-positive request: " + n));
            }
            return;
        }
        synchronized (this) {
            wanted = true;
        }
        give();
    }

    @Override
    public void cancel() {
        ends();
    }

    private synchronized boolean ends() {
        boolean first = !over;
        over = true;
        return first;
    }

    private void give() {
        synchronized (this) {
            if (!begun || !wanted || over) {
                return;
            }
            over = true;
        }
        try {
            if (content.length > 0) {
                subscriber.onNext(List.of(ByteBuffer.wrap(content).asReadOnlyBuffer()));
            }
            subscriber.onComplete();
        } catch (Throwable t) { // as the client does with what a subscriber throws
            subscriber.onError(t);
        }
    }
}
