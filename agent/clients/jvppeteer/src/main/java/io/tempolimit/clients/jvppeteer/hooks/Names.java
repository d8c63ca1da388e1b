package io.tempolimit.clients.jvppeteer.hooks;

import com.ruiyun.jvppeteer.exception.TimeoutException;
import io.tempolimit.weave.browser.Answer;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Asks jvppeteer's objects by the names of their public methods. The versions share these, but no packages. */
final class Names {
    private static final String EXCEPTIONS = TimeoutException.class.getName().replace("TimeoutException", "");

    private Names() {
    }

    /** What this method without arguments gives. A page takes many times as long to load. */
    static Object ask(Object self, String name) {
        try {
            return self.getClass().getMethod(name).invoke(self);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of a frame or a request. */
    static String url(Object self) {
        return (String) ask(self, "url");
    }

    private static boolean has(Object self, String name) {
        try {
            return self.getClass().getMethod(name) != null;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    static Object page(Object frame) {
        return has(frame, "page") ? ask(frame, "page") : ask(ask(frame, "getFrameManager"), "getPage"); // version 1
    }

    /** Without which a page cannot send: this one; or, if it is a frame of BiDi's, its context. */
    static Object session(MethodHandles.Lookup lookup, Object sessionOrFrame) {
        try {
            Field context = sessionOrFrame.getClass().getDeclaredField("browsingContext");
            return lookup.unreflectGetter(context).invoke(sessionOrFrame);
        } catch (NoSuchFieldException session) {
            return sessionOrFrame;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** What the browser was told as proxy, by the options for it or for one of its contexts; null if nothing. */
    static Object proxyServer(Object options) {
        return has(options, "getProxyServer") ? ask(options, "getProxyServer") : null;
    }

    static Iterable<?> arguments(Object options) {
        return has(options, "getArgs") ? (Iterable<?>) ask(options, "getArgs") : null;
    }

    /** The URLs that led to this response, the last of which is its own. */
    static List<String> hops(Object response) {
        Object last = ask(response, "request");
        List<String> urls = new ArrayList<>();
        for (Object redirected : (List<?>) ask(last, "redirectChain")) {
            urls.add(url(redirected));
        }
        urls.add(url(last));
        return urls;
    }

    /** Null if it came from the browser's cache. */
    static Answer answer(Object response) {
        return (Boolean) ask(response, "fromCache") ? null : new Answer((Integer) ask(response, "status"), headers(response));
    }

    @SuppressWarnings("unchecked")
    private static Iterable<Map.Entry<String, String>> headers(Object response) {
        Object headers = ask(response, "headers");
        if (headers instanceof Map) {
            return ((Map<String, String>) headers).entrySet();
        }
        List<Map.Entry<String, String>> entries = new ArrayList<>(); // from version 3 on
        for (Object header : (List<?>) headers) {
            entries.add(new AbstractMap.SimpleEntry<>((String) ask(header, "getName"), (String) ask(header, "getValue")));
        }
        return entries;
    }

    /** The client's own, with this as its cause. */
    static Throwable exception(Exception why) throws ReflectiveOperationException {
        return (Throwable) kind().getConstructor(String.class, Throwable.class).newInstance(why.getMessage(), why);
    }

    private static Class<?> kind() throws ClassNotFoundException {
        try {
            return Class.forName(EXCEPTIONS + "JvppeteerException");
        } catch (ClassNotFoundException older) {
            return Class.forName(EXCEPTIONS + "NavigateException");
        }
    }
}
