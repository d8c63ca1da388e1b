package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.vertx.core.http.HttpClientResponse;
import java.lang.invoke.MethodHandles;

/** The head of a request's response is there, redirects included; the argument is the response. */
public final class ResponseHook extends Hook {
    public ResponseHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Permit permit = Calls.PERMITS.remove(self);
        if (permit != null) {
            Body body = permit.answered(new ResponseHead((HttpClientResponse) args[0]));
            if (body != null) {
                Calls.BODIES.put(args[0], body);
            }
        }
        return null;
    }
}
