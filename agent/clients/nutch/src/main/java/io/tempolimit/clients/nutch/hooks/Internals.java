package io.tempolimit.clients.nutch.hooks;

import static io.tempolimit.weave.Methods.invoke;

import java.lang.reflect.Method;
import java.net.URL;

/** The plugin and its answers, by the names of their public methods. */
final class Internals {
    private final Method userAgent;
    private final Method usesProxy;
    private final Method proxyHost;
    private final Method proxyPort;
    private final Method code;
    private final Method content;
    private final Method headers;
    private final Method names;
    private final Method values;

    /** @param http the plugin's class */
    Internals(Class<?> http) throws ReflectiveOperationException {
        userAgent = http.getMethod("getUserAgent");
        usesProxy = usesProxy(http);
        proxyHost = http.getMethod("getProxyHost");
        proxyPort = http.getMethod("getProxyPort");
        Class<?> response = Class.forName("org.apache.nutch.net.protocols.Response", false, http.getClassLoader());
        code = response.getMethod("getCode");
        content = response.getMethod("getContent");
        headers = response.getMethod("getHeaders");
        names = headers.getReturnType().getMethod("names");
        values = headers.getReturnType().getMethod("getValues", String.class);
    }

    /** Newer versions leave out some hosts. */
    private static Method usesProxy(Class<?> http) throws NoSuchMethodException {
        try {
            return http.getMethod("useProxy", URL.class);
        } catch (NoSuchMethodException older) {
            return http.getMethod("useProxy");
        }
    }

    /** The user agent; null if none is set. */
    String userAgent(Object http) {
        return (String) invoke(userAgent, http);
    }

    boolean usesProxy(Object http, URL url) {
        return (Boolean) (usesProxy.getParameterTypes().length == 0 ? invoke(usesProxy, http) : invoke(usesProxy, http, url));
    }

    String proxyHost(Object http) {
        return (String) invoke(proxyHost, http);
    }

    int proxyPort(Object http) {
        return (Integer) invoke(proxyPort, http);
    }

    int code(Object response) {
        return (Integer) invoke(code, response);
    }

    /** The decoded body; null if there is none. */
    byte[] content(Object response) {
        return (byte[]) invoke(content, response);
    }

    Object headers(Object response) {
        return invoke(headers, response);
    }

    String[] names(Object metadata) {
        return (String[]) invoke(names, metadata);
    }

    String[] values(Object metadata, String name) {
        return (String[]) invoke(values, metadata, name);
    }
}
