package io.tempolimit.clients.selenium.hooks;

import io.tempolimit.core.runtime.Exempt;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** Selenium sends a command to a driver or a grid, by whatever HTTP client. */
public final class SendHook extends Hook {
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

    public SendHook(Gate gate) {
        exempt = gate.limiter().exempt();
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return exempt.enter() ? leave : null;
    }
}
