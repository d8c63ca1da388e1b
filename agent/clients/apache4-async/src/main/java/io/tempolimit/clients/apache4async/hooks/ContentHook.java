package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import io.tempolimit.weave.Stack;
import java.lang.invoke.MethodHandles;
import org.apache.http.nio.ContentDecoder;
import org.apache.http.nio.IOControl;
import org.apache.http.nio.protocol.HttpAsyncClientExchangeHandler;

/** Some of a response's body can be read, from the first argument. */
public final class ContentHook extends Hook {
    public ContentHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Refusal {
        if (args[0] instanceof TapDecoder) {
            return null;
        }
        Exchange exchange = Exchange.of(self);
        TapDecoder tap = exchange == null ? null : exchange.tap((ContentDecoder) args[0]);
        if (tap == null) {
            return null;
        }
        try {
            ((HttpAsyncClientExchangeHandler) self).consumeContent(tap, (IOControl) args[1]);
        } catch (Throwable t) {
            Stack.clean(t);
            throw new Refusal(t);
        }
        return tap;
    }
}
