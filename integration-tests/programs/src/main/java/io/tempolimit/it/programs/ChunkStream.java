package io.tempolimit.it.programs;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.LinkedBlockingQueue;

/** A body that an event loop brings, and a thread reads while it comes. */
final class ChunkStream extends InputStream {
    private static final Object END = new Object();

    private final LinkedBlockingQueue<Object> chunks = new LinkedBlockingQueue<>();
    private byte[] chunk = new byte[0];
    private int at;

    void add(byte[] more) {
        chunks.add(more);
    }

    void end() {
        chunks.add(END);
    }

    void fail(Throwable failure) {
        chunks.add(failure);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (at == chunk.length) {
            Object next;
            try {
                next = chunks.take();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (next == END) {
                chunks.add(END);
                return -1;
            }
            if (next instanceof Throwable) {
                throw next instanceof IOException ? (IOException) next : new IOException((Throwable) next);
            }
            chunk = (byte[]) next;
            at = 0;
        }
        int n = Math.min(length, chunk.length - at);
        System.arraycopy(chunk, at, into, offset, n);
        at += n;
        return n;
    }
}
