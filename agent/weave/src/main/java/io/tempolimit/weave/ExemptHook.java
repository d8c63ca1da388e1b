package io.tempolimit.weave;

import io.tempolimit.core.runtime.Exempt;
import java.lang.invoke.MethodHandles;

/**
 * A method sends a command to a browser, its driver or a grid, by whatever HTTP client: what its thread sends meanwhile
 * is no request. Serves all clients ({@link Site#exempts}).
 */
final class ExemptHook extends Hook {
    private final Exempt exempt;
    private final Call leave = new Call() {
        @Override
        public Object exit(Object result) {
            exempt.leave();
            return result;
        }

        @Override
        public Throwable fail(Throwable failure) {
            exempt.leave();
            return failure;
        }
    };

    ExemptHook(Gate gate) {
        exempt = gate.limiter().exempt();
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return exempt.enter() ? leave : null;
    }
}
