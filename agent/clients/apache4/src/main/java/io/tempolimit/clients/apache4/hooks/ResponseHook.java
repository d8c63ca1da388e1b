package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.http.HttpResponse;

/**
 * A response is about to be given to the application: the response as it came, and what holds its connection, or null
 * if it has no body.
 */
public final class ResponseHook extends Hook {
    private final Gate gate;

    public ResponseHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop hop = Hop.current();
        if (hop != null) {
            hop.ends(gate, (HttpResponse) args[0], args[1]);
        }
        return null;
    }
}
