package io.tempolimit.detect;

/**
 * A page's text as a reader sees it, and its title: bytes of UTF-8 come in, one that cannot be is taken for
 * windows-1252, and in the form of {@link Place#TEXT} patterns are looked for.
 */
final class Text {
    private static final int MAX_TITLE = 256;
    /** So many bytes are kept of what readers without scripts see. */
    private static final int MAX_ASIDE = 512;

    // What a byte is.
    private static final int SPACE = 1;
    private static final int WHITE = 2;   // any white space
    private static final int SPECIAL = 4; // what is not taken as it is: markup, characters of several bytes, white space other than spaces
    private static final byte[] KINDS = new byte[256];

    static {
        for (int c = 0; c < 256; c++) {
            KINDS[c] = (byte) (c == ' ' ? SPACE | WHITE : c >= 9 && c <= 13 ? WHITE | SPECIAL
                    : c < ' ' || c >= 0x7f || c == '<' || c == '&' ? SPECIAL : 0);
        }
    }

    private final Window window;
    /** What comes is nothing that a reader sees. */
    private boolean hidden;
    /** What comes is for browsers without scripts. */
    private boolean aside;
    private byte[] kept = {};
    private int keptLength;
    private boolean spaced = true; // the last character was a space, or there was none
    private int characters;
    private int pending;           // bytes of an unfinished UTF-8 sequence
    private int pendingBytes;      // these bytes
    private int missing;           // how many bytes it lacks
    private boolean titled;        // what comes is the title
    private StringBuilder title;
    private byte[] whole;

    Text(Window window) {
        this.window = window;
    }

    void hide(boolean hidden) {
        this.hidden = hidden;
    }

    /** Whether what comes, and is hidden, is seen by readers without scripts. */
    void aside(boolean aside) {
        this.aside = aside;
    }

    /** The beginning of what readers without scripts see, as it stands in the page, between blanks. */
    byte[] aside() {
        byte[] all = new byte[keptLength + 2];
        System.arraycopy(kept, 0, all, 1, keptLength);
        all[0] = ' ';
        all[keptLength + 1] = ' ';
        return all;
    }

    private void keep(byte[] b, int from, int to) {
        kept = kept.length == 0 ? new byte[MAX_ASIDE] : kept;
        int n = Math.min(to - from, MAX_ASIDE - keptLength - 1);
        if (n > 0) {
            System.arraycopy(b, from, kept, keptLength, n);
            keptLength += n;
            kept[keptLength++] = ' ';
        }
    }

    /** What comes, until {@link #endTitle}, is the title; false: there is one already. */
    boolean beginTitle() {
        if (title != null) {
            return false;
        }
        title = new StringBuilder();
        titled = true;
        return true;
    }

    void endTitle() {
        titled = false;
    }

    /** Null if there is none. */
    String title() {
        if (title == null) {
            return null;
        }
        int length = title.length();
        return title.substring(0, length > 0 && title.charAt(length - 1) == ' ' ? length - 1 : length);
    }

    /** How many characters a reader sees. */
    int visible() {
        return spaced && characters > 0 ? characters - 1 : characters;
    }

    /** Takes bytes up to the next {@code <} or {@code &}; the answer is where that is, or {@code to}. */
    int read(byte[] b, int from, int to) {
        int i = from;
        while (i < to) {
            if (hidden) {
                while (i < to && b[i] != '<') {
                    i++;
                }
                if (aside) {
                    keep(b, from, i);
                }
                return i;
            }
            if (missing > 0) {
                i = sequence(b, i, to);
                continue;
            }
            byte c = b[i];
            if (!titled) {
                int start = i;
                i = plain(b, i, to);
                if (i > start) {
                    continue;
                }
                if (c < 0) {
                    i = letters(b, i, to);
                    if (i > start) {
                        continue;
                    }
                }
            }
            if (c == '<' || c == '&') {
                return i;
            }
            if (c < 0) {
                i = sequence(b, i, to);
            } else {
                put(c);
                i++;
            }
        }
        return i;
    }

    /** Takes bytes none of which is special. */
    void readAll(byte[] b, int from, int to) {
        int i = from;
        while (i < to) {
            if (missing > 0 || b[i] < 0) {
                i = sequence(b, i, to);
            } else {
                put(b[i++]);
            }
        }
    }

    /** The document is over. */
    void finish() {
        if (missing > 0) {
            brokenSequence();
        }
        whole = window.whole();
        window.find();
    }

    /** All of it, once it is over, as {@link Window#whole} gives it. */
    byte[] whole() {
        return whole;
    }

    /** Takes a character. */
    void put(int codePoint) {
        int c = Characters.plain(codePoint);
        if (c == Characters.ELLIPSIS) {
            put('.');
            put('.');
            c = '.';
        }
        if (c == Characters.NOTHING || hidden) {
            return;
        }
        if (titled) {
            int length = title.length();
            if (length + Character.charCount(c) <= MAX_TITLE && (c != ' ' || length > 0 && title.charAt(length - 1) != ' ')) {
                title.appendCodePoint(c);
            }
        } else if (c != ' ') {
            spaced = false;
            characters++;
            window.putCharacter(c);
        } else {
            separate();
        }
    }

