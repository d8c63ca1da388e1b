package io.tempolimit.clients.okhttp2.hooks;

import com.squareup.okhttp.Response;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** An engine has its answer from the network, or, in the method around it, fails. */
public final class AnswerHook extends Hook {
    public AnswerHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                Hop hop = result instanceof Response ? Calls.HOPS.remove(self) : null;
                return hop == null ? result : hop.exit(result);
            }

            @Override
            public Throwable fail(Throwable failure) {
                Hop hop = Calls.HOPS.remove(self);
                return hop == null ? failure : hop.fail(failure);
            }
        };
    }
}
