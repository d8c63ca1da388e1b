package io.tempolimit.clients.nutch.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.URL;

/** One request, from the connection to the end of the answer's body; the first argument is the URL. */
public final class SendHook extends Hook {
    private final Gate gate;
    private volatile Internals internals;

    public SendHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = internals;
        if (in == null) {
            in = new Internals(lookup.lookupClass());
            internals = in;
        }
        Internals plugin = in;
        Permit permit = gate.pass(new RequestTarget(plugin, self, (URL) args[0]));
        return permit == null ? null : new Call() {
            @Override
            public Object exit(Object result) {
                answered(plugin, permit, result);
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                permit.failed(failure);
                return failure;
            }
        };
    }

    private static void answered(Internals plugin, Permit permit, Object response) {
        if (response == null) {
            permit.answered();
            return;
        }
        Body body = permit.answered(new ResponseHead(plugin, response));
        byte[] content = body == null ? null : plugin.content(response);
        if (content != null) {
            body.add(content, 0, content.length);
        }
        if (body != null) {
            body.end();
        }
    }
}
