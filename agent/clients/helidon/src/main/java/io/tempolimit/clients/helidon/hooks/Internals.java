package io.tempolimit.clients.helidon.hooks;

import static io.tempolimit.weave.Methods.invoke;

import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Target;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The client's types, by the names of their public methods; and where a client keeps its connections, which is not public. */
final class Internals {
    private static final String API = "io.helidon.webclient.api.";

    private final Method uri;
    private final Method method;
    private final Method methodText;
    private final Method requestHeaders;
    private final Method scheme;
    private final Method host;
    private final Method port;
    private final Method path;
    private final Method rawPath;
    private final Method name;
    private final Method values;
    private final Method status;
    private final Method code;
    private final Method headers;
    private final Method inputStream;
    private final Method connection;
    private final Method close;
    private final Method builder;
    private final Method setStream;
    private final Method build;
    private final Class<?> request;
    private final Method proxy;
    private final Method proxyType;
    private final Method proxyHost;
    private final Method proxyPort;
    private final Method isNoHosts;
    /** By the class of a client. */
    private final ConcurrentMap<Class<?>, MethodHandle> connections = new ConcurrentHashMap<>();

    /** @param client the client's loader */
    Internals(ClassLoader client) throws ReflectiveOperationException {
        Class<?> serviceRequest = Class.forName(API + "WebClientServiceRequest", false, client);
        uri = method(serviceRequest, "uri");
        method = method(serviceRequest, "method");
        methodText = method(method.getReturnType(), "text");
        requestHeaders = method(serviceRequest, "headers");
        scheme = method(uri.getReturnType(), "scheme");
        host = method(uri.getReturnType(), "host");
        port = method(uri.getReturnType(), "port");
        path = method(uri.getReturnType(), "path");
        rawPath = method(path.getReturnType(), "rawPath");
        Class<?> header = Class.forName("io.helidon.http.Header", false, client);
        name = method(header, "name");
        values = method(header, "allValues");
        Class<?> response = Class.forName(API + "WebClientServiceResponse", false, client);
        status = method(response, "status");
        code = method(status.getReturnType(), "code");
        headers = method(response, "headers");
        inputStream = method(response, "inputStream");
        connection = method(response, "connection");
        close = method(connection.getReturnType(), "closeResource");
        builder = method(response, "builder", response);
        setStream = method(builder.getReturnType(), "inputStream", InputStream.class);
        build = method(builder.getReturnType(), "build");
        request = Class.forName(API + "FullClientRequest", false, client);
        proxy = method(request, "proxy");
        proxyType = method(proxy.getReturnType(), "type");
        proxyHost = method(proxy.getReturnType(), "host");
        proxyPort = method(proxy.getReturnType(), "port");
        isNoHosts = method(proxy.getReturnType(), "isNoHosts", InetSocketAddress.class);
    }

    Object uri(Object serviceRequest) {
        return invoke(uri, serviceRequest);
    }

    String method(Object serviceRequest) {
        return (String) invoke(methodText, invoke(method, serviceRequest));
    }

    Iterable<?> requestHeaders(Object serviceRequest) {
        return (Iterable<?>) invoke(requestHeaders, serviceRequest);
    }

    String scheme(Object clientUri) {
        return (String) invoke(scheme, clientUri);
    }

    String host(Object clientUri) {
        return (String) invoke(host, clientUri);
    }

    int port(Object clientUri) {
        return (Integer) invoke(port, clientUri);
    }

    String path(Object clientUri) {
        return (String) invoke(rawPath, invoke(path, clientUri));
    }

    String name(Object header) {
        return (String) invoke(name, header);
    }

    /** The values of a header, one at the least. */
    @SuppressWarnings("unchecked") // as the client declares it
    List<String> values(Object header) {
        return (List<String>) invoke(values, header);
    }

    int status(Object response) {
        return (Integer) invoke(code, invoke(status, response));
    }

    Object headers(Object response) {
        return invoke(headers, response);
    }

    /** What the application reads from; null if there is no body. */
    InputStream stream(Object response) {
        return (InputStream) ((Optional<?>) invoke(inputStream, response)).orElse(null);
    }

    /** The same answer with another stream. */
    Object withStream(Object response, InputStream stream) {
        Object copy = invoke(builder, null, response);
        invoke(setStream, copy, stream);
        return invoke(build, copy);
    }

    Object connection(Object response) {
        return invoke(connection, response);
    }

    void close(Object responsesConnection) {
        invoke(close, responsesConnection);
    }

    boolean isHttp2Request(Object clientRequest) {
        return request.isInstance(clientRequest);
    }

    Object proxyOf(Object clientRequest) {
        return invoke(proxy, clientRequest);
    }

    /** By what a request leaves: the client asks a {@code ProxySelector} only where it is told to use the system's. */
    String egress(Object clientProxy, String toHost, int toPort) {
        String type = invoke(proxyType, clientProxy).toString();
        if (type.equals("HTTP")) {
            boolean direct = (Boolean) invoke(isNoHosts, clientProxy, InetSocketAddress.createUnresolved(toHost, toPort));
            return direct ? Egress.DIRECT : Egress.of((String) invoke(proxyHost, clientProxy), (Integer) invoke(proxyPort, clientProxy));
        }
        return type.equals("NONE") ? Egress.DIRECT : Target.UNKNOWN;
    }

    /**
     * Where a client keeps its connections.
     *
     * @param lookup of a class in the client's own package
     */
    Object connectionsOf(MethodHandles.Lookup lookup, Object client) throws ReflectiveOperationException {
        Class<?> type = client.getClass();
        MethodHandle handle = connections.get(type);
        if (handle == null) {
            Method method = type.getDeclaredMethod("connectionCache");
            handle = lookup.unreflect(method).asType(MethodType.methodType(Object.class, Object.class));
            connections.put(type, handle);
        }
        try {
            return handle.invokeExact(client);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** Up to 4.2 some of an answer's methods stand in an interface that is not public. */
    private static Method method(Class<?> type, String name, Class<?>... parameters) throws NoSuchMethodException {
        Method method = type.getMethod(name, parameters);
        if (!Modifier.isPublic(method.getDeclaringClass().getModifiers())) {
            method.setAccessible(true);
        }
        return method;
    }
}
