package io.tempolimit.clients.vertx.hooks;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.RequestOptions;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * A woven method that begins a call, and what it takes to run it again. Vert.x 4 gives it a promise, as the last argument;
 * that of Vert.x 5 returns a future, but for web sockets. Immutable.
 */
final class Beginning {
    /** Set while this thread runs the method for us: the gate that it meets first is that call's own. */
    private static final ThreadLocal<Boolean> OURS = new ThreadLocal<>();

    /** Whether the last argument is the promise that the method will keep. */
    private final boolean takesPromise;
    /** (object, arguments) to what it returns */
    private final MethodHandle method;
    /** From a promise (Vert.x 4) or a client (5) to a {@link Context} or a {@link Vertx}; null if the first argument is the context. */
    private final MethodHandle contextOf;
    /** {@code ContextInternal.promise()} */
    private final MethodHandle promise;
    /** {@code checkClosed()}, which throws; null if this client has none */
    private final MethodHandle checkClosed;

    /** @param parameters how many the method has, of this name and with a promise or options at the end */
    Beginning(MethodHandles.Lookup lookup, String[] names, int parameters) throws ReflectiveOperationException {
        Method begin = find(lookup.lookupClass(), names, parameters);
        Class<?>[] types = begin.getParameterTypes();
        Class<?> last = types[parameters - 1];
        takesPromise = Promise.class.isAssignableFrom(last);
        method = lookup.unreflect(begin).asSpreader(Object[].class, parameters)
                .asType(MethodType.methodType(Object.class, Object.class, Object[].class));
        Class<?> contextType;
        if (Context.class.isAssignableFrom(types[0])) {
            contextOf = null;
            contextType = types[0];
        } else {
            Method m = takesPromise ? last.getMethod("context") : lookup.lookupClass().getMethod("vertx");
            contextOf = lookup.unreflect(m).asType(MethodType.methodType(Object.class, Object.class));
            contextType = takesPromise ? m.getReturnType() : m.getReturnType().getMethod("getOrCreateContext").getReturnType();
        }
        promise = lookup.unreflect(contextType.getMethod("promise")).asType(MethodType.methodType(Object.class, Object.class));
        Method check = checkClosed(lookup.lookupClass());
        checkClosed = check == null ? null : lookup.unreflect(check).asType(MethodType.methodType(void.class, Object.class));
    }

    private static Method find(Class<?> type, String[] names, int parameters) throws NoSuchMethodException {
        for (Method m : type.getDeclaredMethods()) {
            Class<?>[] types = m.getParameterTypes();
            if (types.length == parameters && Arrays.asList(names).contains(m.getName())
                    && (Promise.class.isAssignableFrom(types[parameters - 1]) || types[parameters - 1] == RequestOptions.class)) {
                return m;
            }
        }
        throw new NoSuchMethodException(type.getName() + "." + names[0]);
    }

    private static Method checkClosed(Class<?> client) {
        for (Class<?> type = client; type != null; type = type.getSuperclass()) {
            for (Method m : type.getDeclaredMethods()) {
                if (m.getName().equals("checkClosed")) {
                    return m;
                }
            }
        }
        return null;
    }

    /** Whether the method has just been called by {@link #run}; true once for each. */
    static boolean isOurs() {
        if (OURS.get() == null) {
            return false;
        }
        OURS.remove();
        return true;
    }

    boolean takesPromise() {
        return takesPromise;
    }

    /** Whether the client is known to take no calls any more. */
    boolean isClosed(Object client) {
        try {
            if (checkClosed != null) {
                checkClosed.invokeExact(client);
            }
            return false;
        } catch (Throwable closed) {
            return true;
        }
    }

    /** The context on which a call with these arguments goes on. */
    Context context(Object self, Object[] args) {
        if (contextOf == null) {
            return (Context) args[0];
        }
        Object found = call(contextOf, takesPromise ? args[args.length - 1] : self);
        return found instanceof Vertx ? ((Vertx) found).getOrCreateContext() : (Context) found;
    }

    @SuppressWarnings("unchecked")
    Promise<Object> newPromise(Context context) {
        return (Promise<Object>) call(promise, context);
    }

    /** Runs the method; on the context, unless that is the application's own call. Gives what comes of it. */
    @SuppressWarnings("unchecked")
    Future<Object> run(Object self, Object[] args, Context context) throws Throwable {
        Future<Object> begun = null;
        if (takesPromise) {
            Promise<Object> ours = newPromise(context);
            args[args.length - 1] = ours;
            begun = ours.future();
        }
        Object result;
        OURS.set(true);
        try {
            result = method.invokeExact(self, args);
        } finally {
            OURS.remove();
        }
        return takesPromise ? begun : (Future<Object>) result;
    }

    private static Object call(MethodHandle handle, Object self) {
        try {
            return handle.invokeExact(self);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
