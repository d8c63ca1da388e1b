package io.tempolimit.clients.jvppeteer.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A browser, or a context of one, is made; the argument is its options. */
public final class ProxyHook extends Hook {
    public ProxyHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return args[0] == null ? null : new Call() {
            @Override
            public Object exit(Object result) {
                Proxies.made(result, args[0]);
                return result;
            }
        };
    }
}
