package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;

/**
 * The head of a response has come, also of an interim one; the arguments are the exchange and, since 12, the receiver's
 * invoker. There, what the head consists of is put into the response by that invoker, and so later than this where
 * another thread is still busy with the end of the answer before.
 */
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
        if (Calls.PERMITS.get(request) == null) {
            return null;
        }
        if (args.length == 1) {
            answered(in, self, args[0], request);
        } else {
            in.invoke(args[1], () -> answered(in, self, args[0], request));
        }
        return null;
    }

    private void answered(Internals in, Object self, Object exchange, Object request) {
        Permit permit = Calls.PERMITS.get(request);
        if (permit == null) {
            return; // it has failed meanwhile
        }
        ResponseHead head = in.head(exchange);
        if (head.status() == PROXY_AUTHENTICATION_REQUIRED && in.fromProxy(self)) {
            Calls.PERMITS.remove(request);
            Calls.PREPAID.put(in.conversation(request), permit);
            return;
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
        // it has failed meanwhile, and nobody has told the body
        if (permit.done() && Calls.PERMITS.remove(request) == null && body != null) {
            Calls.BODIES.remove(request);
            body.cut();
        }
    }
}
