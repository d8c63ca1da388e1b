package io.tempolimit.detect;

/** What {@link PageReader} found in a document. Immutable. */
final class Page {
    private final long[] found;
    private final boolean html;
    private final boolean fragment;
    private final boolean row;
    private final String title;
    private final int visible;
    private final int scripts;
    private final int links;
    private final int inputs;
    private final int embedded;
    private final boolean site;
    private final boolean data;
    private final long bytes;
    private final boolean complete;
    private final boolean unreadable;
    private final byte[] whole;
    private final byte[] aside;

    Page(Document document, boolean complete, boolean unreadable) {
        Markup markup = document.markup();
        this.found = document.found;
        this.html = markup != null;
        this.fragment = html && markup.elements.any && !markup.elements.document;
        this.row = fragment && markup.elements.row;
        this.title = html ? markup.text.title() : null;
        this.visible = html ? markup.text.visible() : document.characters();
        this.scripts = html ? markup.elements.scripts : 0;
        this.links = html ? markup.elements.links : 0;
        this.inputs = html ? markup.elements.inputs : 0;
        this.embedded = html ? markup.elements.embedded : 0;
        this.site = html && markup.elements.site;
        this.data = html && markup.data();
        this.bytes = document.bytes();
        this.complete = complete;
        this.unreadable = unreadable;
        this.whole = document.whole();
        this.aside = html && whole != null ? markup.text.aside() : new byte[0];
    }

    /** Whether the pattern with this id was found in one of its places. */
    boolean has(int pattern) {
        return (found[pattern >> 6] & 1L << pattern) != 0;
    }

    /** The title as {@link Patterns#normalised} would give it, its first 256 characters; empty if its element is; null if there is none. */
    String title() {
        return title;
    }

    /** Characters that a reader sees, a run of white space counted as one; in what is no HTML all that are no white space. */
    int visibleCharacters() {
        return visible;
    }

    /**
     * Whether it is an HTML page: its content type says so and it does not begin like JSON, or there is no content type
     * and it begins like HTML.
     */
    boolean html() {
        return html;
    }

    /** Whether it is but a piece of HTML, for another page to take in: elements without doctype, html, head and body. */
    boolean fragment() {
        return fragment;
    }

    /** Whether such a piece has a row of a table. */
    boolean row() {
        return row;
    }

    /** Script elements, of any type. */
    int scripts() {
        return scripts;
    }

    /** {@code <a href>}. */
    int links() {
        return links;
    }

    /** {@code input} other than hidden and submit, {@code textarea} and {@code select}. */
    int inputs() {
        return inputs;
    }

    /** What may show or do something without text: images, frames, video, audio, objects, canvases, drawings, forms. */
    int embedded() {
        return embedded;
    }

    /** Whether it has an element that a site's own pages have: {@code nav} or {@code article}. */
    boolean site() {
        return site;
    }

    /** Whether an element has an attribute {@code data-...}, which a program may read where a reader sees nothing. */
    boolean data() {
        return data;
    }

    /**
     * The text that a reader sees, or, in what is no HTML, all of it: UTF-8 with a blank at either end, letters other than
     * ASCII in lower case. Null if it is more than a few hundred words.
     */
    byte[] whole() {
        return whole;
    }

    /** The beginning of what a reader without scripts sees beside that: UTF-8 with a blank at either end. */
    byte[] aside() {
        return aside;
    }

    /** Decoded bytes that were looked at. */
    long bytes() {
        return bytes;
    }

    /** Whether all of it was looked at: the body came to its end, and so did its encodings, within the limit. */
    boolean complete() {
        return complete;
    }

    /** Whether (the rest of) its bytes could not be decoded: a fault in them, or an encoding that is not known here. */
    boolean unreadable() {
        return unreadable;
    }
}
