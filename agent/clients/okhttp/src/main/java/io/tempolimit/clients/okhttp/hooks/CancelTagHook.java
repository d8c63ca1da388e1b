package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/** In OkHttp 2, all calls with a tag, the argument, are cancelled: also those that the dispatcher does not know of, because they are held. */
public final class CancelTagHook extends Hook {
    public CancelTagHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                for (okhttp3.Call held : Calls.HELD.from(self)) {
                    if (Objects.equals(args[0], Names.request(held).tag())) {
                        Names.cancel(held);
                    }
                }
                Calls.WAITS.endCancelled(); // the dispatcher sets a flag of those that run, and they do not hear of it
                return result;
            }
        };
    }
}
