package io.tempolimit.clients.helidon.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.io.InputStream;

/** An answer's head. */
final class ResponseHead extends Head {
    private final Internals internals;
    private final int status;
    private final Iterable<?> headers;
    private final boolean decoded;

    /**
     * @param headers as the client has them
     * @param body    what the application reads from; null if there is none
     */
    ResponseHead(Internals internals, int status, Object headers, InputStream body) {
        this.internals = internals;
        this.status = status;
        this.headers = (Iterable<?>) headers;
        this.decoded = body != null && !body.getClass().getName().startsWith("io.helidon.webclient."); // a decoder is round the client's
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public void headers(Headers to) {
        for (Object header : headers) {
            for (String value : internals.values(header)) {
                to.add(internals.name(header), value);
            }
        }
    }

    @Override
    public boolean decoded() {
        return decoded;
    }
}
