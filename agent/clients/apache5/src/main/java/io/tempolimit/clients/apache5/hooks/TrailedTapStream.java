package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.TapStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;

/** A {@link TapStream} of the type that the client asks for trailers. */
final class TrailedTapStream extends ChunkedInputStream {
    private final InputStream in;
    private final TapStream tap;

    TrailedTapStream(InputStream in, Body body, boolean drains) {
        super(new SessionInputBufferImpl(1), in);
        this.in = in;
        this.tap = new TapStream(in, body, drains);
    }

    @Override
    public int read() throws IOException {
        return tap.read();
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        return tap.read(bytes, from, length);
    }

    @Override
    public int available() throws IOException {
        return tap.available();
    }

    @Override
    public Header[] getFooters() {
        return in instanceof ChunkedInputStream ? ((ChunkedInputStream) in).getFooters() : new Header[0];
    }

    @Override
    public void close() throws IOException {
        tap.close();
    }
}
