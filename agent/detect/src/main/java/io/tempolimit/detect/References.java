package io.tempolimit.detect;

/** Character references, {@code &amp;} and {@code &#46;}: the names of Latin 1, of ASCII's punctuation and of what people type. */
final class References {
    /** No name or number is longer; numbers may have leading zeros beyond it, which nobody writes. */
    static final int MAX_LENGTH = 12;

    /** Names of at most eight characters as numbers, by their hash or further on, and what they mean. */
    private static final long[] NAMES = new long[512];
    private static final char[] MEANINGS = new char[512];
    /** Those which browsers also take without the semicolon. */
    private static final boolean[] BARE = new boolean[512];

    static {
        String latin1 = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn "
                + "sup2 sup3 acute micro para middot cedil sup1 ordm "
                + "raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute "
                + "Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde "
                + "Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave "
                + "aacute acirc atilde auml aring aelig ccedil egrave "
                + "eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash "
                + "ugrave uacute ucirc uuml yacute thorn yuml";
        char c = 0xa0;
        for (String name : latin1.split(" ")) {
            put(name, c++, true);
        }
        pairs(true, "amp & AMP & lt < LT < gt > GT > quot \" QUOT \" COPY \u00a9 REG \u00ae");
        pairs(false, "apos ' excl ! num # dollar $ percnt % lpar ( rpar ) ast * midast * plus + comma , period . sol / "
                + "colon : semi ; equals = quest ? commat @ "
                + "lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] Hat ^ lowbar _ UnderBar _ grave ` lcub { lbrace { verbar | "
                + "vert | rcub } rbrace } "
                + "OElig \u0152 oelig \u0153 Scaron \u0160 scaron \u0161 Yuml \u0178 fnof \u0192 circ \u02c6 tilde "
                + "\u02dc zwnj \u200c zwj \u200d lrm \u200e rlm \u200f "
                + "hyphen \u2010 dash \u2010 ndash \u2013 mdash \u2014 lsquo \u2018 rsquo \u2019 sbquo \u201a ldquo "
                + "\u201c rdquo \u201d bdquo \u201e dagger \u2020 "
                + "Dagger \u2021 bull \u2022 hellip \u2026 mldr \u2026 permil \u2030 lsaquo \u2039 rsaquo \u203a euro "
                + "\u20ac trade \u2122 minus \u2212 larr \u2190 "
                + "uarr \u2191 rarr \u2192 darr \u2193 check \u2713 star \u2606 starf \u2605 NoBreak \u2060");
        for (String space : "Tab NewLine ensp emsp thinsp numsp puncsp hairsp".split(" ")) {
            put(space, ' ', false);
        }
    }

    private References() {
    }

    private static void pairs(boolean bare, String pairs) {
        String[] split = pairs.split(" ");
        for (int i = 0; i < split.length; i += 2) {
            put(split[i], split[i + 1].charAt(0), bare);
        }
    }

    private static void put(String name, char meaning, boolean bare) {
        long number = 0;
        for (int i = 0; i < name.length(); i++) {
            number = number << 8 | name.charAt(i);
        }
        int i = place(number);
        NAMES[i] = number;
        MEANINGS[i] = meaning;
        BARE[i] = bare;
    }

    /** Where a name is, or would be. */
    private static int place(long number) {
        int i = (int) (number * 0x9e3779b97f4a7c15L >>> 55);
        while (NAMES[i] != 0 && NAMES[i] != number) {
            i = i + 1 & 511;
        }
        return i;
    }

    /** The code point that the characters between {@code &} and {@code ;} mean, -1 if none; {@code bare}: the semicolon is missing. */
    static int decode(byte[] reference, int length, boolean bare) {
        if (length > 0 && reference[0] == '#') {
            return number(reference, length);
        }
        if (length == 0 || length > 8) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < length; i++) {
            number = number << 8 | reference[i];
        }
        int i = place(number);
        return NAMES[i] == 0 || bare && !BARE[i] ? -1 : MEANINGS[i];
    }

    private static int number(byte[] reference, int length) {
        boolean hex = length > 1 && (reference[1] | 32) == 'x';
        int c = 0;
        int from = hex ? 2 : 1;
        for (int i = from; i < length; i++) {
            int digit = Character.digit(reference[i], hex ? 16 : 10);
            if (digit < 0) {
                return -1;
            }
            c = c > 0x10ffff ? c : c * (hex ? 16 : 10) + digit;
        }
        if (length == from) {
            return -1;
        }
        return c == 0 || c > 0x10ffff || c >= 0xd800 && c < 0xe000 ? 0xfffd : Characters.windows1252(c);
    }
}
