package io.tempolimit.clients.okhttp2.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/** All calls with a tag, the argument, are cancelled: also those that the dispatcher does not know of, because they are held. */
public final class CancelTagHook extends Hook {
    public CancelTagHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws ReflectiveOperationException {
        Internals internals = Internals.by(lookup);
        return new Call() {
            @Override
            public Object exit(Object result) {
                for (com.squareup.okhttp.Call held : Calls.HELD.from(self)) {
                    if (Objects.equals(args[0], internals.request(held).tag())) {
                        held.cancel();
                    }
                }
                Calls.WAITS.endCancelled(); // the dispatcher sets a flag of those that run, and they do not hear of it
                return result;
            }
        };
    }
}
