package org.brotli.dec;

import java.io.InputStream;

/**
 * Decodes brotli of which only the beginning may be there. In the library's own package, since its stream keeps what it has decoded to
 * itself until its window is full, and so gives nothing of a body that breaks off before.
 */
public final class CutStream {
    /** Gets what was decoded. */
    public interface Taker {
        /** Takes bytes that are the decoder's again afterwards; false: wants no more. */
        boolean push(byte[] b, int from, int to);
    }

    private CutStream() {
    }

    /**
     * Decodes until the stream's end (true), or until {@code taker} has enough (false).
     *
     * @throws RuntimeException if {@code in} has a fault or throws one; what was decoded before has been given to {@code taker}
     */
    public static boolean decode(InputStream in, Taker taker) {
        State state = new State();
        State.setInput(state, in);
        state.output = new byte[4096];
        state.outputLength = state.output.length;
        try {
            for (;;) {
                state.outputUsed = 0;
                Decode.decompress(state);
                if (state.outputUsed == 0) {
                    return true;
                }
                if (!taker.push(state.output, 0, state.outputUsed)) {
                    return false;
                }
            }
        } catch (RuntimeException e) {
            if (state.ringBuffer != null) {
                taker.push(state.ringBuffer, 0, Math.min(state.pos, state.ringBufferSize));
            }
            throw e;
        }
    }
}
