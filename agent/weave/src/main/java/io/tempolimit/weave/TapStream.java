package io.tempolimit.weave;

import io.tempolimit.core.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A response's body on its way from the connection, shown as it is read. Used by one thread at a time, as streams are. */
public final class TapStream extends InputStream {
    private final InputStream in;
    private final Body body;
    /** Whether to close it reads what is left. */
    private final boolean drains;
    private byte[] one;
    private boolean closed;

    /** @param drains whether closing it reads the rest, as the client does to get the connection free */
    public TapStream(InputStream in, Body body, boolean drains) {
        this.in = in;
        this.body = body;
        this.drains = drains;
    }

    @Override
    public int read() throws IOException {
        int b;
        try {
            b = in.read();
        } catch (IOException e) {
            failed(e);
            throw body.failure(e);
        } catch (RuntimeException e) {
            throw failed(e);
        }
        if (b < 0) {
            body.end();
        } else {
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
        } catch (IOException e) {
            failed(e);
            throw body.failure(e);
        } catch (RuntimeException e) {
            throw failed(e);
        }
        if (n < 0) {
            body.end();
        } else {
            body.add(bytes, from, n);
        }
        return n;
    }

    @Override
    public int available() throws IOException {
        return in.available();
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
            while (!body.over() && read(rest) >= 0) {
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

    /** The client has closed the response in another way than by this stream. */
    public void cut() {
        body.cut();
    }

    private void failed(IOException e) {
        body.cut();
        Stack.clean(e);
    }

    /** Of a client whose I/O errors are no {@link IOException}s; gives what the application shall see. */
    private RuntimeException failed(RuntimeException e) {
        body.cut();
        Stack.clean(e);
        IOException rejection = body.failure(null);
        return rejection == null ? e : new UncheckedIOException(rejection.getMessage(), rejection);
    }
}
