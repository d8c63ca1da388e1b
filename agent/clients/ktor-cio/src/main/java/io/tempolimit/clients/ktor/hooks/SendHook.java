package io.tempolimit.clients.ktor.hooks;

import io.ktor.client.engine.HttpClientEngine;
import io.ktor.client.request.HttpRequestData;
import io.ktor.client.request.HttpResponseData;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import java.lang.invoke.MethodHandles;
import java.net.Proxy;
import kotlin.coroutines.Continuation;

/** One hop; the arguments are the request and the continuation, the field is the engine's proxy. */
public final class SendHook extends Hook {
    private final Gate gate;

    public SendHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if (args[0] == null || args[1] instanceof Hop || CloseHook.CLOSED.isClosed(self)) {
            return null; // it goes on after it was suspended, or we have begun it; or the engine will say that it is closed
        }
        HttpRequestData request = (HttpRequestData) args[0];
        Permit permit = gate.arrive(new RequestTarget(request, (Proxy) args[2]));
        if (permit == null) {
            return null;
        }
        Hop hop = new Hop(gate, permit, (HttpClientEngine) self, request, (Continuation<? super HttpResponseData>) args[1]);
        if (permit.waiting()) {
            return hop.hold();
        }
        try {
            return hop.send();
        } catch (Throwable t) {
            throw new Refusal(t); // the engine's own
        }
    }
}
