package io.tempolimit.weave;

import io.tempolimit.gate.Closings;
import java.lang.invoke.MethodHandles;

/** A method closes its object, whatever it throws: the calls that wait to send with it end. Serves all clients ({@link Site#closes}). */
public final class CloseHook extends Hook {
    /** What was closed, and the calls that wait for what may be. */
    public static final Closings CLOSED = new Closings();

    CloseHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                CLOSED.closed(self);
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                CLOSED.closed(self);
                return failure;
            }
        };
    }
}
