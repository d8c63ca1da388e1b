package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Stack;
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
    private byte[] one;

    Tap(InputStream in, Body body, long length) {
        super(in);
        this.body = body;
        this.length = length;
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
            failed(e);
            throw e;
        }
        if (b < 0) {
            body.end();
        } else {
            if (one == null) {
                one = new byte[1];
            }
            one[0] = (byte) b;
            show(one, 0, 1);
        }
        return b;
    }

    @Override
    public int read(byte[] bytes) throws IOException {
        int n;
        try {
            n = in.read(bytes);
        } catch (IOException e) {
            failed(e);
            throw body.failure(e);
        } catch (RuntimeException e) {
            failed(e);
            throw e;
        }
        return has(n, bytes, 0);
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
        int n;
        try {
            n = in.read(bytes, from, count);
        } catch (IOException e) {
            failed(e);
            throw body.failure(e);
        } catch (RuntimeException e) {
            failed(e);
            throw e;
        }
        return has(n, bytes, from);
    }

    private int has(int n, byte[] bytes, int from) {
        if (n < 0) {
            body.end();
        } else {
            show(bytes, from, n);
        }
        return n;
    }

    private void show(byte[] bytes, int from, int n) {
        at += n;
        if (at <= shown) {
            return;
        }
        int fresh = (int) Math.min(n, at - shown);
        shown = at;
        body.add(bytes, from + n - fresh, fresh);
        if (shown == length) {
            body.end(); // many an application reads no further than it has to
        }
    }

    private void failed(Exception failure) {
        body.cut();
        Stack.clean(failure);
    }

    @Override
    public long skip(long count) throws IOException {
        long n;
        try {
            n = in.skip(count);
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        }
        if (n > 0) {
            at += n;
            body.gap();
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
        try {
            in.reset();
        } catch (IOException | RuntimeException e) {
            Stack.clean(e);
            throw e;
        }
        at = marked;
    }

    @Override
    public void close() throws IOException {
        body.cut(); // nothing, if that was all of it
        try {
            in.close();
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        }
    }
}
