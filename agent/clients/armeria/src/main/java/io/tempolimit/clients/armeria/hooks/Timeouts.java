package io.tempolimit.clients.armeria.hooks;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.common.util.TimeoutMode;
import io.netty.util.AttributeKey;
import io.tempolimit.gate.WeakMap;
import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Those timeouts of a call that have begun before its hop waits. */
final class Timeouts {
    private static final String RETRIES = "com.linecorp.armeria.client.retry.AbstractRetryingClient$State";
    /**
     * What {@code ClientRequestContext} says of when the response's timeout begins; null in versions where it cannot
     * begin so early.
     */
    private static final Method MODE = mode();
    /** By what is known of a call's attempts: nanoseconds for which they have waited. */
    private static final WeakMap<Object, AtomicLong> WAITED = new WeakMap<>();

    private Timeouts() {
    }

    private static Method mode() {
        try {
            return ClientRequestContext.class.getMethod("responseTimeoutMode");
        } catch (NoSuchMethodException older) {
            return null;
        }
    }

    /**
     * A hop is about to wait.
     *
     * @return milliseconds, for {@link #goOn}; 0 if no timeout of the response runs
     */
    static long stop(ClientRequestContext context) {
        if (MODE == null || !fromStart(context)) {
            return 0;
        }
        long timeout = context.responseTimeoutMillis();
        context.clearResponseTimeout();
        return timeout;
    }

    private static boolean fromStart(ClientRequestContext context) {
        try {
            return ((Enum<?>) MODE.invoke(context)).name().equals("FROM_START");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The wait is over.
     *
     * @param timeout milliseconds, of {@link #stop}
     * @param waited  nanoseconds
     */
    static void goOn(ClientRequestContext context, long timeout, long waited) {
        if (timeout > 0) {
            context.setResponseTimeoutMillis(TimeoutMode.SET_FROM_NOW, timeout);
        }
        for (Iterator<Map.Entry<AttributeKey<?>, Object>> all = context.attrs(); all.hasNext(); ) {
            Object value = all.next().getValue();
            if (value != null && value.getClass().getName().equals(RETRIES)) {
                AtomicLong sum = WAITED.get(value);
                if (sum == null) { // attempts of one call come one after the other
                    sum = new AtomicLong();
                    WAITED.put(value, sum);
                }
                sum.addAndGet(waited);
            }
        }
    }

    /** For how many milliseconds the attempts of a call have waited. */
    static long waitedMillis(Object retries) {
        AtomicLong sum = WAITED.get(retries);
        return sum == null ? 0 : sum.get() / 1_000_000;
    }
}
