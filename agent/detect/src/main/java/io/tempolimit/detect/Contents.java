package io.tempolimit.detect;

/** The last step: takes a body's decoded bytes. */
abstract class Contents extends Stage {
    /** Whether the bytes are wanted at all. */
    abstract boolean wanted();

    /** The bytes come from a decoder of brotli, which cannot go as far as others. */
    abstract void limitForBrotli();

    /** The bytes cannot be decoded, from here on or from the beginning. */
    abstract void unreadable();
}
