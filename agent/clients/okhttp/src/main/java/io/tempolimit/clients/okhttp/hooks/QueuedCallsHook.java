package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a dispatcher says of its queue (a list, or a count) has the held calls in it: applications steer by that. */
public final class QueuedCallsHook extends Hook {
    public QueuedCallsHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                List<okhttp3.Call> held = Calls.HELD.from(self);
                if (held.isEmpty()) {
                    return result;
                }
                if (result instanceof Integer) {
                    return (Integer) result + held.size();
                }
                List<Object> all = new ArrayList<>((List<?>) result);
                all.addAll(held);
                return Collections.unmodifiableList(all);
            }
        };
    }
}
