package io.tempolimit.clients.jetty.hooks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.ProxyConfiguration;
import org.eclipse.jetty.http.HttpField;

/** The client's types whose package is another one in version 12, by the names that they have in all. */
final class Internals {
    private static volatile Internals known;

    private final MethodHandle client;
    private final MethodHandle secure;
    private final MethodHandle proxy;
    private final MethodHandle sendExchange;
    private final MethodHandle stale;
    private final MethodHandle destination;
    private final MethodHandle connectionDestination;
    private final MethodHandle exchange;
    private final MethodHandle request;
    private final MethodHandle response;
    private final MethodHandle status;
    private final MethodHandle responseHeaders;
    private final MethodHandle chunk;
    private final MethodHandle conversation;
    private final MethodHandle scheme;
    private final MethodHandle host;
    private final MethodHandle port;
    private final MethodHandle path;
    private final MethodHandle method;
    private final MethodHandle headers;
    private final MethodHandle abortCause;
    private final MethodHandle abort;
    private final MethodHandle sent;
    private final MethodHandle invoke;
    private final boolean timeoutListeners;

    private Internals(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        Class<?> httpDestination = type(lookup, "HttpDestination");
        Class<?> httpExchange = type(lookup, "HttpExchange");
        Class<?> httpRequest = type(lookup, "HttpRequest");
        client = getter(lookup, httpDestination, "getHttpClient");
        secure = getter(lookup, httpDestination, "isSecure");
        proxy = getter(lookup, httpDestination, "getProxy");
        sendExchange = optional(lookup, httpDestination, "send", httpExchange);
        stale = optional(lookup, httpDestination, "stale");
        Class<?> receiver = type(lookup, "HttpReceiver");
        destination = getter(lookup, receiver, "getHttpDestination");
        connectionDestination = getter(lookup, type(lookup, "HttpConnection"), "getHttpDestination");
        exchange = getter(lookup, receiver, "getHttpExchange");
        request = getter(lookup, httpExchange, "getRequest");
        response = getter(lookup, httpExchange, "getResponse");
        Class<?> httpResponse = type(lookup, "HttpResponse");
        status = getter(lookup, httpResponse, "getStatus");
        responseHeaders = getter(lookup, httpResponse, "getHeaders");
        chunk = since12(lookup, "org.eclipse.jetty.io.Content$Chunk", "getByteBuffer", Object.class);
        conversation = getter(lookup, httpRequest, "getConversation");
        scheme = getter(lookup, httpRequest, "getScheme");
        host = getter(lookup, httpRequest, "getHost");
        port = getter(lookup, httpRequest, "getPort");
        path = getter(lookup, httpRequest, "getPath");
        method = getter(lookup, httpRequest, "getMethod");
        headers = getter(lookup, httpRequest, "getHeaders");
        abortCause = getter(lookup, httpRequest, "getAbortCause");
        abort = lookup.unreflect(httpRequest.getDeclaredMethod("abort", Throwable.class))
                .asType(MethodType.methodType(void.class, Object.class, Throwable.class));
        sent = optional(lookup, httpRequest, "sent");
        invoke = since12(lookup, "org.eclipse.jetty.util.thread.SerializedInvoker", "run", void.class, Runnable.class);
        timeoutListeners = has(lookup, "TimeoutCompleteListener");
    }

    /** @param lookup of any class of the package that has them */
    static Internals of(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        Internals in = known;
        if (in == null) {
            in = new Internals(lookup);
            known = in;
        }
        return in;
    }

    private static Class<?> type(MethodHandles.Lookup lookup, String name) throws ClassNotFoundException {
        Class<?> woven = lookup.lookupClass();
        String sibling = woven.getName().substring(0, woven.getName().lastIndexOf('.') + 1) + name;
        return Class.forName(sibling, false, woven.getClassLoader());
    }

    private static boolean has(MethodHandles.Lookup lookup, String type) {
        try {
            return type(lookup, type) != null;
        } catch (ClassNotFoundException none) {
            return false;
        }
    }

    private static MethodHandle getter(MethodHandles.Lookup lookup, Class<?> type, String name) throws ReflectiveOperationException {
        return lookup.unreflect(type.getDeclaredMethod(name)).asType(MethodType.methodType(Object.class, Object.class));
    }

