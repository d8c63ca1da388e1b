package io.tempolimit.clients.okhttp.hooks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import okhttp3.Call;
import okio.AsyncTimeout;
import okio.Timeout;

/** The timeout of a call as a whole, which there is since 3.12. */
final class CallTimeout {
    private static final MethodHandle GETTER = getter();

    private CallTimeout() {
    }

    private static MethodHandle getter() {
        try {
            return MethodHandles.publicLookup().findVirtual(Call.class, "timeout", MethodType.methodType(Timeout.class));
        } catch (NoSuchMethodException | IllegalAccessException older) {
            return null;
        }
    }

    /** Null if there is none. */
    static AsyncTimeout of(Call call) {
        try {
            Timeout timeout = GETTER == null ? null : (Timeout) GETTER.invokeExact(call);
            return timeout instanceof AsyncTimeout ? (AsyncTimeout) timeout : null;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
