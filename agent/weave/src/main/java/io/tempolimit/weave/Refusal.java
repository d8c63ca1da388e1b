package io.tempolimit.weave;

/** Carries an exception that a hook means to throw to the application, in the client's own kind. */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    /** @param toThrow what the application shall see; it must be one that the woven method may throw */
    public Refusal(Throwable toThrow) {
        super(null, toThrow, false, false);
    }
}
