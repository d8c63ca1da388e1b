package io.tempolimit.detect;

/** What a character of a page's text is to a reader. */
final class Characters {
    /** {@link #plain} of a character that nobody sees. */
    static final int NOTHING = -1;
    /** {@link #plain} of three points in one. */
    static final int ELLIPSIS = 0x2026;

    /** Windows-1252's characters for the bytes 0x80 to 0x9f, which browsers also take the references to these numbers for. */
    private static final char[] WINDOWS_1252 =
            ("\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f"
            + "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178").toCharArray();

    private Characters() {
    }

    /** A code point as patterns are compared: in lower case, any white space as a space, quotes and dashes as those of ASCII. */
    static int plain(int c) {
        if (c < 0x80) {
            return c >= 'A' && c <= 'Z' ? c + 32 : c > ' ' && c != 0x7f ? c : c == ' ' || c >= 9 && c <= 13 ? ' ' : NOTHING;
        }
        if (c >= 0x2000 && c <= 0x206f) {
            return punctuation(c);
        }
        switch (c) {
            case 0xa0:
            case 0x85:
            case 0x1680:
            case 0x3000:
                return ' ';
            case 0xad:
            case 0xfeff:
            case 0x180e:
                return NOTHING;
            default:
                return c < 0xa0 || c >= 0xfe00 && c <= 0xfe0f ? NOTHING : Character.toLowerCase(c);
        }
    }

    private static int punctuation(int c) {
        if (c <= 0x200a || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f) {
            return ' ';
        }
        if (c <= 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x2060) {
            return NOTHING;
        }
        if (c <= 0x2015) {
            return '-';
        }
        if (c >= 0x2018 && c <= 0x201b) {
            return '\'';
        }
        return c >= 0x201c && c <= 0x201f ? '"' : c;
    }

    /** Whether it is one of ASCII. */
    static boolean isLetter(int c) {
        return (c | 32) >= 'a' && (c | 32) <= 'z';
    }

    /** Whether it separates what is in a tag. */
    static boolean isSpace(int c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
    }

    /** An ASCII letter in lower case, anything else as it is. */
    static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }

    /** The character of a byte from 0x80 that is no UTF-8. */
    static int windows1252(int b) {
        return b >= 0x80 && b < 0xa0 ? WINDOWS_1252[b - 0x80] : b;
    }
}
