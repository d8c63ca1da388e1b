package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;

/** The head of a response has come, also of an interim one; the argument is the exchange. */
public final class AnswerHook extends Hook {
    private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

    private final Gate gate;

    public AnswerHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = Internals.of(lookup);
        Object request = in.request(args[0]);
        Permit permit = Calls.PERMITS.get(request);
        if (permit == null) {
            return null;
        }
        ResponseHead head = in.head(args[0]);
        if (head.status() == PROXY_AUTHENTICATION_REQUIRED && in.fromProxy(self)) {
            Calls.PERMITS.remove(request);
            Calls.PREPAID.put(in.conversation(request), permit);
            return null;
        }
        Body body = permit.answered(head);
        if (body != null && body.stream()) {
            WeakReference<Object> streaming = new WeakReference<>(request);
            gate.opened(body, in.receivingClient(self).getExecutor(), why -> {
                Object still = streaming.get();
                if (still != null) {
                    in.abort(still, why);
                }
            });
        }
        if (body != null) {
            Calls.BODIES.put(request, body);
        }
        if (permit.done() && Calls.PERMITS.remove(request) == null && body != null) { // it has failed meanwhile, and nobody has told the body
            Calls.BODIES.remove(request);
            body.cut();
        }
        return null;
    }
}