    /** A public method, maybe inherited, of a type that there is since 12; null before. */
    private static MethodHandle since12(MethodHandles.Lookup lookup, String type, String name,
            Class<?> result, Class<?>... arguments) throws ReflectiveOperationException {
        Class<?> found;
        try {
            found = Class.forName(type, false, lookup.lookupClass().getClassLoader());
        } catch (ClassNotFoundException older) {
            return null;
        }
        return lookup.unreflect(found.getMethod(name, arguments)).asType(MethodType.methodType(result, Object.class, arguments));
    }

    /** Not all versions have it. */
    private static MethodHandle optional(MethodHandles.Lookup lookup, Class<?> type, String name, Class<?>... arguments)
            throws IllegalAccessException {
        try {
            MethodHandle found = lookup.unreflect(type.getDeclaredMethod(name, arguments));
            return found.asType(MethodType.genericMethodType(1 + arguments.length).changeReturnType(void.class));
        } catch (NoSuchMethodException older) {
            return null;
        }
    }

    HttpClient client(Object destination) {
        return (HttpClient) get(client, destination);
    }

    /** Whether destinations are given exchanges, and not requests: since 9.4.9. */
    boolean sendsExchanges() {
        return sendExchange != null;
    }

    void send(Object destination, Object exchange) {
        try {
            sendExchange.invokeExact(destination, exchange);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Asks a destination whether it was given up for being idle; if it was not, its time begins anew. */
    void touch(Object destination) {
        run(stale, destination);
    }

    /** What a receiver receives the response of; null if that is done. */
    Object exchange(Object receiver) {
        return get(exchange, receiver);
    }

    Object request(Object exchange) {
        return get(request, exchange);
    }

    @SuppressWarnings("unchecked")
    ResponseHead head(Object exchange) {
        Object of = get(response, exchange);
        return new ResponseHead((Integer) get(status, of), (Iterable<HttpField>) get(responseHeaders, of));
    }

    /** Has an invoker do this after what it has to do already. */
    void invoke(Object invoker, Runnable task) {
        try {
            invoke.invokeExact(invoker, task);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** What is in a part of a body; null or empty if it is no more than a mark. */
    ByteBuffer bytes(Object part) {
        return (ByteBuffer) get(chunk, part);
    }

    /** Whether an answer 407 that is received here is a proxy's, and not that of a site, without one or from behind its tunnel. */
    boolean fromProxy(Object receiver) {
        Object to = get(destination, receiver);
        return get(proxy, to) != null && !(Boolean) get(secure, to);
    }

    HttpClient receivingClient(Object receiver) {
        return client(get(destination, receiver));
    }

    Object conversation(Object httpRequest) {
        return get(conversation, httpRequest);
    }

    boolean isConnect(Object httpRequest) {
        return "CONNECT".equalsIgnoreCase((String) get(method, httpRequest));
    }

    Object destinationOf(Object connection) {
        return get(connectionDestination, connection);
    }

    @SuppressWarnings("unchecked")
    RequestTarget target(Object httpRequest, Object to) {
        return new RequestTarget((String) get(scheme, httpRequest), (String) get(host, httpRequest), (Integer) get(port, httpRequest),
                (String) get(path, httpRequest), (String) get(method, httpRequest), (Iterable<HttpField>) get(headers, httpRequest),
                (ProxyConfiguration.Proxy) get(proxy, to));
    }

    boolean isAborted(Object httpRequest) {
        return get(abortCause, httpRequest) != null;
    }

    void abort(Object httpRequest, Throwable cause) {
        try {
            abort.invokeExact(httpRequest, cause);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Begins the request's total timeout, where that is not done in the queue. */
    void sent(Object httpRequest) {
        run(sent, httpRequest);
    }

    /** Whether the total timeout may be one of the listeners. */
    boolean hasTimeoutListeners() {
        return timeoutListeners;
    }

    private static void run(MethodHandle handle, Object self) {
        try {
            handle.invokeExact(self);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static Object get(MethodHandle handle, Object self) {
        try {
            return handle.invokeExact(self);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static RuntimeException unexpected(Throwable t) {
        if (t instanceof Error) {
            throw (Error) t;
        }
        return t instanceof RuntimeException ? (RuntimeException) t : new IllegalStateException(t);
    }
}
