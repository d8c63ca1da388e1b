package io.tempolimit.clients.okhttp.hooks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import okhttp3.Call;
import okhttp3.OkHttpClient;

/** From a call to its client, which no public type tells. */
final class ClientOf {
    private static volatile MethodHandle getter;

    private ClientOf() {
    }

    /** @param lookup of any class of the client's */
    static OkHttpClient of(MethodHandles.Lookup lookup, Call call) {
        try {
            MethodHandle g = getter;
            if (g == null) {
                g = getter(lookup, call.getClass()).asType(MethodType.methodType(OkHttpClient.class, Call.class));
                getter = g;
            }
            return (OkHttpClient) g.invokeExact(call);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private static MethodHandle getter(MethodHandles.Lookup lookup, Class<?> realCall) throws ReflectiveOperationException {
        for (Method m : realCall.getDeclaredMethods()) {
            if (m.getName().equals("getClient") && m.getParameterTypes().length == 0) {
                return lookup.unreflect(m);
            }
        }
        Class<?> declares = Call.class.isInterface() ? realCall : Call.class; // in OkHttp 2 an application may extend it
        Field field = declares.getDeclaredField("client"); // up to 3.14, which is in no module
        field.setAccessible(true);
        return lookup.unreflectGetter(field);
    }
}
