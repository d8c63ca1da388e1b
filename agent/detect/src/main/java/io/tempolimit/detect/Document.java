package io.tempolimit.detect;

import java.nio.charset.Charset;

/**
 * A document's decoded bytes: what it is, which charset it has, and what is found in it. Memory: at first 1 KB, then
 * that of the windows.
 */
final class Document extends Contents {
    /** The first bytes, by which to tell charset and kind. */
    private static final int PREFIX = 1024;
    /** Brotli's window, less the 16 bytes that it always lacks. */
    private static final int MAX_LIMIT_BROTLI = (1 << 19) - 16;

    final long[] found;

    private final Patterns patterns;
    private final MediaType type;
    private int limit;
    private byte[] prefix;
    private int prefixLength;
    private boolean begun;
    private boolean wanted;
    private Markup markup;
    private Conversion conversion;
    private final Window anywhere;
    private int characters;
    private byte[] data;
    private long bytes;
    private boolean unreadable;
    private boolean over;
    private boolean whole;

    Document(Patterns patterns, MediaType type, int limit) {
        this.patterns = patterns;
        this.type = type;
        this.limit = limit;
        this.found = new long[(patterns.count + 63) / 64];
        this.anywhere = patterns.at(Place.ANY).isEmpty() ? null : new Window(patterns.at(Place.ANY), found);
        this.wanted = type.kind != MediaType.Kind.OTHER && limit > 0;
        this.prefix = wanted ? new byte[PREFIX] : null;
    }

    @Override
    void limitForBrotli() {
        limit = Math.min(limit, MAX_LIMIT_BROTLI);
    }

    @Override
    void unreadable() {
        unreadable = true;
    }

    @Override
    boolean wanted() {
        return wanted;
    }

    Markup markup() {
        return markup;
    }

    /** What a reader sees, or, if it is no HTML, all of it; null if that is more than a few hundred words. */
    byte[] whole() {
        return markup == null ? data : markup.text.whole();
    }

    int characters() {
        return characters;
    }

    long bytes() {
        return bytes;
    }

    Page page() {
        return new Page(this, whole && !over && !unreadable, unreadable);
    }

    @Override
    boolean push(byte[] b, int from, int to) {
        int end = to;
        if (to - from > limit - bytes) {
            end = from + (int) (limit - bytes);
            over = true;
        }
        bytes += end - from;
        int i = from;
        if (!begun) {
            int n = Math.min(end - i, PREFIX - prefixLength);
            System.arraycopy(b, i, prefix, prefixLength, n);
            prefixLength += n;
            i += n;
            if (prefixLength < PREFIX) {
                return !over;
            }
            begin();
        }
        if (wanted) {
            convert(b, i, end);
        }
        return wanted && !over;
    }

    @Override
    void finish(boolean whole) {
        this.whole = whole;
        if (!begun) {
            begin();
        }
        if (wanted) {
            if (conversion != null) {
                conversion.finish(this);
            }
            if (markup != null) {
                markup.finish();
            }
            if (anywhere != null) {
                data = markup == null ? anywhere.whole() : null;
                anywhere.find();
            }
        }
    }

    private void begin() {
        begun = true;
        int mark = Charsets.mark(prefix, prefixLength);
        MediaType.Kind kind = MediaType.sniff(type.kind, prefix, prefixLength);
        wanted = kind != MediaType.Kind.OTHER;
        if (!wanted) {
            bytes = prefixLength;
            return;
        }
        Charset charset = Charsets.of(type.charset, prefix, prefixLength, kind == MediaType.Kind.HTML);
        conversion = charset == null ? null : new Conversion(charset);
        if (kind == MediaType.Kind.HTML) {
            markup = new Markup(patterns, found, type.xml);
        }
        byte[] first = prefix;
        prefix = null;
        convert(first, mark, prefixLength);
    }

    private void convert(byte[] b, int from, int to) {
        if (conversion == null) {
            read(b, from, to);
        } else {
            conversion.push(b, from, to, this);
        }
    }

    /** Takes bytes in UTF-8. */
    void read(byte[] b, int from, int to) {
        if (anywhere != null) {
            anywhere.put(b, from, to);
        }
        if (markup != null) {
            markup.push(b, from, to);
        } else {
            count(b, from, to);
        }
    }

    private void count(byte[] b, int from, int to) {
        int n = 0;
        for (int i = from; i < to; i++) {
            // Neither white space nor control nor the later bytes of a character.
            n += b[i] > ' ' || b[i] < 0 && b[i] >= -64 ? 1 : 0;
        }
        characters += n;
    }
}
