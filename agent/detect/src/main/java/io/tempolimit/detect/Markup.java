package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;

/**
 * Reads an HTML page as a browser's tokenizer does, however broken it is and wherever its bytes are split, and looks for patterns in its
 * places. Bytes are UTF-8; one that cannot be is taken for windows-1252. Of the page it keeps no more than a title and some counts.
 */
final class Markup {
    // What is being read.
    private static final int TEXT = 0;
    private static final int RAW = 1;          // script, style ...: to the end tag
    private static final int RCDATA = 2;       // title, textarea: to the end tag, with references
    private static final int PLAIN_TEXT = 3;   // for ever
    private static final int CDATA = 4;
    private static final int OPEN = 5;         // after <
    private static final int END_OPEN = 6;     // after </
    private static final int TAG = 7;
    private static final int DECLARATION = 8;  // after <!
    private static final int DASH = 9;         // after <!-
    private static final int CDATA_OPEN = 10;  // what may become <![CDATA[
    private static final int COMMENT = 11;
    private static final int BOGUS = 12;       // what browsers take for a comment: to the next >
    private static final int REFERENCE = 13;   // after &
    private static final int RAW_OPEN = 14;    // after < in RAW or RCDATA
    private static final int RAW_MATCH = 15;   // what may become an end tag there

    private static final byte[] SCRIPT_OPEN = ascii("script");
    private static final byte[] COMMENT_OPEN = ascii("!--");
    private static final byte[] CDATA_WORD = ascii("[CDATA[");

    /** What a reader sees. */
    final Text text;
    private final Tag tag;
    private final Window tags;
    private final Window scriptTexts;
    private final Window comments;
    /** What its elements say of the page. */
    final Elements elements;

    private int mode;
    private int back;                  // the mode after a reference or after what was no end tag

    private final byte[] reference = new byte[References.MAX_LENGTH];
    private int referenceLength;

    private long rawName;
    private byte[] rawEnd;             // "/script"
    private byte[] token;              // what RAW_MATCH compares with
    private int matched;
    private int escape;                // in a script: 1 after <!--, 2 after <script therein
    private int dashes;                // seen in a row: in comments and escaped scripts; -1: --! in a comment

    Markup(Patterns patterns, long[] found, boolean xml) {
        text = new Text(new Window(patterns.at(Place.TEXT), found, Learned.MOST_BYTES));
        tags = new Window(patterns.at(Place.TAG), found);
        tag = new Tag(tags);
        scriptTexts = new Window(patterns.at(Place.SCRIPT), found);
        comments = new Window(patterns.at(Place.COMMENT), found, Window.SMALL);
        elements = new Elements(text, xml);
    }

    /** Whether an element has an attribute {@code data-...}, which a program may read where a reader sees nothing. */
    boolean data() {
        return tag.data;
    }

    /** Reads on. */
    void push(byte[] b, int from, int to) {
        int i = from;
        while (i < to) {
            switch (mode) {
                case TEXT:
                    i = text(b, i, to);
                    break;
                case TAG:
                    i = tag(b, i, to);
                    break;
                case RAW:
                    i = escape == 0 ? raw(b, i, to) : escapedScript(b, i, to);
                    break;
                case RCDATA:
                    i = rcdata(b, i, to);
                    break;
                case PLAIN_TEXT:
                    text.readAll(b, i, to);
                    i = to;
                    break;
                case CDATA:
                    i = cdata(b, i, to);
                    break;
                case COMMENT:
                    i = comment(b, i, to);
                    break;
                case BOGUS:
                    i = bogus(b, i, to);
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
            text.put('<');
        } else if ((mode == RAW_OPEN || mode == RAW_MATCH) && back == RCDATA) {
            unmatched();
        }
        text.finish();
        tags.find();
        scriptTexts.find();
        comments.find();
    }

    // Text

    private int text(byte[] b, int from, int to) {
        int i = from;
        do {
            i = text.read(b, i, to);
            if (i == to) {
                return i;
            }
            if (b[i++] == '&') {
                beginReference();
                return i;
            }
            int after = tag.readWhole(b, i, to);
            if (after < 0) {
                mode = OPEN;
                return i;
            }
            i = after;
            endTag();
        } while (mode == TEXT);
        return i;
    }

    private int rcdata(byte[] b, int from, int to) {
        int i = text.read(b, from, to);
        if (i == to) {
            return i;
        }
        if (b[i] == '&') {
            beginReference();
        } else {
            back = RCDATA;
            mode = RAW_OPEN;
        }
        return i + 1;
    }

    private int cdata(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (b[i] == '>' && dashes == 2) {
                mode = TEXT;
                return i + 1;
            }
            dashes = b[i] == ']' ? Math.min(dashes + 1, 2) : 0;
            text.readAll(b, i, i + 1);
        }
        return to;
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
                : mode == TAG && by == '=' && reference[0] != '#' ? -1 : References.decode(reference, referenceLength, true);
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
        if (mode == TAG) {
            tag.put(c);
        } else {
            text.put(c);
        }
    }

