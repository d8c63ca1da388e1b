package io.tempolimit.detect;

/** A tag, from {@code <} to {@code >}: its name, what of its attributes matters, and patterns in it, in the form of {@link Place#TAG}. */
final class Tag {
    /** What is read at once has at most this many bytes. */
    private static final int WHOLE = 250;

    // What is being read.
    private static final int NAME = 0;
    private static final int BEFORE_ATTRIBUTE = 1;
    private static final int ATTRIBUTE = 2;
    private static final int AFTER_ATTRIBUTE = 3; // before = or the next one
    private static final int BEFORE_VALUE = 4;
    private static final int VALUE = 5;
    private static final int DONE = 6;

    /** What goes on in a name. */
    private static final boolean[] IN_NAME = new boolean[256];
    /** What goes on in a value whatever quotes it has: no space, quote, {@code >} or {@code &}. */
    private static final boolean[] IN_VALUE = new boolean[256];

    static {
        for (int c = 0; c < 256; c++) {
            IN_NAME[c] = c != '>' && c != '/' && c != '=' && !Characters.isSpace(c);
            IN_VALUE[c] = c > ' ' && c != '"' && c != '\'' && c != '&' && c != '>';
        }
    }

    private final Window window;
    private int state;
    private long attribute; // its name, packed
    private long value;     // its value, packed
    private int quote;
    private boolean reference;

    /** Its name, packed by {@link Names}. */
    long name;
    /** Whether it is an end tag. */
    boolean end;
    /** Whether its last character was a slash. */
    boolean slash;
    /** Whether it has an href. */
    boolean href;
    /** Whether it has type=hidden. */
    boolean hidden;
    /** Whether any tag so far had an attribute whose name begins with {@code data-}. */
    boolean data;

    Tag(Window window) {
        this.window = window;
    }

    /** Begins one, whose name is to be read. */
    void begin(boolean end) {
        this.end = end;
        name = 0;
        slash = false;
        href = false;
        hidden = false;
        window.put(0); // what is found does not begin in another tag
        window.put('<');
        if (end) {
            window.put('/');
        }
        state = NAME;
    }

    /** Begins an end tag whose name, after a slash, has been read already. */
    void begin(long name, byte[] slashName) {
        begin(true);
        window.put(slashName, 1, slashName.length);
        this.name = name;
        state = BEFORE_ATTRIBUTE;
    }

    /** Whether its &gt; was read. */
    boolean isDone() {
        return state == DONE;
    }

    /** Whether an {@code &} was read, so that a reference may follow. */
    boolean isAtReference() {
        return reference;
    }

    /** Takes a character of a value, from a reference. */
    void put(int c) {
        reference = false;
        value = Names.pack(value, c);
        window.putCharacter(Math.max(c, ' '));
    }

    /**
     * The same as {@link #begin} and {@link #read} for a tag that is there as a whole, is short and has no references, as most are: &lt; has been
     * read. What follows it is the answer; -1, with nothing done, if it is no such tag.
     */
    int readWhole(byte[] b, int from, int to) {
        int end = Math.min(to, from + WHOLE);
        boolean closing = from < end && b[from] == '/';
        int i = closing ? from + 1 : from;
        if (i >= end || !Characters.isLetter(b[i])) {
            return -1;
        }
        window.room(WHOLE * 3 + 8);
        byte[] out = window.bytes;
        int n = window.length;
        out[n++] = 0;
        out[n++] = '<';
        if (closing) {
            out[n++] = '/';
        }
        byte c = b[i];
        long name = 0;
        do {
            name = Names.pack(name, c);
            out[n++] = c;
            if (++i == end) {
                return -1;
            }
            c = b[i];
        } while (IN_NAME[c & 255]);
        if (c == '=') {
            return -1;
        }
        boolean href = false;
        boolean hidden = false;
        boolean slash = false;
        while (c != '>') {
            if (c == '/' || Characters.isSpace(c)) {
                slash = c == '/';
                if (++i == end) {
                    return -1;
                }
                c = b[i];
                continue;
            }
            if (c == '=') {
                return -1;
            }
            slash = false;
            out[n++] = ' ';
            data |= (c | 32) == 'd' && i + 5 < end && b[i + 4] == '-' && (b[i + 1] | 32) == 'a' && (b[i + 2] | 32) == 't' && (b[i + 3] | 32) == 'a';
            long attribute = 0;
            do {
                attribute = Names.pack(attribute, c);
                out[n++] = c;
                if (++i == end) {
                    return -1;
                }
                c = b[i];
            } while (IN_NAME[c & 255]);
            href |= attribute == Names.HREF;
            while (Characters.isSpace(c)) {
                if (++i == end) {
                    return -1;
                }
                c = b[i];
            }
            if (c != '=') {
                continue;
            }
            do {
                if (++i == end) {
                    return -1;
                }
                c = b[i];
            } while (Characters.isSpace(c));
            out[n++] = '=';
            out[n++] = '"';
            int start = n;
            byte quote = c == '"' || c == '\'' ? c : 0;
            i -= quote == 0 ? 1 : 0;
            for (;;) {
                if (++i == end) {
                    return -1;
                }
                c = b[i];
                if (!IN_VALUE[c & 255]) {
                    if (quote == 0 ? c == '>' || Characters.isSpace(c) : c == quote) {
                        break;
                    }
                    if (c == '&') {
                        return -1;
                    }
                }
                out[n++] = c >= 0 && c < ' ' ? (byte) ' ' : c;
            }
            if (attribute == Names.TYPE) {
                long value = 0;
                for (int j = start; j < n; j++) {
                    value = Names.pack(value, out[j]);
                }
                hidden |= value == Names.HIDDEN;
            }
            out[n++] = '"';
            if (quote != 0) {
                if (++i == end) {
                    return -1;
                }
                c = b[i];
            }
        }
        out[n++] = '>';
        window.length = n;
        this.name = name;
        this.end = closing;
        this.href = href;
        this.hidden = hidden;
        this.slash = slash;
        state = DONE;
        return i + 1;
    }

