package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.core.runtime.Exempt;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.asynchttpclient.netty.NettyResponseFuture;

/** A call gets its future: from here on its permit is known by that, or that it needs none. */
public final class FutureHook extends Hook {
    private static final Call MARK_EXEMPT = new Call() {
        @Override
        public Object exit(Object result) {
            Hop.exempt((NettyResponseFuture<?>) result);
            return result;
        }
    };

    private final Exempt exempt;

    public FutureHook(Gate gate) {
        exempt = gate.limiter().exempt();
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (exempt.here()) {
            return MARK_EXEMPT;
        }
        Permit permit = First.take();
        return permit == null ? null : new Call() {
            @Override
            public Object exit(Object result) {
                Hop.begin((NettyResponseFuture<?>) result, permit);
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                permit.unused();
                return failure;
            }
        };
    }
}
