package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.Page;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A page is loaded again, or goes back or forward. */
public final class HistoryHook extends Hook {
    private final Gate gate;

    public HistoryHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        return Load.begin(gate, ((Page) self).mainFrame(), PageUrl.of(((Page) self).url()).by(Proxies.of(((Page) self).context())));
    }
}
