package io.tempolimit.detect;

/** A step on the way from a body's bytes to what is found in them. */
abstract class Stage {
    /** Takes the next bytes, which are the caller's again afterwards; false: wants no more of them, so that {@link #finish} may follow. */
    abstract boolean push(byte[] b, int from, int to);

    /** No more bytes come; {@code whole}: they were all that there are. Called once. Gives back what it holds. */
    abstract void finish(boolean whole);
}
