package io.tempolimit.clients.okhttp2.hooks;

import com.squareup.okhttp.Call;
import com.squareup.okhttp.Dispatcher;
import com.squareup.okhttp.OkHttpClient;
import com.squareup.okhttp.Request;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** What public types do not give: from what the dispatcher runs to its call, and from there to its request and its client. */
final class Internals {
    private static volatile Internals internals;

    private final MethodHandle callOf;
    private final MethodHandle enqueue;
    private final MethodHandle request;
    private final MethodHandle client;

    private Internals(MethodHandles.Lookup dispatcher) throws ReflectiveOperationException {
        Method toEnqueue = null;
        for (Method m : Dispatcher.class.getDeclaredMethods()) {
            if (m.getName().equals("enqueue") && m.getParameterTypes().length == 1) {
                toEnqueue = m;
            }
        }
        if (toEnqueue == null) {
            throw new NoSuchMethodException("com.squareup.okhttp.Dispatcher.enqueue");
        }
        enqueue = dispatcher.unreflect(toEnqueue).asType(MethodType.methodType(void.class, Dispatcher.class, Object.class));
        callOf = dispatcher.unreflect(toEnqueue.getParameterTypes()[0].getDeclaredMethod("get"))
                .asType(MethodType.methodType(Call.class, Object.class));
        request = dispatcher.findGetter(Call.class, "originalRequest", Request.class);
        Field toClient = Call.class.getDeclaredField("client");
        toClient.setAccessible(true); // no version of it is in a module
        client = dispatcher.unreflectGetter(toClient);
    }

    /** @param dispatcher the lookup of {@code Dispatcher} */
    static Internals by(MethodHandles.Lookup dispatcher) throws ReflectiveOperationException {
        Internals in = internals;
        if (in == null) {
            in = new Internals(dispatcher);
            internals = in;
        }
        return in;
    }

    Call call(Object asyncCall) {
        try {
            return (Call) callOf.invokeExact(asyncCall);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    Request request(Call call) {
        try {
            return (Request) request.invokeExact(call);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    OkHttpClient client(Call call) {
        try {
            return (OkHttpClient) client.invokeExact(call);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    void enqueue(Dispatcher dispatcher, Object asyncCall) {
        try {
            enqueue.invokeExact(dispatcher, asyncCall);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
