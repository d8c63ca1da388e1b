package io.tempolimit.detect;

/**
 * Reads an HTML page as a browser's tokenizer does, however broken it is and wherever its bytes are split, and looks for patterns in its
 * places. Bytes are UTF-8; one that cannot be is taken for windows-1252. Of the page it keeps no more than a title and some counts.
 */
final class Markup {
    static final int MAX_TITLE = 256;

    // What is being read.
    private static final int TEXT = 0;
    private static final int RAW = 1;              // script, style ...: to the end tag
    private static final int RCDATA = 2;           // title, textarea: to the end tag, with references
    private static final int PLAIN_TEXT = 3;       // for ever
    private static final int CDATA = 4;
    private static final int OPEN = 5;             // after <
    private static final int END_OPEN = 6;         // after </
    private static final int TAG_NAME = 7;
    private static final int BEFORE_ATTRIBUTE = 8;
    private static final int ATTRIBUTE = 9;
    private static final int AFTER_ATTRIBUTE = 10; // before = or the next one
    private static final int BEFORE_VALUE = 11;
    private static final int VALUE = 12;
    private static final int DECLARATION = 13;     // after <!
    private static final int DECLARATION_DASH = 14;
    private static final int CDATA_OPEN = 15;
    private static final int COMMENT = 16;
    private static final int BOGUS = 17;           // what browsers take for a comment: to the next >
    private static final int REFERENCE = 18;       // after &
    private static final int RAW_OPEN = 19;        // after < in RAW or RCDATA
    private static final int RAW_MATCH = 20;       // what may become an end tag there

    // What a byte is in text.
    private static final byte SPACE = 1;
    private static final byte SPECIAL = 2;         // <, & and bytes of more than one
    private static final byte NOTHING = 3;         // control characters
    private static final byte[] KINDS = new byte[256];

    static {
        for (int c = 0; c < 256; c++) {
            KINDS[c] = c >= 0x80 || c == '<' || c == '&' ? SPECIAL : c == ' ' || c >= 9 && c <= 13 ? SPACE : c < ' ' || c == 0x7f ? NOTHING : 0;
        }
    }

    private static final byte[] SCRIPT_OPEN = ascii("script");
    private static final byte[] COMMENT_OPEN = ascii("!--");
    private static final byte[] CDATA_WORD = ascii("[CDATA[");

    private final Automaton automaton;
    private final char[] columns;
    private final long[] found;
    private final int places;
    private final boolean xml;

    private int mode;
    private int back;                  // the mode after a reference or after what was no end tag
    /** The automaton's state in the text, and in the tag, script or comment that is being read. */
    private int textState;
    private int state;

    private boolean spaced = true;     // the text's last character was a space, or there was none
    private int characters;
    private int pending;               // bytes of an unfinished UTF-8 sequence
    private int pendingBytes;          // these bytes
    private int missing;               // how many bytes it lacks

    private final byte[] reference = new byte[References.MAX_LENGTH];
    private int referenceLength;

    private long name;                 // of the tag, packed
    private boolean end;               // it is an end tag
    private boolean slash;             // its last character was a /
    private long attribute;            // its name, packed
    private long value;                // its value, packed
    private boolean href;              // the tag has one
    private boolean hidden;            // type=hidden
    private int quote;

    private long rawName;
    private byte[] rawEnd;             // "/script"
    private byte[] token;              // what RAW_MATCH compares with
    private int matched;
    private int escape;                // in a script: 1 after <!--, 2 after <script therein
    private int dashes;                // seen in a row: in comments and escaped scripts; -1: --! in a comment

    private boolean noscript;
    private int templates;
    private int drawings;              // open svg and math elements
    private boolean drawingTitle;
    private boolean titled;            // characters go to the title
    private StringBuilder title;

    int scripts;
    int links;
    int inputs;
    int embedded;

    Markup(Patterns patterns, long[] found, boolean xml) {
        this.automaton = patterns.placed;
        this.columns = automaton.columns;
        this.places = patterns.places;
        this.found = found;
        this.xml = xml;
    }

    String title() {
        if (title == null) {
            return null;
        }
        int length = title.length();
        return title.substring(0, length > 0 && title.charAt(length - 1) == ' ' ? length - 1 : length);
    }

