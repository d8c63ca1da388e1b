package io.tempolimit.detect;

/** Where in a document a pattern may stand. All but {@link #ANY} are places of an HTML page. */
enum Place {
    /**
     * What a reader sees, outside scripts, styles, comments, noscript, templates and the title. References such as {@code &amp;} are
     * decoded, white space is one space, letters are lower case, curly quotes and long dashes are plain ones. Markup within a line
     * ({@code <b>}) is seen through; other tags are one space.
     */
    TEXT,
    /** Inside a script element, as written, ASCII letters in lower case. */
    SCRIPT,
    /**
     * A tag in one form however it was written: {@code <name first="value" second>}: ASCII letters in lower case, one space before each
     * attribute, every value in double quotes, references in values decoded. An end tag is {@code </name>}.
     */
    TAG,
    /** Inside a comment, as written, ASCII letters in lower case. */
    COMMENT,
    /**
     * Anywhere in the bytes of a document of any kind (HTML, JSON, XML, plain text), as written but in UTF-8, ASCII
     * letters in lower case.
     */
    ANY
}
