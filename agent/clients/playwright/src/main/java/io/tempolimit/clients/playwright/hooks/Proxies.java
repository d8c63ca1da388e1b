package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.APIRequest;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.options.Proxy;
import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import io.tempolimit.gate.WeakMap;
import java.util.List;

/**
 * The proxies that browsers, their contexts and contexts of requests were told to use. One that was told none goes by
 * what its system says.
 */
final class Proxies {
    private static final WeakMap<Object, String> NAMED = new WeakMap<>();

    private Proxies() {
    }

    /** What was made with these options. */
    static void made(Object object, Object options) {
        String proxy = named(options);
        if (proxy != null && object != null) {
            NAMED.put(object, proxy);
        }
    }

    /** A context of requests goes out as the browser's context does that it is of. */
    static void same(Object requests, BrowserContext context) {
        NAMED.put(requests, of(context));
    }

    static String of(BrowserContext context) {
        String own = NAMED.get(context);
        Browser browser = own == null ? context.browser() : null;
        String browsers = browser == null ? own : NAMED.get(browser);
        return browsers == null ? Target.UNKNOWN : browsers;
    }

    static String ofRequests(Object requests) {
        String own = NAMED.get(requests);
        return own == null ? Target.UNKNOWN : own;
    }

    /** Null if they name none. */
    private static String named(Object options) {
        if (options instanceof BrowserType.LaunchOptions) {
            return named(((BrowserType.LaunchOptions) options).proxy, ((BrowserType.LaunchOptions) options).args);
        }
        if (options instanceof BrowserType.LaunchPersistentContextOptions) {
            return named(((BrowserType.LaunchPersistentContextOptions) options).proxy,
                    ((BrowserType.LaunchPersistentContextOptions) options).args);
        }
        if (options instanceof Browser.NewContextOptions) {
            return named(((Browser.NewContextOptions) options).proxy, null);
        }
        return options instanceof APIRequest.NewContextOptions ? named(((APIRequest.NewContextOptions) options).proxy, null) : null;
    }

    private static String named(Proxy proxy, List<String> arguments) {
        return proxy != null ? Egress.ofUrl(proxy.server) : Egress.ofArguments(arguments);
    }
}
