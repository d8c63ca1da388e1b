package io.tempolimit.weave;

/** One run of a watched method. */
public abstract class Call {
    /** The method returns {@code result} (null for void); gives what it shall return. */
    public Object exit(Object result) {
        return result;
    }

    /** The method throws {@code failure}; gives what it shall return instead, or null to let it throw. */
    public Object instead(Throwable failure) {
        return null;
    }

    /** The method throws {@code failure}; gives what it shall throw. */
    public Throwable fail(Throwable failure) {
        return failure;
    }
}
