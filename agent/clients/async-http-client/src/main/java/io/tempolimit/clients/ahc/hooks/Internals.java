package io.tempolimit.clients.ahc.hooks;

import io.netty.channel.Channel;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import org.asynchttpclient.AsyncHandler;
import org.asynchttpclient.AsyncHttpClientConfig;
import org.asynchttpclient.Realm;
import org.asynchttpclient.Request;
import org.asynchttpclient.netty.NettyResponseFuture;
import org.asynchttpclient.netty.channel.ChannelManager;
import org.asynchttpclient.netty.request.NettyRequest;
import org.asynchttpclient.netty.request.NettyRequestSender;
import org.asynchttpclient.proxy.ProxyServer;

/** What is not public, or has another name in another version. */
final class Internals {
    /** The woven method; the sender and its arguments. */
    private final MethodHandle send;
    /** Where among the arguments the proxy is. */
    private final int proxy;
    private final MethodHandle newFuture;
    private final MethodHandle reusesConnection;

    Internals(MethodHandles.Lookup lookup, String[] methods) throws ReflectiveOperationException {
        Method woven = method(NettyRequestSender.class, methods);
        int at = 0;
        while (woven.getParameterTypes()[at] != ProxyServer.class) {
            at++;
        }
        proxy = at;
        send = lookup.unreflect(woven).asSpreader(Object[].class, woven.getParameterTypes().length)
                .asType(MethodType.methodType(Object.class, NettyRequestSender.class, Object[].class));
        newFuture = lookup.findSpecial(NettyRequestSender.class, "newNettyResponseFuture", MethodType.methodType(NettyResponseFuture.class,
                Request.class, AsyncHandler.class, NettyRequest.class, ProxyServer.class), NettyRequestSender.class);
        reusesConnection = lookup.unreflect(method(NettyResponseFuture.class, "isReuseChannel", "reuseChannel"));
    }

    private static Method method(Class<?> type, String... names) throws NoSuchMethodException {
        for (String name : names) {
            for (Method m : type.getDeclaredMethods()) {
                if (m.getName().equals(name)) {
                    return m;
                }
            }
        }
        throw new NoSuchMethodException(type.getName() + "." + names[0]);
    }

    /** Goes on with a hop. */
    void send(NettyRequestSender sender, Object[] arguments) throws Throwable {
        Object ignored = send.invokeExact(sender, arguments);
    }

    /** As {@code newNettyRequestAndResponseFuture} makes it for a first hop, but for the request: a body can be begun only once. */
    NettyResponseFuture<?> newFuture(NettyRequestSender sender, Request request, AsyncHandler<?> handler,
            AsyncHttpClientConfig config, Object[] args) {
        try {
            ProxyServer via = (ProxyServer) args[proxy];
            NettyResponseFuture<?> future =
                    (NettyResponseFuture<?>) newFuture.invokeExact(sender, request, handler, (NettyRequest) null, via);
            future.setRealm(request.getRealm() != null ? request.getRealm() : config.getRealm());
            future.setProxyRealm(via == null ? null : via.getRealm());
            return future;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Whether the call has a connection that must carry its next hop: the connection is what gets authenticated. */
    boolean isBoundToConnection(NettyResponseFuture<?> call) {
        return reusesConnection(call) && (bindsConnection(call.getRealm()) || bindsConnection(call.getProxyRealm()));
    }

    private static boolean bindsConnection(Realm realm) {
        if (realm == null) {
            return false;
        }
        switch (realm.getScheme().name()) {
            case "NTLM":
            case "SPNEGO":
            case "KERBEROS":
                return true;
            default:
                return false;
        }
    }

    private boolean reusesConnection(NettyResponseFuture<?> call) {
        try {
            return (boolean) reusesConnection.invokeExact(call);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Separates a call from its connection, which goes back to the pool if the call was to use it again, and else is there,
     * or closed, already: whoever cancels the call now must not close a connection that has another user.
     */
    void giveBackConnection(NettyResponseFuture<?> call, ChannelManager connections) {
        Channel channel = call.channel();
        boolean reuse = channel != null && reusesConnection(call);
        call.attachChannel(null, false);
        if (reuse) {
            connections.tryToOfferChannelToPool(channel, call.getAsyncHandler(), true, call.getPartitionKey());
        }
    }

    private static RuntimeException unexpected(Throwable t) {
        if (t instanceof Error) {
            throw (Error) t;
        }
        return t instanceof RuntimeException ? (RuntimeException) t : new IllegalStateException(t);
    }
}
