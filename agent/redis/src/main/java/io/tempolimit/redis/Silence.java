package io.tempolimit.redis;

import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.lang.reflect.Proxy;

/** lettuce and netty log nothing: what they would say names addresses, and goes to wherever they find a log. */
final class Silence extends InternalLoggerFactory {
    private static final InternalLogger NONE = (InternalLogger) Proxy.newProxyInstance(Silence.class.getClassLoader(),
            new Class<?>[] {InternalLogger.class}, (proxy, method, arguments) ->
                    method.getReturnType() == boolean.class ? Boolean.FALSE : method.getReturnType() == String.class ? "none" : null);

    @Override
    protected InternalLogger newInstance(String name) {
        return NONE;
    }
}