    int visible() {
        return spaced && characters > 0 ? characters - 1 : characters;
    }

    /** Reads on. */
    void push(byte[] b, int from, int to) {
        int i = from;
        while (i < to) {
            switch (mode) {
                case TEXT:
                    i = text(b, i, to);
                    break;
                case RAW:
                    i = escape == 0 ? raw(b, i, to) : escapedScript(b, i, to);
                    break;
                case RCDATA:
                    i = rcdata(b, i, to);
                    break;
                case VALUE:
                    i = value(b, i, to);
                    break;
                case COMMENT:
                    i = comment(b, i, to);
                    break;
                case BOGUS:
                    i = bogus(b, i, to);
                    break;
                case TAG_NAME:
                    i = tagName(b, i, to);
                    break;
                case ATTRIBUTE:
                    i = attribute(b, i, to);
                    break;
                default:
                    if (take(b[i])) {
                        i++;
                    }
            }
        }
    }

    /** The page ends here. */
    void finish() {
        if (mode == REFERENCE) {
            endReference(0);
        }
        if (mode == OPEN) {
            emit('<');
        } else if ((mode == RAW_OPEN || mode == RAW_MATCH) && back == RCDATA) {
            unmatched();
        }
        if (missing > 0) {
            brokenSequence();
        }
    }

    // Text

    private int text(byte[] b, int from, int to) {
        int i = from;
        if (noscript || templates > 0 || drawingTitle) {
            while (i < to && b[i] != '<') {
                i++;
            }
            if (i < to) {
                mode = OPEN;
                i++;
            }
            return i;
        }
        if (missing > 0) {
            i = sequences(b, i, to);
        }
        Automaton automaton = this.automaton;
        char[] columns = this.columns;
        int[] next = automaton.next;
        int deep = automaton.deep;
        int s = textState;
        boolean spaced = this.spaced;
        int n = characters;
        while (i < to) {
            int c = b[i] & 255;
            int kind = KINDS[c];
            if (kind == SPECIAL) {
                this.textState = s;
                this.spaced = spaced;
                this.characters = n;
                if (c == '<') {
                    mode = OPEN;
                    return i + 1;
                }
                if (c == '&') {
                    beginReference();
                    return i + 1;
                }
                i = sequences(b, i, to);
                s = this.textState;
                spaced = this.spaced;
                n = this.characters;
                continue;
            }
            i++;
            if (kind == SPACE) {
                if (spaced) {
                    continue;
                }
                spaced = true;
                c = ' ';
            } else if (kind == NOTHING) {
                continue;
            } else {
                spaced = false;
            }
            n++;
            s = s < deep ? next[s + columns[c]] : automaton.deepStep(s, columns[c]);
            if (s >= deep) {
                automaton.accept(s, Place.TEXT.bit, found);
            }
        }
        this.textState = s;
        this.spaced = spaced;
        this.characters = n;
        return i;
    }

    private int rcdata(byte[] b, int from, int to) {
        int i = from;
        while (i < to) {
            byte c = b[i];
            if (missing > 0 || c < 0) {
                i = sequences(b, i, to);
                continue;
            }
            i++;
            if (c == '<') {
                back = RCDATA;
                mode = RAW_OPEN;
                return i;
            }
            if (c == '&') {
                beginReference();
                return i;
            }
            emit(c);
        }
        return i;
    }

