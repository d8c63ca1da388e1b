package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;

/**
 * What a page's elements mean to a reader: which of them show something, which hide the text in them, and how the
 * contents of each is read. Of the page it keeps no more than counts.
 */
final class Elements {
    /** How the contents of an element is read: as tags and text. */
    static final int TAGS = 0;
    /** Up to the end tag, with nothing in between that a reader sees. */
    static final int RAW = 1;
    /** Up to the end tag, as text with references. */
    static final int TEXT = 2;
    /** As text, up to the page's end. */
    static final int PLAIN_TEXT = 3;

    private static final byte[] END_OF_SCRIPT = ascii("/script");
    private static final byte[] END_OF_STYLE = ascii("/style");
    private static final byte[] END_OF_TITLE = ascii("/title");
    private static final byte[] END_OF_TEXTAREA = ascii("/textarea");
    private static final byte[] END_OF_IFRAME = ascii("/iframe");
    private static final byte[] END_OF_XMP = ascii("/xmp");
    private static final byte[] END_OF_NOEMBED = ascii("/noembed");
    private static final byte[] END_OF_NOFRAMES = ascii("/noframes");

    private final Text text;
    private final boolean xml;
    private boolean noscript;
    private int templates;
    private int drawings;              // open svg and math elements
    private boolean drawingTitle;

    /** Whether there is any. */
    boolean any;
    /** Whether there is a doctype or one of the elements html, head and body. */
    boolean document;
    int scripts;
    int links;
    int inputs;
    int embedded;
    /** Whether there is a {@code nav} or an {@code article}. */
    boolean site;
    /** Whether there is a {@code tr}: a row of a table. */
    boolean row;

    Elements(Text text, boolean xml) {
        this.text = text;
        this.xml = xml;
    }

    /** Whether what stands here is read by the rules of XML: in a drawing, or anywhere in a page that is XML. */
    boolean foreign() {
        return xml || drawings > 0;
    }

    /**
     * A tag ended. Gives how to read what comes after it, up to {@link #end} if that is {@link #RAW} or {@link #TEXT}.
     */
    int tag(Tag tag) {
        int what = Names.what(tag.name);
        any = true;
        if ((what & Names.INLINE) == 0) {
            text.separate();
        }
        if ((what & Names.OTHER) != 0) {
            return TAGS;
        }
        int contents = TAGS;
        if (tag.end) {
            ended(tag.name);
        } else {
            long name = tag.name;
            boolean closed = tag.slash && (foreign() || name == Names.SVG || name == Names.MATH);
            int its = started(tag, closed);
            contents = closed && its != PLAIN_TEXT ? TAGS : its;
        }
        text.hide(noscript || templates > 0 || drawingTitle);
        return contents;
    }

    private void ended(long name) {
        if (name == Names.NOSCRIPT) {
            noscript = false;
            text.aside(false);
        } else if (name == Names.TEMPLATE) {
            templates = Math.max(0, templates - 1);
        } else if (name == Names.SVG || name == Names.MATH) {
            drawings = Math.max(0, drawings - 1);
            drawingTitle = false;
        } else if (name == Names.TITLE) {
            drawingTitle = false;
        }
    }

    /** Gives how its contents is read, if it has any. */
    private int started(Tag tag, boolean closed) {
        long name = tag.name;
        if (name == Names.A) {
            links += tag.href ? 1 : 0;
        } else if (name == Names.INPUT) {
            inputs += tag.hidden ? 0 : 1;
        } else if (name == Names.SELECT) {
            inputs++;
        } else if (name == Names.SCRIPT) {
            scripts++;
            return RAW;
        } else if (name == Names.STYLE || name == Names.NOEMBED || name == Names.NOFRAMES) {
            return RAW;
        } else if (name == Names.TITLE) {
            return title(closed);
        } else if (name == Names.TEXTAREA) {
            inputs++;
            return TEXT;
        } else if (name == Names.NOSCRIPT) {
            noscript = !closed;
            text.aside(noscript);
        } else if (name == Names.TEMPLATE) {
            templates += closed ? 0 : 1;
        } else if (name == Names.SVG || name == Names.MATH) {
            embedded++;
            drawings += closed ? 0 : 1;
        } else if (name == Names.IFRAME) {
            embedded++;
            return RAW;
        } else if (name == Names.XMP) {
            return TEXT;
        } else if (name == Names.PLAINTEXT) {
            return PLAIN_TEXT;
        } else if (name == Names.HTML || name == Names.HEAD || name == Names.BODY) {
            document = true;
        } else if (name == Names.NAV || name == Names.ARTICLE) {
            site = true;
        } else if (name == Names.TR) {
            row = true;
        } else { // it shows or does something
            embedded++;
        }
        return TAGS;
    }

    private int title(boolean closed) {
        if (drawings > 0) {
            drawingTitle = !closed;
            return TAGS;
        }
        // A second title, or one where nothing is seen, is to be passed over.
        return !closed && !noscript && templates == 0 && text.beginTitle() ? TEXT : RAW;
    }

    /** The end tag of an element whose contents is {@link #RAW} or {@link #TEXT}, without its brackets. */
    static byte[] end(long name) {
        return name == Names.SCRIPT ? END_OF_SCRIPT
                : name == Names.STYLE ? END_OF_STYLE
                : name == Names.TITLE ? END_OF_TITLE
                : name == Names.TEXTAREA ? END_OF_TEXTAREA
                : name == Names.IFRAME ? END_OF_IFRAME
                : name == Names.XMP ? END_OF_XMP
                : name == Names.NOEMBED ? END_OF_NOEMBED
                : END_OF_NOFRAMES;
    }

    private static byte[] ascii(String s) {
        return s.getBytes(StandardCharsets.US_ASCII);
    }
}
