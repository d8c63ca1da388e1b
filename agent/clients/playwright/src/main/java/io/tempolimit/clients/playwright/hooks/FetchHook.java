package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.APIRequestContext;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A request outside of any page: its URL, and options. */
public final class FetchHook extends Hook {
    private final Gate gate;

    public FetchHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if (RouteFetchHook.isPagesOwn()) {
            return null;
        }
        PageUrl url = PageUrl.of((String) args[0], BaseUrl.OF_REQUESTS.get((APIRequestContext) self)).by(Proxies.ofRequests(self));
        Permit permit = Turn.await(gate, url);
        return permit == null ? null : new Fetch(gate, url, permit);
    }
}
