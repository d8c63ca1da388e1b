package io.tempolimit.clients.okhttp.hooks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import okhttp3.Response;

/** When a response was asked for and when it came, which it knows since 3.4. */
final class Times {
    private static final MethodHandle SENT = setter("sentRequestAtMillis");
    private static final MethodHandle RECEIVED = setter("receivedResponseAtMillis");

    private Times() {
    }

    private static MethodHandle setter(String name) {
        try {
            MethodType type = MethodType.methodType(Response.Builder.class, long.class);
            return MethodHandles.publicLookup().findVirtual(Response.Builder.class, name, type);
        } catch (NoSuchMethodException | IllegalAccessException older) {
            return null;
        }
    }

    /** Both are this moment. */
    static void setNow(Response.Builder response) {
        if (SENT == null) {
            return;
        }
        long now = System.currentTimeMillis();
        try {
            SENT.invoke(response, now);
            RECEIVED.invoke(response, now);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
