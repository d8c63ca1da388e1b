package io.tempolimit.detect;

/**
 * A tag, from {@code <} to {@code >}: its name, what of its attributes matters, and patterns in it, in the form of
 * {@link Place#TAG}.
 */
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
    private long packed;    // what wholeName has read
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
    /** Whether it has a type that takes nothing from a reader: hidden or submit. */
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

    // A tag that is there as a whole

    /**
     * The same as {@link #begin} and {@link #read} for a tag that is there as a whole, is short and has no references,
     * as most are: &lt; has been read. What follows it is the answer; -1, with nothing done, if it is no such tag.
     */
    int readWhole(byte[] b, int from, int to) {
        int end = Math.min(to, from + WHOLE);
        boolean closing = from < end && b[from] == '/';
        int i = closing ? from + 1 : from;
        if (i >= end || !Characters.isLetter(b[i])) {
            return -1;
        }
        window.room(WHOLE * 3 + 8);
        int before = window.length;
        byte[] out = window.bytes;
        out[window.length++] = 0;
        out[window.length++] = '<';
        if (closing) {
            out[window.length++] = '/';
        }
        i = wholeName(b, i, end);
        name = packed;
        i = i < 0 || b[i] == '=' ? -1 : wholeAttributes(b, i, end);
        if (i < 0) {
            window.length = before;
            return -1;
        }
        out[window.length++] = '>';
        this.end = closing;
        state = DONE;
        return i + 1;
    }

    /** Reads the attributes up to {@code >}, and gives where that is; -1 if one is not whole, or is not as most are. */
    private int wholeAttributes(byte[] b, int from, int end) {
        href = false;
        hidden = false;
        slash = false;
        int i = from;
        while (i >= 0 && b[i] != '>') {
            byte c = b[i];
            if (c == '=') {
                return -1;
            }
            if (c == '/' || Characters.isSpace(c)) {
                slash = c == '/';
                i = i + 1 < end ? i + 1 : -1;
            } else {
                slash = false;
                i = wholeAttribute(b, i, end);
            }
        }
        return i;
    }

    private int wholeAttribute(byte[] b, int from, int end) {
        window.bytes[window.length++] = ' ';
        data |= from + 5 < end && (b[from] | 32) == 'd' && b[from + 4] == '-' && (b[from + 1] | 32) == 'a'
                && (b[from + 2] | 32) == 't' && (b[from + 3] | 32) == 'a';
        int i = wholeName(b, from, end);
        long attribute = packed;
        href |= attribute == Names.HREF;
        i = i < 0 ? -1 : afterSpaces(b, i, end);
        if (i < 0 || b[i] != '=') {
            return i;
        }
        i = afterSpaces(b, i + 1, end);
        return i < 0 ? -1 : wholeValue(b, i, end, attribute == Names.TYPE);
    }

    /** Reads a name into {@link #packed}, and gives what comes after it; -1 if its end is not there. */
    private int wholeName(byte[] b, int from, int end) {
        byte[] out = window.bytes;
        int n = window.length;
        long name = 0;
        int i = from;
        do {
            name = Names.pack(name, b[i]);
            out[n++] = b[i];
            if (++i == end) {
                return -1;
            }
        } while (IN_NAME[b[i] & 255]);
        packed = name;
        window.length = n;
        return i;
    }

    private static int afterSpaces(byte[] b, int from, int end) {
        int i = from;
        while (i < end && Characters.isSpace(b[i])) {
            i++;
        }
        return i < end ? i : -1;
    }

    /** Reads a value, and gives what comes after it; -1 if its end is not there, or it has a reference. */
    private int wholeValue(byte[] b, int from, int end, boolean ofType) {
        byte[] out = window.bytes;
        int n = window.length;
        out[n++] = '=';
        out[n++] = '"';
        int start = n;
        byte quote = b[from] == '"' || b[from] == '\'' ? b[from] : 0;
        int i = quote == 0 ? from : from + 1;
        for (;; i++) {
            if (i == end) {
                return -1;
            }
            byte c = b[i];
            if (!IN_VALUE[c & 255]) {
                if (endsValue(c, quote)) {
                    break;
                }
                if (c == '&') {
                    return -1;
                }
            }
            out[n++] = c >= 0 && c < ' ' ? (byte) ' ' : c;
        }
        hidden |= ofType && takesNothing(pack(0, out, start, n));
        out[n++] = '"';
        window.length = n;
        i += quote == 0 ? 0 : 1;
        return i < end ? i : -1;
    }

    // A tag that comes in pieces

    /** Reads on, until it is done, or an {@code &} was read. */
    int read(byte[] b, int from, int to) {
        reference = false;
        int i = from;
        // A byte makes two at the most, and ends a value with a third.
        int end = i + Math.min(to - i, (window.room(512) - 2) / 3);
        while (i < end && state != DONE && !reference) {
            switch (state) {
                case NAME:
                    i = name(b, i, end);
                    break;
                case BEFORE_ATTRIBUTE:
                    i = beforeAttribute(b[i], i);
                    break;
                case ATTRIBUTE:
                    i = attribute(b, i, end);
                    break;
                case AFTER_ATTRIBUTE:
                    i = afterAttribute(b[i], i);
                    break;
                case BEFORE_VALUE:
                    i = beforeValue(b[i], i);
                    break;
                default:
                    i = value(b, i, end);
            }
        }
        return i;
    }

    private int name(byte[] b, int from, int end) {
        byte[] out = window.bytes;
        int n = window.length;
        long packed = name;
        int i = from;
        while (i < end && (IN_NAME[b[i] & 255] || b[i] == '=')) {
            packed = Names.pack(packed, b[i]);
            out[n++] = b[i++];
        }
        name = packed;
        window.length = n;
        if (i < end) {
            state = BEFORE_ATTRIBUTE;
        }
        return i;
    }

    private int beforeAttribute(byte c, int i) {
        if (c == '>') {
            window.bytes[window.length++] = '>';
            state = DONE;
            return i + 1;
        }
        if (c == '/' || Characters.isSpace(c)) {
            slash = c == '/';
            return i + 1;
        }
        slash = false;
        attribute = 0;
        window.bytes[window.length++] = ' ';
        state = ATTRIBUTE;
        if (c == '=') { // is its name's beginning
            attribute = Names.pack(0, c);
            window.bytes[window.length++] = c;
            return i + 1;
        }
        return i;
    }

    private int attribute(byte[] b, int from, int end) {
        byte[] out = window.bytes;
        int n = window.length;
        long packed = attribute;
        int i = from;
        while (i < end && IN_NAME[b[i] & 255]) {
            packed = Names.pack(packed, b[i]);
            data |= packed == Names.DATA;
            out[n++] = b[i++];
        }
        attribute = packed;
        window.length = n;
        if (i < end) {
            href |= packed == Names.HREF;
            state = AFTER_ATTRIBUTE;
        }
        return i;
    }

    private int afterAttribute(byte c, int i) {
        if (c == '=') {
            state = BEFORE_VALUE;
            return i + 1;
        }
        if (Characters.isSpace(c)) {
            return i + 1;
        }
        state = BEFORE_ATTRIBUTE;
        return i;
    }

    private int beforeValue(byte c, int i) {
        if (Characters.isSpace(c)) {
            return i + 1;
        }
        byte[] out = window.bytes;
        out[window.length++] = '=';
        out[window.length++] = '"';
        value = 0;
        state = VALUE;
        quote = 0;
        if (c == '"' || c == '\'') {
            quote = c;
            return i + 1;
        }
        if (c == '>') {
            out[window.length++] = '"';
            state = BEFORE_ATTRIBUTE;
        }
        return i;
    }

    private int value(byte[] b, int from, int end) {
        byte[] out = window.bytes;
        int start = window.length;
        int n = start;
        int i = from;
        while (i < end && IN_VALUE[b[i] & 255]) {
            out[n++] = b[i++];
        }
        if (attribute == Names.TYPE) {
            value = pack(value, out, start, n);
        }
        if (i < end) {
            byte c = b[i];
            if (endsValue(c, quote)) {
                out[n++] = '"';
                hidden |= attribute == Names.TYPE && takesNothing(value);
                state = BEFORE_ATTRIBUTE;
                i += quote == 0 ? 0 : 1;
            } else if (c == '&') {
                reference = true;
                i++;
            } else {
                out[n++] = (byte) Math.max(c, ' ');
                i++;
            }
        }
        window.length = n;
        return i;
    }

    private static boolean takesNothing(long type) {
        return type == Names.HIDDEN || type == Names.SUBMIT;
    }

    private static boolean endsValue(byte c, int quote) {
        return quote == 0 ? c == '>' || Characters.isSpace(c) : c == quote;
    }

    /** The number of a name with more characters. */
    private static long pack(long packed, byte[] b, int from, int to) {
        long more = packed;
        for (int i = from; i < to; i++) {
            more = Names.pack(more, b[i]);
        }
        return more;
    }
}
