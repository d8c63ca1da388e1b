package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Frame;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A page or a frame goes to a URL: that, and options. */
public final class NavigateHook extends Hook {
    private final Gate gate;

    public NavigateHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        BrowserContext context = ((Frame) self).page().context();
        return Load.begin(gate, (Frame) self, PageUrl.of((String) args[0], BaseUrl.of(lookup, context)).by(Proxies.of(context)));
    }
}
