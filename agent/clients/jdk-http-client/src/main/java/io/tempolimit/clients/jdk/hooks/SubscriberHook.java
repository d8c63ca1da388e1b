package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * Something happens to a body's subscriber: the client's own, which hands it on to the application's. The argument is a
 * list of buffers, the failure or null at the end, or there is none, when the application cancels it. Before Java 20 it
 * is its subscription that is cancelled, and then that is an argument before; and there the field is the application's
 * subscriber.
 */
public final class SubscriberHook extends Hook {
    /** Whether the client has one such subscriber for all versions of HTTP: since Java 20. */
    static final boolean WRAPS_ALL = wrapsAll();
    /**
     * Who is to see the body, by the subscriber that {@link BodyHook} has met: the client's own where it has one for
     * all, else the application's; and then by its subscription too.
     */
    static final WeakMap<Object, Body> BODIES = new WeakMap<>(Body::cut);

    public SubscriberHook(Gate gate) {
    }

    private static boolean wrapsAll() {
        try {
            Class.forName("jdk.internal.net.http.common.HttpBodySubscriberWrapper", false, ClassLoader.getPlatformClassLoader());
            return true;
        } catch (ClassNotFoundException older) {
            return false;
        }
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Object subscriber = WRAPS_ALL || args.length == 0 ? self : args[1];
        Body body = BODIES.get(subscriber);
        if (body == null) {
            return null;
        }
        if (args.length > 0 && args[0] instanceof List) {
            for (Object buffer : (List<?>) args[0]) {
                body.add((ByteBuffer) buffer);
            }
        } else if (args.length > 0 && args[0] instanceof Flow.Subscription) {
            BODIES.put(args[0], body);
        } else {
            BODIES.remove(subscriber);
            if (args.length > 0 && args[0] == null) {
                body.end();
            } else {
                body.cut();
            }
        }
        return null;
    }
}
