package io.tempolimit.detect;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.brotli.dec.CutStream;

/**
 * Keeps the beginning of an encoded body, to decode it when the body's end (or enough of it) is there: brotli, whose decoder takes bytes
 * by itself and looks back further than could be kept for each open response; and an inner encoding, for which the outer one's memory is
 * free by then. Memory: what it kept. What decoding takes beside that, at most 700 KB, it takes for that moment alone.
 */
final class Collect extends Stage {
    private static final int BLOCK = 4096;

    private final Stage next;
    private final Contents contents;
    private final boolean brotli;
    private final int max;
    private List<byte[]> blocks = new ArrayList<>();
    private int length;

    /** Decodes brotli into {@code next}, or hands over what it collected as it is; keeps at most {@code max} bytes, a multiple of 4 KB. */
    Collect(Stage next, Contents contents, boolean brotli, int max) {
        this.next = next;
        this.contents = contents;
        this.brotli = brotli;
        this.max = max;
    }

    @Override
    boolean push(byte[] b, int from, int to) {
        for (int i = from; i < to; ) {
            if (length == max) {
                return false;
            }
            int at = length % BLOCK;
            if (at == 0) {
                blocks.add(new byte[BLOCK]);
            }
            int n = Math.min(to - i, BLOCK - at);
            System.arraycopy(b, i, blocks.get(blocks.size() - 1), at, n);
            length += n;
            i += n;
        }
        return true;
    }

    @Override
    void finish(boolean whole) {
        boolean all = whole;
        if (brotli && length > 0) {
            narrow(blocks.get(0));
            try {
                all = CutStream.decode(new Kept(whole), next::push);
            } catch (RuntimeException e) {
                all = false;
                if (whole) {
                    contents.unreadable();
                }
            }
        } else {
            for (int i = 0; i < length; i += BLOCK) {
                if (!next.push(blocks.get(i / BLOCK), 0, Math.min(BLOCK, length - i))) {
                    all = false;
                    break;
                }
            }
        }
        blocks = null;
        next.finish(all);
    }

    /**
     * Has the decoder keep 512 KB of what it wrote instead of up to 16 MB, as the stream's first byte asks for. Within the first 512 KB
     * that makes no difference, and the document wants no more.
     */
    private static void narrow(byte[] block) {
        int window = block[0] & 0x0f; // if odd, the window's size is 2 to the power of 17 and bits 1 to 3, unless these are 0
        if ((window & 1) == 1 && window >> 1 > 2) {
            block[0] = (byte) (block[0] & 0xf0 | 2 << 1 | 1);
        }
    }

    /** What was kept. At the end of what is not whole it fails: the decoder would go on with zeros for a while. */
    private final class Kept extends InputStream {
        private final boolean whole;
        private int position;

        Kept(boolean whole) {
            this.whole = whole;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] b, int from, int size) throws IOException {
            if (position == length) {
                if (whole) {
                    return -1;
                }
                throw new IOException("cut");
            }
            int n = Math.min(size, Math.min(length - position, BLOCK - position % BLOCK));
            System.arraycopy(blocks.get(position / BLOCK), position % BLOCK, b, from, n);
            position += n;
            return n;
        }
    }
}
