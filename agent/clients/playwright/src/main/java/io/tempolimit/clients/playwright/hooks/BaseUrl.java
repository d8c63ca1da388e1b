package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.APIRequestContext;
import com.microsoft.playwright.BrowserContext;
import io.tempolimit.gate.WeakMap;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;

/** What relative URLs start from. */
final class BaseUrl {
    /** Of the contexts of requests; those that have none are not in it. */
    static final WeakMap<APIRequestContext, String> OF_REQUESTS = new WeakMap<>();
    /** {@code BrowserContextImpl.baseUrl}, a method or (in older versions) a field; null before there was one. */
    private static volatile MethodHandle baseUrl;
    private static volatile boolean sought;

    private BaseUrl() {
    }

    /** The context's base; null if it has none. */
    static String of(MethodHandles.Lookup lookup, BrowserContext context) {
        if (!sought) {
            baseUrl = seek(lookup, context.getClass());
            sought = true;
        }
        try {
            URL base = baseUrl == null ? null : (URL) baseUrl.invokeExact(context);
            return base == null ? null : base.toString();
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private static MethodHandle seek(MethodHandles.Lookup lookup, Class<?> impl) {
        MethodHandle handle;
        try {
            handle = lookup.findVirtual(impl, "baseUrl", MethodType.methodType(URL.class));
        } catch (ReflectiveOperationException older) {
            try {
                handle = lookup.findGetter(impl, "baseUrl", URL.class);
            } catch (ReflectiveOperationException evenOlder) {
                return null;
            }
        }
        return handle.asType(MethodType.methodType(URL.class, BrowserContext.class));
    }
}
