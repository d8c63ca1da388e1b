package io.tempolimit.clients.armeria.hooks;

import com.linecorp.armeria.common.HttpResponse;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/**
 * A decorator that sends several hops for a call answers it with a response of its own; the first argument is the
 * call's context.
 */
public final class FrontHook extends Hook {
    public FrontHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                Fronts.answered(args[0], (HttpResponse) result);
                return result;
            }
        };
    }
}
