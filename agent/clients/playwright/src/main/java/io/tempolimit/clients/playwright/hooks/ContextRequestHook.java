package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.APIRequestContext;
import com.microsoft.playwright.BrowserContext;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A browser's context gives its context of requests, which starts from the same base URL, and goes out the same way. */
public final class ContextRequestHook extends Hook {
    public ContextRequestHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        BrowserContext context = (BrowserContext) self;
        String base = BaseUrl.of(lookup, context);
        return new Call() {
            @Override
            public Object exit(Object result) {
                Proxies.same(result, context);
                if (base != null) {
                    BaseUrl.OF_REQUESTS.put((APIRequestContext) result, base);
                }
                return result;
            }
        };
    }
}
