package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.core.Body;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.http.nio.ContentDecoder;

/**
 * What a response's body is read from, shown as it is read. Not one that writes to a file by itself, which consumers ask for with an
 * {@code instanceof}, for a chunked body is none either.
 */
final class TapDecoder implements ContentDecoder {
    private final ContentDecoder decoder;
    private final Body body;

    TapDecoder(ContentDecoder decoder, Body body) {
        this.decoder = decoder;
        this.body = body;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        int from = to.position();
        int n = decoder.read(to);
        if (n > 0 && !body.over()) {
            ByteBuffer read = to.duplicate();
            read.position(from);
            read.limit(to.position());
            body.add(read);
        }
        if (decoder.isCompleted()) {
            body.end();
        }
        return n;
    }

    @Override
    public boolean isCompleted() {
        return decoder.isCompleted();
    }
}
