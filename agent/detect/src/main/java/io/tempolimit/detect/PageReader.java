package io.tempolimit.detect;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Reads a response's body as it flows by: undoes its encodings on the side, and says what is in it. Looks at no more
 * than a limit of decoded bytes, and keeps at most 64 KB whatever comes. It never throws. Not safe for use by several
 * threads at once.
 *
 * <p>Where an encoding is named but the bytes are text already (the client has decoded them), they are taken as they are.
 */
final class PageReader {
    /** So many bytes tell whether something is text: of compressed ones one in 10^13 would be. */
    private static final int TELLING = 32;
    /** For more on top of each other there would not be the memory, and nobody uses them. */
    private static final int MAX_ENCODINGS = 2;

    private final Contents contents;
    private final Deque<String> encodings; // the outermost first
    private final byte[] head;             // the first bytes, while it is not clear whether they are encoded
    private int headLength;
    private Stage first;
    private boolean open;
    private byte[] copies;

    /**
     * {@code contentType} and {@code contentEncoding} are the headers' values or null; {@code decoded}: the bytes come
     * decoded whatever the latter says.
     */
    PageReader(Patterns patterns, String contentType, String contentEncoding, boolean decoded, int limit) {
        this(new Document(patterns, MediaType.of(contentType), limit), contentEncoding, decoded);
    }

    /** The same for what is read in another way. */
    PageReader(Contents contents, String contentEncoding, boolean decoded) {
        this.contents = contents;
        encodings = decoded ? new ArrayDeque<>() : encodings(contentEncoding);
        open = contents.wanted();
        if (encodings.isEmpty()) {
            head = null;
            first = contents;
        } else {
            head = open ? new byte[TELLING] : null;
        }
    }

    /** Takes the next bytes. False: has seen enough. */
    boolean add(byte[] b, int from, int length) {
        if (open) {
            try {
                take(b, from, from + length);
            } catch (Throwable t) { // not even for want of memory may the application get to see what went wrong here
                fail();
            }
        }
        return open;
    }

    /** Takes the buffer's remaining bytes; its position stays. False: has seen enough. */
    boolean add(ByteBuffer b) {
        if (!open) {
            return false;
        }
        if (b.hasArray()) {
            return add(b.array(), b.arrayOffset() + b.position(), b.remaining());
        }
        try {
            if (copies == null) {
                copies = new byte[4096];
            }
            ByteBuffer rest = b.duplicate();
            while (open && rest.hasRemaining()) {
                int n = Math.min(rest.remaining(), copies.length);
                rest.get(copies, 0, n);
                take(copies, 0, n);
            }
        } catch (Throwable t) {
            fail();
        }
        return open;
    }

    /** The body is over, at its end ({@code complete}) or before it; null if it is no page. To be called once. */
    Page end(boolean complete) {
        if (open) {
            try {
                if (first == null) {
                    decide();
                    if (open) {
                        push(head, 0, headLength);
                    }
                }
                if (open) {
                    finish(complete);
                }
            } catch (Throwable t) {
                fail();
            }
        }
        return contents instanceof Document ? ((Document) contents).page() : null;
    }

    private void take(byte[] b, int from, int to) {
        int i = from;
        if (first == null) {
            int n = Math.min(to - i, TELLING - headLength);
            System.arraycopy(b, i, head, headLength, n);
            headLength += n;
            i += n;
            if (headLength < TELLING) {
                return;
            }
            decide();
            push(head, 0, headLength);
        }
        push(b, i, to);
    }

    private void push(byte[] b, int from, int to) {
        if (open && from < to && !first.push(b, from, to)) {
            finish(false);
        }
    }

    private void finish(boolean whole) {
        open = false;
        copies = null;
        first.finish(whole);
    }

    private void fail() {
        open = false;
        contents.unreadable();
    }

    /** Chooses the first stage by the first bytes. */
    private void decide() {
        String outermost = encodings.peekFirst();
        boolean plain = outermost.endsWith("gzip")
                ? headLength > 1 && ((head[0] & 255) != 0x1f || (head[1] & 255) != 0x8b) : text(head, headLength);
        if (plain || headLength == 0) {
            first = contents;
            return;
        }
        if (encodings.size() > MAX_ENCODINGS) {
            unknown();
            return;
        }
        Stage stage = contents;
        while (!encodings.isEmpty()) {
            String encoding = encodings.pollLast();
            boolean inner = !encodings.isEmpty();
            switch (encoding) {
                case "br":
                    contents.limitForBrotli();
                    stage = new Collect(stage, contents, true, inner ? 16 << 10 : 40 << 10);
                    break;
                case "gzip":
                case "x-gzip":
                case "deflate":
                    stage = new Inflate(stage, contents, !encoding.equals("deflate"));
                    if (inner) {
                        stage = new Collect(stage, contents, false, 16 << 10);
                    }
                    break;
                default:
                    unknown();
                    return;
            }
        }
        first = stage;
    }

    private void unknown() {
        contents.unreadable();
        open = false;
        first = contents;
    }

    /** The first encoding in this header that is not known here; null if all are. */
    static String unknown(String contentEncoding) {
        for (String encoding : encodings(contentEncoding)) {
            if (!encoding.equals("br") && !encoding.equals("deflate") && !encoding.equals("gzip") && !encoding.equals("x-gzip")) {
                return encoding;
            }
        }
        return null;
    }

    private static Deque<String> encodings(String header) {
        Deque<String> encodings = new ArrayDeque<>();
        if (header != null) {
            for (String encoding : header.toLowerCase(Locale.ROOT).split(",")) {
                String name = encoding.trim();
                if (!name.isEmpty() && !name.equals("identity")) {
                    encodings.addFirst(name);
                }
            }
        }
        return encodings;
    }

    /** Whether it is ASCII text after a byte order mark, if any; a single byte may be all that brotli needs for nothing. */
    private static boolean text(byte[] b, int length) {
        for (int i = Charsets.mark(b, length); i < length; i++) {
            if (b[i] < ' ' && b[i] != '\t' && b[i] != '\n' && b[i] != '\r' || b[i] == 0x7f) {
                return false;
            }
        }
        return length > 1;
    }
}
