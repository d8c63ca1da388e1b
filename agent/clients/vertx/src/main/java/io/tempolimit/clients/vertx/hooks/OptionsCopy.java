package io.tempolimit.clients.vertx.hooks;

import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.lang.reflect.Method;

/** Options as they are when a call begins to wait: the client would have read them by then, so applications use them again. */
final class OptionsCopy {
    /** Since 5.0, where the copying constructor forgets it; null before. */
    private static final Method ROUTING_KEY = method("getRoutingKey");
    private static final Method SET_ROUTING_KEY = method("setRoutingKey", String.class);

    private OptionsCopy() {
    }

    /** Puts copies in their place. */
    static void in(Object[] args) {
        for (int i = 0; i < args.length; i++) {
            if (args[i] instanceof WebSocketConnectOptions) {
                args[i] = new WebSocketConnectOptions((WebSocketConnectOptions) args[i]);
            } else if (args[i] instanceof RequestOptions) {
                args[i] = copy((RequestOptions) args[i]);
            }
        }
    }

    private static RequestOptions copy(RequestOptions options) {
        RequestOptions copy = new RequestOptions(options);
        if (ROUTING_KEY != null) {
            try {
                SET_ROUTING_KEY.invoke(copy, ROUTING_KEY.invoke(options));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return copy;
    }

    private static Method method(String name, Class<?>... parameters) {
        try {
            return RequestOptions.class.getMethod(name, parameters);
        } catch (NoSuchMethodException older) {
            return null;
        }
    }
}
