package io.tempolimit.clients.jvppeteer.hooks;

import io.tempolimit.core.Unseen;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A web socket to the browser is opened; the first argument is its URL. Another thread writes the handshake. */
public final class ConnectHook extends Hook {
    private final Unseen unseen;

    public ConnectHook(Gate gate) {
        unseen = gate.limiter().unseen();
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        unseen.announced(PageUrl.of(((String) args[0]).replaceFirst("^ws", "http")).host());
        return null;
    }
}
