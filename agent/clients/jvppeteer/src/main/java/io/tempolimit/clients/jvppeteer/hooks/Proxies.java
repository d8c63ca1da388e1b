package io.tempolimit.clients.jvppeteer.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import io.tempolimit.gate.WeakMap;

/** The proxies that browsers and their contexts were told to use. One that was told none goes by what its system says. */
final class Proxies {
    private static final WeakMap<Object, String> NAMED = new WeakMap<>();

    private Proxies() {
    }

    /** A browser or a context of one was made with these options. */
    static void made(Object object, Object options) {
        Object server = Names.proxyServer(options);
        String proxy = server != null ? Egress.ofUrl((String) server) : Egress.ofArguments(Names.arguments(options));
        if (proxy != null && object != null) {
            NAMED.put(object, proxy);
        }
    }

    static String of(Object page) {
        String own = NAMED.get(Names.ask(page, "browserContext"));
        String proxy = own != null ? own : NAMED.get(Names.ask(page, "browser"));
        return proxy == null ? Target.UNKNOWN : proxy;
    }
}
