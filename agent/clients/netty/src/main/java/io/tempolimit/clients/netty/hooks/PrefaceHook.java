package io.tempolimit.clients.netty.hooks;

import io.netty.channel.ChannelHandlerContext;
import io.tempolimit.core.Unseen;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;

/**
 * An HTTP/2 connection may begin; the arguments are its context, whether it has begun before, and the handler of the connection. Counts
 * what no class of the JDK will write.
 */
public final class PrefaceHook extends Hook {
    private final Gate gate;

    public PrefaceHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        ChannelHandlerContext context = (ChannelHandlerContext) args[0];
        if ((Boolean) args[1] || !context.channel().isActive() || !Transport.ofItsOwn(context) || isServer(args[2])
                || Transport.ofWovenClient(context, gate.senders())) {
            return null;
        }
        String host = Transport.peer(context);
        Unseen unseen = gate.limiter().unseen();
        if (host != null && !unseen.expects(host)) {
            unseen.sent(host, true, gate.senders().naming());
        }
        return null;
    }

    /** Asked by names: Netty has had HTTP/2 since a later version than the one that the hooks are compiled against. */
    private static boolean isServer(Object handler) {
        try {
            Method connection = handler.getClass().getMethod("connection");
            return (Boolean) connection.getReturnType().getMethod("isServer").invoke(connection.invoke(handler));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.toString(), e);
        }
    }
}
