package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.weave.Call;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import okhttp3.Interceptor;

/** From a chain to its call: since 3.9 it tells, before that the call is the one that runs on the thread. */
final class CallOf {
    private static final MethodHandle GETTER = getter();
    private static final ThreadLocal<okhttp3.Call> RUNNING = new ThreadLocal<>();

    private CallOf() {
    }

    private static MethodHandle getter() {
        try {
            return MethodHandles.publicLookup().findVirtual(Interceptor.Chain.class, "call", MethodType.methodType(okhttp3.Call.class));
        } catch (NoSuchMethodException | IllegalAccessException older) {
            return null;
        }
    }

    static okhttp3.Call chain(Interceptor.Chain chain) {
        if (GETTER == null) {
            return current();
        }
        try {
            return (okhttp3.Call) GETTER.invokeExact(chain);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** The one that runs on this thread; null if there is none, as with {@code OkUrlFactory}. */
    static okhttp3.Call current() {
        return RUNNING.get();
    }

    /** This call runs; null where its chain tells of it. */
    static Call runs(okhttp3.Call call) {
        if (GETTER != null) {
            return null;
        }
        okhttp3.Call outer = RUNNING.get(); // whose interceptor makes a call of its own
        RUNNING.set(call);
        return new Call() {
            @Override
            public Object exit(Object result) {
                over();
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                over();
                return failure;
            }

            private void over() {
                if (outer == null) {
                    RUNNING.remove();
                } else {
                    RUNNING.set(outer);
                }
            }
        };
    }
}
