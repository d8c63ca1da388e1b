package io.tempolimit.weave;

import io.tempolimit.gate.Closings;

/** A run of a method that closes its object, whatever it throws. */
public final class Closing extends Call {
    private final Closings closings;
    private final Object closed;

    /** @param closed what nothing can be sent with once the method is over */
    public Closing(Closings closings, Object closed) {
        this.closings = closings;
        this.closed = closed;
    }

    @Override
    public Object exit(Object result) {
        closings.closed(closed);
        return result;
    }

    @Override
    public Throwable fail(Throwable failure) {
        closings.closed(closed);
        return failure;
    }
}
