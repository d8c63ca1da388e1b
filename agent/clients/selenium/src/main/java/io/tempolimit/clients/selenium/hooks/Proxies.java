package io.tempolimit.clients.selenium.hooks;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.core.request.Target;
import io.tempolimit.gate.WeakMap;
import java.util.Collection;
import java.util.Map;
import org.openqa.selenium.Capabilities;
import org.openqa.selenium.HasCapabilities;
import org.openqa.selenium.Proxy;

/**
 * Which proxy a session's browser was told to use: by the capability {@code proxy}, or by Chromium's own argument. One
 * that was told none, or a script, or what its system says, is not known.
 */
final class Proxies {
    private static final String[] CHROMIUM_OPTIONS = {"goog:chromeOptions", "ms:edgeOptions"};

    /** By driver: what an argument says. */
    private final WeakMap<Object, String> byArgument = new WeakMap<>();

    /** A session begins, with one of these. */
    void begins(Object driver, Object capabilities) {
        if (capabilities instanceof Collection) {
            for (Object alternative : (Collection<?>) capabilities) {
                String proxy = alternative instanceof Capabilities ? argument((Capabilities) alternative) : null;
                if (proxy != null) {
                    byArgument.put(driver, proxy);
                }
            }
        }
    }

    private static String argument(Capabilities capabilities) {
        for (String name : CHROMIUM_OPTIONS) {
            Object options = capabilities.getCapability(name);
            Object arguments = options instanceof Map ? ((Map<?, ?>) options).get("args") : null;
            String proxy = arguments instanceof Collection ? Egress.ofArguments((Collection<?>) arguments) : null;
            if (proxy != null) {
                return proxy;
            }
        }
        return null;
    }

    PageUrl with(Object driver, PageUrl page) {
        String argument = byArgument.get(driver);
        return page.by(argument != null ? argument : byCapability(driver, page.scheme()));
    }

    private static String byCapability(Object driver, String scheme) {
        Capabilities session = ((HasCapabilities) driver).getCapabilities();
        Proxy proxy = session == null ? null : Proxy.extractFrom(session);
        if (proxy == null) {
            return Target.UNKNOWN;
        }
        if (proxy.getProxyType() == Proxy.ProxyType.DIRECT) {
            return Egress.DIRECT;
        }
        if (proxy.getProxyType() != Proxy.ProxyType.MANUAL) {
            return Target.UNKNOWN;
        }
        String own = scheme.equals("https") ? proxy.getSslProxy() : proxy.getHttpProxy();
        String any = own == null || own.isEmpty() ? proxy.getSocksProxy() : own;
        return any == null || any.isEmpty() ? Egress.DIRECT : Egress.ofUrl(any);
    }
}
