package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Stack;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;

/** A response's body on its way from the connection, shown as it is read. It is of this type because that is what the client asks for trailers. */
final class TapStream extends ChunkedInputStream {
    private final InputStream in;
    private final Body body;
    /** Whether to close it reads what is left. */
    private final boolean drains;
    private byte[] one;
    private boolean closed;

    TapStream(InputStream in, Body body, boolean drains) {
        super(new SessionInputBufferImpl(1), in);
        this.in = in;
        this.body = body;
        this.drains = drains;
    }

    @Override
    public int read() throws IOException {
        int b;
        try {
            b = in.read();
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        }
        if (b < 0) {
            body.end();
        } else if (!body.over()) {
            if (one == null) {
                one = new byte[1];
            }
            one[0] = (byte) b;
            body.add(one, 0, 1);
        }
        return b;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int n;
        try {
            n = in.read(bytes, from, length);
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        }
        if (n < 0) {
            body.end();
        } else if (!body.over()) {
            body.add(bytes, from, n);
        }
        return n;
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public Header[] getFooters() {
        return in instanceof ChunkedInputStream ? ((ChunkedInputStream) in).getFooters() : new Header[0];
    }

    /** What it would read to get the connection free is read here, to be shown: a reader that decodes may leave no more than the end. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (drains && !body.over()) {
            byte[] rest = new byte[2048];
            while (!body.over() && read(rest, 0, rest.length) >= 0) {
                // shown
            }
        }
        try {
            in.close();
        } catch (IOException | RuntimeException e) {
            Stack.clean(e);
            throw e;
        } finally {
            body.cut();
        }
    }

    private void failed(Exception e) {
        body.cut();
        Stack.clean(e);
    }
}
