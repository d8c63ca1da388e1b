package io.tempolimit.clients.jetty.hooks;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpConversation;
import org.eclipse.jetty.client.HttpExchange;
import org.eclipse.jetty.client.TimeoutCompleteListener;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The total timeout in versions that have it as a listener of the request (up to 9.4.4x and 10.0.x): that of a call's
 * first request runs until the whole call is done. It stands still while a hop waits, and begins anew after that. MUST
 * NOT be loaded in version 12, which has no such type.
 */
final class TimeoutListeners {
    private static final Method CANCEL = method("cancel");
    /** Before 9.4.9, by the timeout of its request. */
    private static final Method SCHEDULE = method("schedule", Scheduler.class);
    private static final Method SCHEDULE_IN = method("schedule", long.class, TimeUnit.class);

    private final List<TimeoutCompleteListener> found = new ArrayList<>();
    private final Scheduler scheduler;
    private long millis;

    /**
     * @param conversation an {@code HttpConversation}
     * @param listeners    of a request that is not part of its conversation yet
     */
    TimeoutListeners(Object conversation, List<?> listeners, Scheduler scheduler) {
        this.scheduler = scheduler;
        add(listeners);
        HttpExchange first = ((HttpConversation) conversation).getExchanges().peekFirst();
        if (first != null) { // not of those between: once they are answered, their listeners serve other calls
            millis = first.getRequest().getTimeout();
            add(first.getResponseListeners());
        }
    }

    private static Method method(String name, Class<?>... arguments) {
        try {
            return TimeoutCompleteListener.class.getMethod(name, arguments);
        } catch (NoSuchMethodException otherVersion) {
            return null;
        }
    }

    private void add(List<?> listeners) {
        for (Object listener : listeners) {
            if (listener instanceof TimeoutCompleteListener) {
                found.add((TimeoutCompleteListener) listener);
            }
        }
    }

    void stop() {
        for (TimeoutCompleteListener listener : found) {
            call(CANCEL, listener);
        }
    }

    void start() {
        for (TimeoutCompleteListener listener : found) {
            if (SCHEDULE != null) {
                call(SCHEDULE, listener, scheduler);
            } else {
                call(SCHEDULE_IN, listener, millis, TimeUnit.MILLISECONDS);
            }
        }
    }

    private static void call(Method method, TimeoutCompleteListener listener, Object... arguments) {
        try {
            method.invoke(listener, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
