package io.tempolimit.clients.okhttp.hooks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.net.CookieHandler;
import java.net.Proxy;
import java.util.concurrent.ExecutorService;
import okhttp3.Cache;
import okhttp3.Call;
import okhttp3.CookieJar;
import okhttp3.Dispatcher;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/** What OkHttp 2 names otherwise than 3 and later. There a call is a class, and here an interface; so a hook asks nothing of a call by itself. */
final class Names {
    private static final MethodHandle URL = method(Request.class, HttpUrl.class, "url", "httpUrl");
    private static final MethodHandle PROXY = method(OkHttpClient.class, Proxy.class, "proxy", "getProxy");
    private static final MethodHandle CACHE = method(OkHttpClient.class, Cache.class, "cache", "getCache");
    private static final MethodHandle EXECUTOR = method(Dispatcher.class, ExecutorService.class, "executorService", "getExecutorService");
    private static final MethodHandle COOKIE_HANDLER = method(OkHttpClient.class, CookieHandler.class, "getCookieHandler");
    private static final MethodHandle CANCEL = method(Call.class, void.class, "cancel");
    private static final MethodHandle IS_CANCELED = method(Call.class, boolean.class, "isCanceled");
    private static final MethodHandle REQUEST = request();

    private Names() {
    }

    /** The first of the public methods that is there, of an object and returning one; null if none is. */
    private static MethodHandle method(Class<?> type, Class<?> result, String... names) {
        for (String name : names) {
            try {
                return general(MethodHandles.publicLookup().findVirtual(type, name, MethodType.methodType(result)));
            } catch (NoSuchMethodException | IllegalAccessException other) {
                // the next one, then
            }
        }
        return null;
    }

    private static MethodHandle general(MethodHandle handle) {
        return handle.asType(MethodType.methodType(Object.class, Object.class));
    }

    private static MethodHandle request() {
        MethodHandle method = method(Call.class, Request.class, "request");
        if (method != null) {
            return method;
        }
        try {
            Field field = Call.class.getDeclaredField("originalRequest");
            field.setAccessible(true); // OkHttp 2 is in no module
            return general(MethodHandles.publicLookup().unreflectGetter(field));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static HttpUrl url(Request request) {
        return (HttpUrl) ask(URL, request);
    }

    /** That the client was told to use; null if none. */
    static Proxy proxy(OkHttpClient client) {
        return (Proxy) ask(PROXY, client);
    }

    static boolean hasCache(OkHttpClient client) {
        return ask(CACHE, client) != null;
    }

    static boolean addsCookies(OkHttpClient client) {
        return COOKIE_HANDLER == null ? client.cookieJar() != CookieJar.NO_COOKIES : ask(COOKIE_HANDLER, client) != null;
    }

    static ExecutorService executor(Dispatcher dispatcher) {
        return (ExecutorService) ask(EXECUTOR, dispatcher);
    }

    /** What the application has asked for. */
    static Request request(Call call) {
        return (Request) ask(REQUEST, call);
    }

    static boolean isCanceled(Call call) {
        return (Boolean) ask(IS_CANCELED, call);
    }

    static void cancel(Call call) {
        ask(CANCEL, call);
    }

    private static Object ask(MethodHandle method, Object self) {
        try {
            return method.invokeExact(self);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
