package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.APIRequest;
import com.microsoft.playwright.APIRequestContext;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A context of requests is made; its options, which it does not keep, may name a base URL and a proxy. */
public final class NewContextHook extends Hook {
    public NewContextHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        APIRequest.NewContextOptions options = (APIRequest.NewContextOptions) args[0];
        String base = options == null ? null : options.baseURL;
        return options == null ? null : new Call() {
            @Override
            public Object exit(Object result) {
                Proxies.made(result, options);
                if (base != null) {
                    BaseUrl.OF_REQUESTS.put((APIRequestContext) result, base);
                }
                return result;
            }
        };
    }
}
