package io.tempolimit.clients.reactornetty.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import reactor.core.publisher.MonoSink;

/**
 * A hop has failed, for want of a connection or on one; the last argument is the failure, the field the hop's sink. A redirect comes
 * along here too, after its answer, and then changes nothing.
 */
public final class FailureHook extends Hook {
    public FailureHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop hop = Hop.BY_SINK.get((MonoSink<?>) args[args.length - 1]);
        if (hop != null) {
            hop.permit.failed((Throwable) args[args.length - 2]);
        }
        return null;
    }
}
