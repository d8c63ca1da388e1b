package io.tempolimit.detect;

/** Names of elements and attributes as numbers, six bits a letter or digit, so that reading one makes no object. */
final class Names {
    static final long A = of("a");
    static final long HTML = of("html");
    static final long HEAD = of("head");
    static final long BODY = of("body");
    static final long INPUT = of("input");
    static final long SELECT = of("select");
    static final long SCRIPT = of("script");
    static final long STYLE = of("style");
    static final long TITLE = of("title");
    static final long TEXTAREA = of("textarea");
    static final long NOSCRIPT = of("noscript");
    static final long TEMPLATE = of("template");
    static final long PLAINTEXT = of("plaintext");
    static final long SVG = of("svg");
    static final long MATH = of("math");
    static final long IFRAME = of("iframe");
    static final long XMP = of("xmp");
    static final long NOEMBED = of("noembed");
    static final long NOFRAMES = of("noframes");
    static final long NAV = of("nav");
    static final long ARTICLE = of("article");
    static final long TR = of("tr");
    static final long HREF = of("href");
    static final long TYPE = of("type");
    static final long HIDDEN = of("hidden");
    static final long SUBMIT = of("submit");
    /** How the names of a page's own attributes begin. */
    static final long DATA = of("data") << 6 | 63;

    /** Of an element that stands within a line, so that the text before and after it may be one word. */
    static final int INLINE = 1;
    /** Of an element that is nothing special. */
    static final int OTHER = 2;

    /** Names of more than ten letters are all this one. */
    private static final long LONG = -1;
    private static final byte[] CODES = new byte[256];
    /** By a name's hash, or further on, the name and what it is. */
    private static final long[] KEYS = new long[256];
    private static final byte[] WHAT = new byte[256];

    static {
        for (int c = 0; c < 256; c++) {
            int lower = c >= 'A' && c <= 'Z' ? c + 32 : c;
            CODES[c] = (byte) (lower >= 'a' && lower <= 'z' ? lower - 'a' + 1 : c >= '0' && c <= '9' ? c - '0' + 27 : 63);
        }
    }

    static {
        put(INLINE | OTHER, "abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q rp rt ruby "
                + "s samp small span strike strong sub sup "
                + "time tt u var wbr label path g link meta");
        put(INLINE, "a noscript script style template svg math");
        put(0, "html head body form img frame video audio object embed canvas picture applet input select title textarea "
                + "iframe xmp noembed noframes plaintext nav article tr");
    }

    private Names() {
    }

    /** The number of a name with one more character. */
    static long pack(long packed, int c) {
        return packed >>> 54 != 0 ? LONG : packed << 6 | CODES[c & 255];
    }

    private static long of(String name) {
        long packed = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            packed = packed << 6 | (c >= 'a' ? c - 'a' + 1 : c - '0' + 27);
        }
        return packed;
    }

    private static int hash(long name) {
        return (int) (name * 0x9e3779b97f4a7c15L >>> 56);
    }

    /** {@link #INLINE} and {@link #OTHER} as they hold for an element. */
    static int what(long name) {
        int i = hash(name);
        while (KEYS[i] != 0) {
            if (KEYS[i] == name) {
                return WHAT[i];
            }
            i = i + 1 & 255;
        }
        return OTHER;
    }

    private static void put(int what, String names) {
        for (String name : names.split(" ")) {
            long key = of(name);
            int i = hash(key);
            while (KEYS[i] != 0) {
                i = i + 1 & 255;
            }
            KEYS[i] = key;
            WHAT[i] = (byte) what;
        }
    }
}