    // Tags

    private int tag(byte[] b, int from, int to) {
        int i = tag.read(b, from, to);
        if (tag.isDone()) {
            endTag();
        } else if (tag.isAtReference()) {
            beginReference();
        }
        return i;
    }

    private void endTag() {
        switch (elements.tag(tag)) {
            case Elements.RAW:
                begin(RAW);
                break;
            case Elements.TEXT:
                begin(RCDATA);
                break;
            case Elements.PLAIN_TEXT:
                mode = PLAIN_TEXT;
                break;
            default:
                mode = TEXT;
        }
    }

    private void begin(int mode) {
        this.mode = mode;
        rawName = tag.name;
        rawEnd = Elements.end(tag.name);
        escape = 0;
        rawByte(0);
    }

    // Scripts, styles, titles: up to their end tag

    private int raw(byte[] b, int from, int to) {
        int i = from;
        while (i < to && b[i] != '<') {
            i++;
        }
        if (rawName == Names.SCRIPT) {
            scriptTexts.put(b, from, i);
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
            scriptTexts.put(c);
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
            if (token[matched] != Characters.lower(c)) {
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
        if (c != '>' && c != '/' && !Characters.isSpace(c)) {
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
            text.endTitle();
            tag.begin(rawName, rawEnd);
            mode = TAG;
        }
        return false;
    }

    /** What looked like an end tag is none. */
    private void unmatched() {
        boolean characters = back == RCDATA;
        int n = mode == RAW_MATCH ? matched : 0;
        mode = back;
        if (characters) {
            text.put('<');
            for (int i = 0; i < n; i++) {
                text.put(token[i]);
            }
        }
    }

    // Comments

    private int comment(byte[] b, int from, int to) {
        int i = from;
        while (i < to) {
            byte c = b[i++];
            if (c == '-') {
                dashes = dashes < 0 ? 1 : Math.min(dashes + 1, 2);
            } else if (c == '>' && (dashes == 2 || dashes < 0)) {
                mode = TEXT;
                break;
            } else {
                dashes = c == '!' && dashes == 2 ? -1 : 0;
            }
        }
        comments.put(b, from, i);
        return i;
    }

    private int bogus(byte[] b, int from, int to) {
        int i = from;
        while (i < to && b[i] != '>') {
            i++;
        }
        comments.put(b, from, i);
        if (i < to) {
            mode = TEXT;
            i++;
        }
        return i;
    }

    private void beginComment(int mode) {
        this.mode = mode;
        dashes = 2;
        comments.put(0);
    }

    // Between

    /** A byte in one of the modes that last for a few bytes only; false: it is yet to be read, in the mode that is now. */
    private boolean take(byte c) {
        switch (mode) {
            case OPEN:
                return open(c);
            case END_OPEN:
                if (Characters.isLetter(c)) {
                    tag.begin(true);
                    mode = TAG;
                    return false;
                }
                if (c == '>') {
                    mode = TEXT;
                    return true;
                }
                beginComment(BOGUS);
                return false;
            case DECLARATION:
                return declaration(c);
            case DASH:
                beginComment(c == '-' ? COMMENT : BOGUS);
                return c == '-';
            case CDATA_OPEN:
                if (c != CDATA_WORD[matched]) {
                    beginComment(BOGUS);
                    return false;
                }
                if (++matched == CDATA_WORD.length) {
                    dashes = 0;
                    mode = CDATA;
                }
                return true;
            case REFERENCE:
                return reference(c);
            case RAW_OPEN:
                return rawOpen(c);
            default: // RAW_MATCH
                return rawMatch(c);
        }
    }

    private boolean open(byte c) {
        if (Characters.isLetter(c)) {
            tag.begin(false);
            mode = TAG;
            return false;
        }
        if (c == '/') {
            mode = END_OPEN;
        } else if (c == '!') {
            mode = DECLARATION;
        } else if (c == '?') {
            beginComment(BOGUS);
        } else {
            mode = TEXT;
            text.put('<');
            return false;
        }
        return true;
    }

    private boolean declaration(byte c) {
        if (c == '-') {
            mode = DASH;
            return true;
        }
        if (c == '[' && elements.foreign()) {
            matched = 0;
            mode = CDATA_OPEN;
            return false;
        }
        elements.document = true; // a doctype, or as good as one
        beginComment(BOGUS);
        return false;
    }

    private boolean reference(byte c) {
        boolean part = Characters.isLetter(c) || c >= '0' && c <= '9' || c == '#' && referenceLength == 0;
        if (part && referenceLength < reference.length) {
            reference[referenceLength++] = c;
            return true;
        }
        endReference(part ? '=' : c & 255);
        return c == ';';
    }

    private static byte[] ascii(String s) {
        return s.getBytes(StandardCharsets.US_ASCII);
    }
}
