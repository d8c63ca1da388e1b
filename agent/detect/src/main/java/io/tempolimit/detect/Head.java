package io.tempolimit.detect;

/** An answer's head as a client has it: a view that lives as long as the call it is given to. */
public abstract class Head {
    /** The status code. */
    public abstract int status();

    /** Gives each header line once, trailers aside. */
    public abstract void headers(Headers to);

    /**
     * Whether the body is what a browser has made of the page by now. Then a body without a word is no blank page, as the browser may
     * be at its beginning. Nor is it compared with what is usual on the host: how much there is by now is a matter of time.
     */
    public boolean rendered() {
        return false;
    }

    /** Whether the body's bytes come decoded although {@code Content-Encoding} still names an encoding. */
    public boolean decoded() {
        return false;
    }
}
