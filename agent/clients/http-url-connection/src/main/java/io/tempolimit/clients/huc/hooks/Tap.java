package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.Body;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body's stream that shows what is read from it. Used by one thread at a time, but for {@link #close}. */
final class Tap extends FilterInputStream {
    private final Body body;
    /** How many bytes there are; negative if that is not known. */
    private final long length;
    /** Where the application reads, where it will go back to, and up to where all has been shown. */
    private long at;
    private long marked;
    private long shown;

    Tap(InputStream in, Body body, long length) {
        super(in);
        this.body = body;
        this.length = length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
        int n;
        try {
            n = super.read(bytes, from, count);
        } catch (IOException | RuntimeException e) {
            body.cut();
            throw e;
        }
        if (n < 0) {
            body.end();
        } else {
            show(bytes, from, n);
        }
        return n;
    }

    private void show(byte[] bytes, int from, int n) {
        at += n;
        if (body.over() || at <= shown) {
            return;
        }
        int fresh = (int) Math.min(n, at - shown);
        shown = at;
        body.add(bytes, from + n - fresh, fresh);
        if (shown == length) {
            body.end(); // many an application reads no further than it has to
        }
    }

    @Override
    public long skip(long count) throws IOException {
        long n = super.skip(count);
        if (n > 0) {
            at += n;
            body.cut(); // what comes behind a gap says little
        }
        return n;
    }

    @Override
    public void mark(int limit) { // as in FilterInputStream, and not synchronized: a virtual thread may read
        in.mark(limit);
        marked = at;
    }

    @Override
    public void reset() throws IOException {
        in.reset();
        at = marked;
    }

    @Override
    public void close() throws IOException {
        body.cut(); // nothing, if that was all of it
        super.close();
    }
}
