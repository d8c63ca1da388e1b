package io.tempolimit.clients.awsnetty.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

/** A request's handler is to be told something. */
public final class HandlerHook extends Hook {
    public HandlerHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Hop hop = Hop.of(self);
        return hop == null ? null : new Call() {
            @Override
            public Object exit(Object handler) {
                return new TapHandler(hop, (SdkAsyncHttpResponseHandler) handler);
            }
        };
    }
}
