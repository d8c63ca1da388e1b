package io.tempolimit.detect;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** gzip (one member or several) and deflate (in zlib's wrapping or, as some servers send it, in none). Memory: 4 KB, and zlib's 40 KB. */
final class Inflate extends Stage {
    // What comes next.
    private static final int MAGIC = 0;       // 10 bytes
    private static final int EXTRA_LENGTH = 1;
    private static final int EXTRA = 2;
    private static final int NAME = 3;
    private static final int COMMENT = 4;
    private static final int HEADER_CHECK = 5;
    private static final int DATA = 6;
    private static final int TRAILER = 7;     // 8 bytes
    private static final int DONE = 8;

    private static final byte[] NONE = {};

    private final Stage to;
    private final Contents contents;
    private final boolean gzip;
    private final byte[] out = new byte[4096];
    private Inflater inflater;
    private int part;
    private int position;  // in the part
    private int flags;
    private int extra;
    private boolean later; // this is not the first member

    Inflate(Stage to, Contents contents, boolean gzip) {
        this.to = to;
        this.contents = contents;
        this.gzip = gzip;
        this.part = gzip ? MAGIC : DATA;
    }

    @Override
    boolean push(byte[] b, int from, int to) {
        int i = from;
        while (i < to) {
            if (part == DATA) {
                int left = data(b, i, to);
                if (left < 0) {
                    return false;
                }
                i = to - left;
            } else if (part == DONE || !header(b[i++] & 255)) {
                return false;
            }
        }
        return true;
    }

    @Override
    void finish(boolean whole) {
        if (inflater != null) {
            inflater.end();
        }
        // An encoding that breaks off makes a body that is not whole, and one that ends properly makes it whole whatever follows.
        to.finish(part == DONE || whole && part == MAGIC && position == 0 && later);
    }

    /** How many bytes it left; -1: no more are wanted. */
    private int data(byte[] b, int from, int to) {
        if (inflater == null) {
            // Of deflate the first two bytes tell; a first byte alone is judged as if it began zlib's wrapping.
            inflater = new Inflater(gzip || !zlib(b[from]));
        }
        inflater.setInput(b, from, to - from);
        try {
            for (;;) {
                int n = inflater.inflate(out);
                if (n > 0 && !this.to.push(out, 0, n)) {
                    return -1;
                }
                if (inflater.finished()) {
                    int left = inflater.getRemaining();
                    part = gzip ? TRAILER : DONE;
                    position = 0;
                    return left;
                }
                if (n == 0) {
                    if (inflater.needsInput()) {
                        return 0;
                    }
                    contents.unreadable(); // wants a dictionary
                    return -1;
                }
            }
        } catch (DataFormatException e) {
            contents.unreadable();
            return -1;
        } finally {
            inflater.setInput(NONE); // not to hold on to the caller's bytes
        }
    }

    /**
     * Compression method 8 with a window that exists; raw deflate has no stored block of that kind, and a fixed or
     * dynamic one hardly ever.
     */
    private static boolean zlib(byte first) {
        return (first & 0x0f) == 8 && (first & 0xf0) <= 0x70;
    }

    /** A byte of a member's header or trailer; false: this is no further member. */
    private boolean header(int c) {
        switch (part) {
            case MAGIC:
                if (position == 0 && c != 0x1f || position == 1 && c != 0x8b || position == 2 && c != 8) {
                    if (!later) {
                        contents.unreadable();
                    } else {
                        part = DONE; // what follows the last member is nobody's
                    }
                    return false;
                }
                if (position == 3) {
                    flags = c;
                }
                if (++position == 10) {
                    after(MAGIC);
                }
                return true;
            case EXTRA_LENGTH:
                extra |= c << 8 * position;
                if (++position == 2) {
                    position = 0;
                    part = EXTRA;
                    if (extra == 0) {
                        after(EXTRA);
                    }
                }
                return true;
            case EXTRA:
                if (++position == extra) {
                    after(EXTRA);
                }
                return true;
            case NAME:
            case COMMENT:
                if (c == 0) {
                    after(part);
                }
                return true;
            case HEADER_CHECK:
                if (++position == 2) {
                    after(HEADER_CHECK);
                }
                return true;
            default: // TRAILER
                if (++position == 8) {
                    part = MAGIC;
                    position = 0;
                    later = true;
                    inflater.reset();
                }
                return true;
        }
    }

    private void after(int done) {
        position = 0;
        extra = 0;
        part = done < EXTRA_LENGTH && (flags & 4) != 0 ? EXTRA_LENGTH
                : done < NAME && (flags & 8) != 0 ? NAME
                : done < COMMENT && (flags & 16) != 0 ? COMMENT
                : done < HEADER_CHECK && (flags & 2) != 0 ? HEADER_CHECK : DATA;
    }
}
