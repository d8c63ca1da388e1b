package io.tempolimit.clients.apache4async.hooks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.http.client.methods.HttpRequestWrapper;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.nio.NHttpClientConnection;

/** What the client keeps to its package of its {@code AbstractClientExchangeHandler}s. */
final class Handlers {
    private static volatile Handlers instance;

    private final MethodHandle route;
    private final MethodHandle request;
    private final MethodHandle routeEstablished;
    private final MethodHandle connection;
    private final MethodHandle releaseConnection;
    private final MethodHandle discardConnection;
    private final MethodHandle requestConnection;
    /** Null from 4.1.3 on. */
    private final MethodHandle future;

    private Handlers(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        Class<?> type = Class.forName("org.apache.http.impl.nio.client.AbstractClientExchangeHandler", false,
                lookup.lookupClass().getClassLoader());
        route = method(lookup, type, "getRoute", HttpRoute.class);
        request = method(lookup, type, "getCurrentRequest", HttpRequestWrapper.class);
        routeEstablished = lookup.findVirtual(type, "isRouteEstablished", MethodType.methodType(boolean.class))
                .asType(MethodType.methodType(boolean.class, Object.class));
        connection = method(lookup, type, "getConnection", NHttpClientConnection.class);
        releaseConnection = action(lookup, type, "releaseConnection");
        discardConnection = action(lookup, type, "discardConnection");
        requestConnection = action(lookup, type, "requestConnection");
        future = futureOf(lookup, type);
    }

    private static MethodHandle method(MethodHandles.Lookup lookup, Class<?> type, String name, Class<?> result)
            throws ReflectiveOperationException {
        return lookup.findVirtual(type, name, MethodType.methodType(result)).asType(MethodType.methodType(Object.class, Object.class));
    }

    private static MethodHandle action(MethodHandles.Lookup lookup, Class<?> type, String name) throws ReflectiveOperationException {
        return lookup.findVirtual(type, name, MethodType.methodType(void.class)).asType(MethodType.methodType(void.class, Object.class));
    }

    private static MethodHandle futureOf(MethodHandles.Lookup lookup, Class<?> type) {
        try {
            return lookup.unreflectGetter(type.getDeclaredField("resultFuture")).asType(MethodType.methodType(Object.class, Object.class));
        } catch (ReflectiveOperationException newer) {
            return null;
        }
    }

    /** @param lookup of the handlers' class itself */
    static Handlers of(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        Handlers known = instance;
        if (known == null) {
            known = new Handlers(lookup);
            instance = known;
        }
        return known;
    }

    /** Null before the first call. */
    static Handlers known() {
        return instance;
    }

    RouteTarget target(Object handler) {
        return new RouteTarget(route(handler), (HttpRequestWrapper) get(request, handler), AddedUserAgent.processorOf(handler),
                !handler.getClass().getName().endsWith(".PipeliningClientExchangeHandlerImpl"));
    }

    HttpRoute route(Object handler) {
        return (HttpRoute) get(route, handler);
    }

    /** Whether the next request is for the site, and not the one that asks a proxy for a tunnel. */
    boolean routeEstablished(Object handler) {
        try {
            return (boolean) routeEstablished.invokeExact(handler);
        } catch (Throwable t) {
            throw unchecked(t);
        }
    }

    NHttpClientConnection connection(Object handler) {
        return (NHttpClientConnection) get(connection, handler);
    }

    void releaseConnection(Object handler) {
        call(releaseConnection, handler);
    }

    void discardConnection(Object handler) {
        call(discardConnection, handler);
    }

    void requestConnection(Object handler) {
        call(requestConnection, handler);
    }

    /** What the application has of the call; null if that reaches the handler by itself. */
    Object future(Object handler) {
        return future == null ? null : get(future, handler);
    }

    private static Object get(MethodHandle method, Object handler) {
        try {
            return method.invokeExact(handler);
        } catch (Throwable t) {
            throw unchecked(t);
        }
    }

    private static void call(MethodHandle method, Object handler) {
        try {
            method.invokeExact(handler);
        } catch (Throwable t) {
            throw unchecked(t);
        }
    }

    private static RuntimeException unchecked(Throwable t) {
        if (t instanceof Error) {
            throw (Error) t;
        }
        return t instanceof RuntimeException ? (RuntimeException) t : new IllegalStateException(t);
    }
}
