package io.tempolimit.clients.netty.hooks;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.weave.Senders;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;

/**
 * What a channel writes with, and for how long it may be idle, by its handlers. They are known by name: some are of jars that may not be
 * there.
 */
final class Transport {
    /** Looked up once, since each request asks for it; null if its jar is not there. */
    private static final Class<? extends ChannelHandler> TLS = tls();
    private static final Method ENGINE = engine();
    private static final String IDLE = "io.netty.handler.timeout.IdleStateHandler";
    /** Their time runs while a message is held, or they tell it to nobody. */
    private static final String[] IMPATIENT = {"io.netty.handler.timeout.WriteTimeoutHandler",
        "io.netty.handler.timeout.ReadTimeoutHandler"}; // to 4.0 it is no IdleStateHandler
    private static final String ARMERIA = "com.linecorp.armeria.";
    private static final String[] TIMES = {"getReaderIdleTimeInMillis", "getWriterIdleTimeInMillis", "getAllIdleTimeInMillis"};

    private Transport() {
    }

    private static Class<? extends ChannelHandler> tls() {
        try {
            ClassLoader loader = Transport.class.getClassLoader();
            return Class.forName("io.netty.handler.ssl.SslHandler", false, loader).asSubclass(ChannelHandler.class);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    private static Method engine() {
        try {
            return TLS == null ? null : TLS.getMethod("engine");
        } catch (NoSuchMethodException | LinkageError e) {
            return null;
        }
    }

    /** Whether what is encoded there reaches the network by no class of the JDK. */
    static boolean ofItsOwn(ChannelHandlerContext context) {
        Channel channel = context.channel();
        String name = channel.getClass().getName();
        if (name.startsWith("io.netty.channel.embedded.") || name.startsWith("io.netty.channel.local.")) {
            return false; // no network
        }
        ChannelHandler tls = tls(context);
        if (tls != null) {
            String engine = engine(tls);
            return engine.contains("OpenSsl") || engine.contains("Conscrypt");
        }
        return name.contains(".epoll.") || name.contains(".kqueue.") || name.contains(".uring.");
    }

    /** The host that the channel is connected to, in canonical form; null if that is none. */
    static String peer(ChannelHandlerContext context) {
        SocketAddress peer = context.channel().remoteAddress();
        return peer instanceof InetSocketAddress ? Hosts.canonical(((InetSocketAddress) peer).getHostString()) : null; // looks up nothing
    }

    /** What secures the channel; null if nothing does. */
    static ChannelHandler tls(ChannelHandlerContext context) {
        return TLS == null ? null : context.pipeline().get(TLS);
    }

    /** Whether a client that is woven has made the channel: it has handlers of its own there. Who writes to it need not be on the stack. */
    static boolean ofWovenClient(ChannelHandlerContext context, Senders senders) {
        for (Map.Entry<String, ChannelHandler> e : context.pipeline()) {
            if (senders.isOfWovenProject(e.getValue().getClass().getName())) {
                return true;
            }
        }
        return false;
    }

    /** Nanoseconds for which nothing may be sent or read there; {@link Long#MAX_VALUE} if nobody minds, 0 if it is not known. */
    static long mayBeIdle(ChannelHandlerContext context) {
        long least = Long.MAX_VALUE;
        for (Map.Entry<String, ChannelHandler> e : context.pipeline()) {
            ChannelHandler handler = e.getValue();
            if (handler.getClass().getName().startsWith(ARMERIA)) {
                return 0; // its write timeout runs
            }
            Class<?> idle = named(handler.getClass(), IDLE);
            if (idle != null) {
                least = Math.min(least, idleTime(idle, handler));
                continue;
            }
            for (String impatient : IMPATIENT) {
                if (named(handler.getClass(), impatient) != null) {
                    return 0;
                }
            }
        }
        return least;
    }

    /** The class itself, or the one above it, that has this name; null if there is none. */
    private static Class<?> named(Class<?> type, String name) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (c.getName().equals(name)) {
                return c;
            }
        }
        return null;
    }

    private static String engine(ChannelHandler tls) {
        try {
            return ENGINE == null ? "" : ENGINE.invoke(tls).getClass().getName();
        } catch (ReflectiveOperationException e) {
            return "";
        }
    }

    private static long idleTime(Class<?> type, Object handler) {
        long least = Long.MAX_VALUE;
        try {
            for (String time : TIMES) {
                Method get = type.getMethod(time);
                long millis = (Long) get.invoke(handler);
                least = millis > 0 ? Math.min(least, millis * 1_000_000) : least;
            }
        } catch (ReflectiveOperationException e) {
            return 0;
        }
        return least;
    }
}
