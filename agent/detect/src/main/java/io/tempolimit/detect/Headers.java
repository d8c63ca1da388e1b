package io.tempolimit.detect;

/** Takes an answer's headers, one call a header line. */
public interface Headers {
    /** Takes one line. The name may come in any case; a null for either is no line. */
    void add(String name, String value);
}