    /** Reads on, until it is done, or an {@code &} was read. */
    int read(byte[] b, int from, int to) {
        reference = false;
        int i = from;
        // A byte makes two at the most, and ends a value with a third.
        int end = i + Math.min(to - i, (window.room(512) - 2) / 3);
        byte[] out = window.bytes;
        int n = window.length;
        int state = this.state;
        while (i < end) {
            byte c = b[i];
            switch (state) {
                case NAME: {
                    long packed = name;
                    while (c > '>' || c != '>' && c != '/' && !Characters.isSpace(c)) {
                        packed = Names.pack(packed, c);
                        out[n++] = c;
                        if (++i == end) {
                            break;
                        }
                        c = b[i];
                    }
                    name = packed;
                    if (i < end) {
                        state = BEFORE_ATTRIBUTE;
                    }
                    break;
                }
                case BEFORE_ATTRIBUTE:
                    if (c == '>') {
                        out[n++] = '>';
                        window.length = n;
                        this.state = DONE;
                        return i + 1;
                    }
                    if (c == '/' || Characters.isSpace(c)) {
                        slash = c == '/';
                        i++;
                        break;
                    }
                    slash = false;
                    attribute = 0;
                    out[n++] = ' ';
                    state = ATTRIBUTE;
                    if (c == '=') { // is its name's beginning
                        attribute = Names.pack(0, c);
                        out[n++] = c;
                        i++;
                    }
                    break;
                case ATTRIBUTE: {
                    long packed = attribute;
                    while (c > '>' || c != '>' && c != '=' && c != '/' && !Characters.isSpace(c)) {
                        packed = Names.pack(packed, c);
                        data |= packed == Names.DATA;
                        out[n++] = c;
                        if (++i == end) {
                            break;
                        }
                        c = b[i];
                    }
                    attribute = packed;
                    if (i < end) {
                        href |= packed == Names.HREF;
                        state = AFTER_ATTRIBUTE;
                    }
                    break;
                }
                case AFTER_ATTRIBUTE:
                    if (c == '=') {
                        state = BEFORE_VALUE;
                        i++;
                    } else if (Characters.isSpace(c)) {
                        i++;
                    } else {
                        state = BEFORE_ATTRIBUTE;
                    }
                    break;
                case BEFORE_VALUE:
                    if (Characters.isSpace(c)) {
                        i++;
                        break;
                    }
                    out[n++] = '=';
                    out[n++] = '"';
                    value = 0;
                    state = VALUE;
                    quote = 0;
                    if (c == '"' || c == '\'') {
                        quote = c;
                        i++;
                    } else if (c == '>') {
                        out[n++] = '"';
                        state = BEFORE_ATTRIBUTE;
                    }
                    break;
                default: { // VALUE
                    int start = n;
                    while (IN_VALUE[c & 255]) {
                        out[n++] = c;
                        if (++i == end) {
                            break;
                        }
                        c = b[i];
                    }
                    if (attribute == Names.TYPE) {
                        for (int j = start; j < n; j++) {
                            value = Names.pack(value, out[j]);
                        }
                    }
                    if (i == end) {
                        break;
                    }
                    if (quote == 0 ? c == '>' || Characters.isSpace(c) : c == quote) {
                        out[n++] = '"';
                        hidden |= attribute == Names.TYPE && value == Names.HIDDEN;
                        state = BEFORE_ATTRIBUTE;
                        i += quote == 0 ? 0 : 1;
                    } else if (c == '&') {
                        window.length = n;
                        this.state = VALUE;
                        reference = true;
                        return i + 1;
                    } else {
                        out[n++] = (byte) Math.max(c, ' ');
                        i++;
                    }
                }
            }
        }
        window.length = n;
        this.state = state;
        return i;
    }
}
