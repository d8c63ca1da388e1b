package io.tempolimit.clients.pekko.hooks;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.pekko.stream.stage.AsyncCallback;

/** Fails an answer's stream, also one that nobody reads yet. Does not refer to its body. */
final class Closer implements Consumer<IOException> {
    private IOException why;
    /** Null until somebody reads. */
    private AsyncCallback<Throwable> reading;

    @Override
    public synchronized void accept(IOException failure) {
        why = failure;
        if (reading != null) {
            reading.invoke(failure);
        }
    }

    /** @return why it is to fail at once; null if it is not */
    synchronized IOException runs(AsyncCallback<Throwable> callback) {
        reading = callback;
        return why;
    }
}