    /** A space, or what separates as one does. */
    void separate() {
        if (!spaced && !hidden) {
            spaced = true;
            characters++;
            window.put(' ');
        }
    }

    /** Takes ASCII characters as far as they go, spaces before them included. */
    private int plain(byte[] b, int from, int to) {
        int i = from;
        if ((KINDS[b[i] & 255] & WHITE) != 0) {
            separate();
            do {
                i++;
            } while (i < to && (KINDS[b[i] & 255] & WHITE) != 0);
        }
        int start = i;
        int before = spaced ? SPACE : 0;
        int kind;
        while (i < to && ((kind = KINDS[b[i] & 255]) & (before | SPECIAL)) == 0) { // two spaces are one
            before = kind & SPACE;
            i++;
        }
        if (i > start) {
            window.put(b, start, i);
            characters += i - start;
            spaced = before == SPACE;
        }
        return i;
    }

    /**
     * Takes the letters of other alphabets, in sequences of two or three bytes, as far as they go: as {@link #sequence}
     * does, but faster.
     */
    private int letters(byte[] b, int from, int to) {
        int i = from;
        while (to - i >= 3) {
            window.room(3);
            byte[] out = window.bytes;
            int n = window.length;
            int c = b[i] & 255;
            if (c >= 0xc3 && c < 0xe0 && (b[i + 1] & 0xc0) == 0x80) {
                char bytes = TwoBytes.PLAIN[(c & 0x1f) << 6 | b[i + 1] & 0x3f];
                if (bytes == 0) {
                    break;
                }
                out[n] = (byte) (bytes >> 8);
                out[n + 1] = (byte) bytes;
                window.length = n + 2;
                i += 2;
            } else if (c >= 0xe3 && c <= 0xec && (b[i + 1] & 0xc0) == 0x80 && (b[i + 2] & 0xc0) == 0x80
                    && (c != 0xe3 || b[i + 1] != (byte) 0x80)) { // those of the Far East: no capitals
                out[n] = (byte) c;
                out[n + 1] = b[i + 1];
                out[n + 2] = b[i + 2];
                window.length = n + 3;
                i += 3;
            } else {
                break;
            }
            characters++;
            spaced = false;
        }
        return i;
    }

    /**
     * Of the characters of two bytes from U+00C0, these bytes in lower case; 0 for what is not as simple. Loaded when
     * the first such page comes.
     */
    private static final class TwoBytes {
        static final char[] PLAIN = new char[0x800];

        static {
            for (int c = 0xc0; c < 0x800; c++) {
                int plain = Characters.plain(c);
                PLAIN[c] = (char) (plain >= 0xc0 && plain < 0x800 ? (0xc0 | plain >> 6) << 8 | 0x80 | plain & 0x3f : 0);
            }
        }
    }

    /** Takes one UTF-8 sequence of more than one byte, beginning in one, or where the last chunk broke off. */
    private int sequence(byte[] b, int from, int to) {
        int i = from;
        do {
            int c = b[i] & 255;
            if (missing > 0) {
                if (!continues(c)) {
                    brokenSequence();
                    return i;
                }
                pendingBytes = pendingBytes << 8 | c;
                pending++;
                if (--missing == 0) {
                    put(codePoint());
                }
            } else if (c >= 0xc2 && c <= 0xf4) {
                pendingBytes = c;
                pending = 1;
                missing = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
            } else {
                put(Characters.windows1252(c));
            }
            i++;
        } while (missing > 0 && i < to);
        return i;
    }

    private boolean continues(int c) {
        if ((c & 0xc0) != 0x80) {
            return false;
        }
        if (pending > 1) {
            return true;
        }
        switch (pendingBytes) { // no overlong form, no surrogate, nothing beyond Unicode
            case 0xe0:
                return c >= 0xa0;
            case 0xed:
                return c < 0xa0;
            case 0xf0:
                return c >= 0x90;
            case 0xf4:
                return c < 0x90;
            default:
                return true;
        }
    }

    private int codePoint() {
        int p = pendingBytes;
        switch (pending) {
            case 2:
                return (p >> 8 & 0x1f) << 6 | p & 0x3f;
            case 3:
                return (p >> 16 & 0xf) << 12 | (p >> 8 & 0x3f) << 6 | p & 0x3f;
            default:
                return (p >> 24 & 7) << 18 | (p >> 16 & 0x3f) << 12 | (p >> 8 & 0x3f) << 6 | p & 0x3f;
        }
    }

    private void brokenSequence() {
        missing = 0;
        for (int shift = (pending - 1) * 8; shift >= 0; shift -= 8) {
            put(Characters.windows1252(pendingBytes >> shift & 255));
        }
    }
}
