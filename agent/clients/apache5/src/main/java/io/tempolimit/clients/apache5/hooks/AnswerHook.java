package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpRequest;

/** A classic request goes over its connection, or one that asks a proxy for a tunnel does; it is the second argument. */
public final class AnswerHook extends Hook {
    private final Gate gate;

    public AnswerHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Exchange exchange = Exchange.current();
        return exchange == null || ((HttpRequest) args[1]).getMethod().equals("CONNECT") ? null : new Call() {
            @Override
            public Object exit(Object result) {
                exchange.answered(gate, (ClassicHttpResponse) result, self);
                return result;
            }
        };
    }
}