    /** Reads UTF-8 sequences of more than one byte, beginning in one, or where the last chunk broke off. */
    private int sequences(byte[] b, int from, int to) {
        int i = from;
        while (i < to) {
            int c = b[i] & 255;
            if (missing > 0) {
                if (!continues(c)) {
                    brokenSequence();
                    continue;
                }
                pendingBytes = pendingBytes << 8 | c;
                pending++;
                i++;
                if (--missing == 0) {
                    emit(codePoint());
                }
            } else if (c < 0x80) {
                return i;
            } else {
                i++;
                if (c >= 0xc2 && c <= 0xf4) {
                    pendingBytes = c;
                    pending = 1;
                    missing = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
                } else {
                    emit(Characters.windows1252(c));
                }
            }
        }
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
            emit(Characters.windows1252(pendingBytes >> shift & 255));
        }
    }

    /** A character of the text or the title. */
    private void emit(int codePoint) {
        int c = Characters.plain(codePoint);
        if (c == Characters.ELLIPSIS) {
            emit('.');
            emit('.');
            c = '.';
        }
        if (c == Characters.NOTHING) {
            return;
        }
        if (titled) {
            int length = title.length();
            if (length + Character.charCount(c) <= MAX_TITLE && (c != ' ' || length > 0 && title.charAt(length - 1) != ' ')) {
                title.appendCodePoint(c);
            }
            return;
        }
        if (noscript || templates > 0 || drawingTitle) {
            return;
        }
        if (c == ' ') {
            if (spaced) {
                return;
            }
            spaced = true;
        } else {
            spaced = false;
        }
        characters++;
        if (c < 0x80) {
            textState = step(textState, c, Place.TEXT.bit);
        } else {
            textState = steps(textState, c, Place.TEXT.bit);
        }
    }

    private int step(int s, int b, int place) {
        int to = automaton.step(s, columns[b]);
        if (to >= automaton.deep) {
            automaton.accept(to, place, found);
        }
        return to;
    }

    /** {@link #step} over the bytes of a character that has more than one. */
    private int steps(int from, int c, int place) {
        int s = from;
        if (c < 0x800) {
            s = step(s, 0xc0 | c >> 6, place);
        } else {
            if (c < 0x10000) {
                s = step(s, 0xe0 | c >> 12, place);
            } else {
                s = step(s, 0xf0 | c >> 18, place);
                s = step(s, 0x80 | c >> 12 & 0x3f, place);
            }
            s = step(s, 0x80 | c >> 6 & 0x3f, place);
        }
        return step(s, 0x80 | c & 0x3f, place);
    }

    /** A tag that stands between two lines or words. */
    private void separate() {
        if (!spaced && !noscript && templates == 0) {
            spaced = true;
            characters++;
            textState = step(textState, ' ', Place.TEXT.bit);
        }
    }

    // References

    private void beginReference() {
        back = mode;
        mode = REFERENCE;
        referenceLength = 0;
    }

    /** The reference is over; {@code by} is the byte that ended it, 0 the page's end. */
    private void endReference(int by) {
        mode = back;
        int c = by == ';' ? References.decode(reference, referenceLength, false)
                : mode == VALUE && by == '=' && reference[0] != '#' ? -1 : References.decode(reference, referenceLength, true);
        if (c >= 0) {
            character(c);
            return;
        }
        character('&');
        for (int i = 0; i < referenceLength; i++) {
            character(reference[i]);
        }
        if (by == ';') {
            character(';');
        }
    }

    /** One of a reference, where that stood. */
    private void character(int c) {
        if (mode != VALUE) {
            emit(c);
        } else if (c < 0x80) {
            valueByte(c);
        } else {
            state = steps(state, c, Place.TAG.bit);
            value = -1;
        }
    }

    // Tags

    private void tag(int c) {
        state = step(state, c, Place.TAG.bit);
    }

    private void beginTag(boolean end) {
        this.end = end;
        name = 0;
        slash = false;
        href = false;
        hidden = false;
        state = step(Automaton.START, '<', Place.TAG.bit);
        if (end) {
            tag('/');
        }
        mode = TAG_NAME;
    }

    private int tagName(byte[] b, int from, int to) {
        long name = this.name;
        int i = from;
        for (; i < to; i++) {
            int c = b[i] & 255;
            if (c <= '>' && (c == '>' || c == '/' || space(c))) {
                mode = BEFORE_ATTRIBUTE;
                break;
            }
            name = pack(name, c);
            tag(c);
        }
        this.name = name;
        return i;
    }

    private int attribute(byte[] b, int from, int to) {
        long name = attribute;
        int i = from;
        for (; i < to; i++) {
            int c = b[i] & 255;
            if (c <= '>' && (c == '=' && name != 0 || c == '>' || c == '/' || space(c))) {
                attributeNamed(name);
                if (c == '=') {
                    mode = BEFORE_VALUE;
                    i++;
                } else {
                    mode = space(c) ? AFTER_ATTRIBUTE : BEFORE_ATTRIBUTE;
                }
                break;
            }
            name = pack(name, c);
            tag(c);
        }
        attribute = name;
        return i;
    }

    private void attributeNamed(long attribute) {
        href |= attribute == Names.HREF;
    }

    private void beginValue(int quote) {
        this.quote = quote;
        tag('=');
        tag('"');
        value = 0;
        mode = VALUE;
    }

    private int value(byte[] b, int from, int to) {
        Automaton automaton = this.automaton;
        char[] columns = this.columns;
        int[] next = automaton.next;
        int deep = automaton.deep;
        int s = state;
        int quote = this.quote;
        boolean packs = attribute == Names.TYPE;
        int i = from;
        while (i < to) {
            int c = b[i] & 255;
            if (c <= '>') { // all that is special is below
                if (c == quote) {
                    state = s;
                    endValue();
                    return i + 1;
                }
                if (quote == 0 && (c == '>' || space(c))) {
                    state = s;
                    endValue();
                    return i;
                }
                if (c == '&') {
                    state = s;
                    beginReference();
                    return i + 1;
                }
                if (c < ' ') {
                    c = ' ';
                }
            }
            i++;
            if (packs) {
                value = pack(value, c);
            }
            s = s < deep ? next[s + columns[c]] : automaton.deepStep(s, columns[c]);
            if (s >= deep) {
                automaton.accept(s, Place.TAG.bit, found);
            }
        }
        state = s;
        return i;
    }

    private void valueByte(int c) {
        value = pack(value, c);
        tag(c < ' ' ? ' ' : c);
    }

    private void endValue() {
        tag('"');
        hidden |= attribute == Names.TYPE && value == Names.HIDDEN;
        mode = BEFORE_ATTRIBUTE;
    }

    private void endTag() {
        tag('>');
        mode = TEXT;
        if (!Names.inline(name)) {
            separate();
        }
        if (end) {
            ended();
        } else {
            started();
        }
    }

    private void ended() {
        if (name == Names.NOSCRIPT) {
            noscript = false;
        } else if (name == Names.TEMPLATE) {
            templates = Math.max(0, templates - 1);
        } else if (name == Names.SVG || name == Names.MATH) {
            drawings = Math.max(0, drawings - 1);
            drawingTitle = false;
        } else if (name == Names.TITLE) {
            drawingTitle = false;
        }
    }

    private void started() {
        boolean closed = slash && (xml || drawings > 0 || name == Names.SVG || name == Names.MATH);
        if (name == Names.A) {
            links += href ? 1 : 0;
        } else if (name == Names.INPUT) {
            inputs += hidden ? 0 : 1;
        } else if (name == Names.SELECT) {
            inputs++;
        } else if (name == Names.SCRIPT) {
            scripts++;
            begin(RAW, closed, "/script");
        } else if (name == Names.STYLE) {
            begin(RAW, closed, "/style");
        } else if (name == Names.TITLE) {
            if (drawings > 0) {
                drawingTitle = !closed;
            } else {
                titled = title == null && !noscript && templates == 0;
                if (titled) {
                    title = new StringBuilder();
                }
                // A second title is nothing that a reader sees.
                begin(titled ? RCDATA : RAW, closed, "/title");
            }
        } else if (name == Names.TEXTAREA) {
            inputs++;
            begin(RCDATA, closed, "/textarea");
        } else if (name == Names.NOSCRIPT) {
            noscript = !closed;
        } else if (name == Names.TEMPLATE) {
            templates += closed ? 0 : 1;
        } else if (name == Names.SVG || name == Names.MATH) {
            embedded++;
            drawings += closed ? 0 : 1;
        } else if (name == Names.IFRAME) {
            embedded++;
            begin(RAW, closed, "/iframe");
        } else if (name == Names.XMP) {
            begin(RCDATA, closed, "/xmp");
        } else if (name == Names.NOEMBED) {
            begin(RAW, closed, "/noembed");
        } else if (name == Names.NOFRAMES) {
            begin(RAW, closed, "/noframes");
        } else if (name == Names.PLAINTEXT) {
            mode = PLAIN_TEXT;
        } else if (Names.shows(name)) {
            embedded++;
        }
    }

    private void begin(int mode, boolean closed, String end) {
        if (closed) {
            titled = false;
            return;
        }
        this.mode = mode;
        rawName = name;
        rawEnd = ascii(end);
        escape = 0;
        state = Automaton.START;
    }

    // Scripts, styles, titles: up to their end tag

    private int raw(byte[] b, int from, int to) {
        int i = from;
        if (rawName != Names.SCRIPT || (places & Place.SCRIPT.bit) == 0) {
            while (i < to && b[i] != '<') {
                i++;
            }
        } else {
            Automaton automaton = this.automaton;
            char[] columns = this.columns;
            int[] next = automaton.next;
            int deep = automaton.deep;
            int s = state;
            while (i < to) {
                int c = b[i] & 255;
                if (c == '<') {
                    break;
                }
                i++;
                s = s < deep ? next[s + columns[c]] : automaton.deepStep(s, columns[c]);
                if (s >= deep) {
                    automaton.accept(s, Place.SCRIPT.bit, found);
                }
            }
            state = s;
        }
        if (i < to) {
            rawByte('<');
            back = RAW;
            mode = RAW_OPEN;
            i++;
        }
        return i;
    }

    /** In a script after {@code <!--}: there {@code <script>} ... {@code </script>} is part of the script. */
    private int escapedScript(byte[] b, int from, int to) {
        int i = from;
        while (i < to) {
            int c = b[i++];
            rawByte(c);
            if (c == '<') {
                dashes = 0;
                back = RAW;
                mode = RAW_OPEN;
                return i;
            }
            if (c == '-') {
                dashes = Math.min(dashes + 1, 2);
            } else {
                if (c == '>' && dashes == 2) {
                    escape = 0;
                    return i;
                }
                dashes = 0;
            }
        }
        return i;
    }

    private void rawByte(int c) {
        if (rawName == Names.SCRIPT) {
            state = step(state, c & 255, Place.SCRIPT.bit);
        }
    }

    private boolean rawOpen(byte c) {
        if (c == '/') {
            token = rawEnd;
        } else if (rawName == Names.SCRIPT && escape == 1 && (c | 32) == 's') {
            token = SCRIPT_OPEN;
        } else if (rawName == Names.SCRIPT && escape == 0 && c == '!') {
            token = COMMENT_OPEN;
        } else {
            token = rawEnd;
            unmatched();
            return false;
        }
        matched = 0;
        mode = RAW_MATCH;
        return false;
    }

    private boolean rawMatch(byte c) {
        if (matched < token.length) {
            if (token[matched] != (c >= 'A' && c <= 'Z' ? c + 32 : c)) {
                unmatched();
                return false;
            }
            rawByte(c);
            if (++matched == token.length && token == COMMENT_OPEN) {
                escape = 1;
                dashes = 2;
                mode = RAW;
            }
            return true;
        }
        if (c != '>' && c != '/' && !space(c)) {
            unmatched();
            return false;
        }
        if (token == SCRIPT_OPEN) {
            escape = 2;
            mode = RAW;
        } else if (escape == 2) {
            escape = 1;
            mode = RAW;
        } else {
            titled = false;
            beginTag(true);
            for (int i = 1; i < rawEnd.length; i++) {
                tag(rawEnd[i]);
            }
            name = rawName;
            mode = BEFORE_ATTRIBUTE;
        }
        return false;
    }

    /** What looked like an end tag is none. */
    private void unmatched() {
        boolean characters = back == RCDATA;
        int n = mode == RAW_MATCH ? matched : 0;
        mode = back;
        if (characters) {
            emit('<');
            for (int i = 0; i < n; i++) {
                emit(token[i]);
            }
        }
    }

    // Comments

    private int comment(byte[] b, int from, int to) {
        boolean looks = (places & Place.COMMENT.bit) != 0;
        int i = from;
        while (i < to) {
            byte c = b[i++];
            if (c == '-') {
                dashes = dashes < 0 ? 1 : Math.min(dashes + 1, 2);
            } else if (c == '>' && (dashes == 2 || dashes < 0)) {
                mode = TEXT;
                return i;
            } else {
                dashes = c == '!' && dashes == 2 ? -1 : 0;
            }
            if (looks) {
                state = step(state, c & 255, Place.COMMENT.bit);
            }
        }
        return i;
    }

    private int bogus(byte[] b, int from, int to) {
        int i = from;
        while (i < to) {
            byte c = b[i++];
            if (c == '>') {
                mode = TEXT;
                return i;
            }
            state = step(state, c & 255, Place.COMMENT.bit);
        }
        return i;
    }

    // Between

    /** A byte in one of the modes that last for a few bytes only; false: it is yet to be read, in the mode that is now. */
    private boolean take(byte c) {
        switch (mode) {
            case OPEN:
                return open(c);
            case END_OPEN:
                if (letter(c)) {
                    beginTag(true);
                    return false;
                }
                state = Automaton.START;
                mode = c == '>' ? TEXT : BOGUS;
                return c == '>';
            case BEFORE_ATTRIBUTE:
                if (c == '>') {
                    endTag();
                } else if (c == '/') {
                    slash = true;
                } else if (!space(c)) {
                    slash = false;
                    attribute = 0;
                    tag(' ');
                    mode = ATTRIBUTE;
                    return false;
                } else {
                    slash = false;
                }
                return true;
            case AFTER_ATTRIBUTE:
                if (space(c)) {
                    return true;
                }
                mode = c == '=' ? BEFORE_VALUE : BEFORE_ATTRIBUTE;
                return c == '=';
            case BEFORE_VALUE:
                if (space(c)) {
                    return true;
                }
                beginValue(c == '"' || c == '\'' ? c : 0);
                if (c == '>') {
                    endValue();
                }
                return quote != 0;
            case DECLARATION:
                return declaration(c);
            case DECLARATION_DASH:
                state = Automaton.START;
                dashes = 2;
                mode = c == '-' ? COMMENT : BOGUS;
                return c == '-';
            case CDATA_OPEN:
                if (c != CDATA_WORD[matched]) {
                    state = Automaton.START;
                    mode = BOGUS;
                    return false;
                }
                if (++matched == CDATA_WORD.length) {
                    dashes = 0;
                    mode = CDATA;
                }
                return true;
            case CDATA:
                return cdata(c);
            case REFERENCE:
                return reference(c);
            case RAW_OPEN:
                return rawOpen(c);
            case RAW_MATCH:
                return rawMatch(c);
            default: // PLAIN_TEXT
                return plainText(c);
        }
    }

    private boolean open(byte c) {
        if (letter(c)) {
            beginTag(false);
            return false;
        }
        if (c == '/') {
            mode = END_OPEN;
        } else if (c == '!') {
            mode = DECLARATION;
        } else if (c == '?') {
            state = Automaton.START;
            mode = BOGUS;
        } else {
            mode = TEXT;
            emit('<');
            return false;
        }
        return true;
    }

    private boolean declaration(byte c) {
        if (c == '-') {
            mode = DECLARATION_DASH;
            return true;
        }
        if (c == '[' && (xml || drawings > 0)) {
            matched = 0;
            mode = CDATA_OPEN;
            return false;
        }
        state = Automaton.START;
        mode = BOGUS;
        return false;
    }

    private boolean cdata(byte c) {
        if (c == '>' && dashes == 2) {
            mode = TEXT;
            return true;
        }
        dashes = c == ']' ? Math.min(dashes + 1, 2) : 0;
        return plainText(c);
    }

    private boolean plainText(byte c) {
        if (c < 0 || missing > 0) {
            byte[] one = {c};
            sequences(one, 0, 1); // leaves an ASCII byte
            if (c < 0) {
                return true;
            }
        }
        emit(c);
        return true;
    }

    private boolean reference(byte c) {
        boolean part = letter(c) || c >= '0' && c <= '9' || c == '#' && referenceLength == 0;
        if (part && referenceLength < reference.length) {
            reference[referenceLength++] = c;
            return true;
        }
        endReference(part ? '=' : c & 255);
        return c == ';';
    }

    private static boolean letter(byte c) {
        return (c | 32) >= 'a' && (c | 32) <= 'z';
    }

    private static boolean space(int c) {
        return c == ' ' || c >= 9 && c <= 13 && c != 11;
    }

    private static long pack(long packed, int c) {
        return Names.pack(packed, c);
    }

    private static byte[] ascii(String s) {
        byte[] b = new byte[s.length()];
        for (int i = 0; i < b.length; i++) {
            b[i] = (byte) s.charAt(i);
        }
        return b;
    }
}
