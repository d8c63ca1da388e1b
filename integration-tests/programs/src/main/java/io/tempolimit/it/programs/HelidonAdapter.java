package io.tempolimit.it.programs;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Helidon 4's {@code WebClient}. Its classes are of Java 21, and are called by name: the compiler that builds this cannot read them. */
public final class HelidonAdapter implements Adapter {
    private static final String API = "io.helidon.webclient.api.";
    private static final boolean SINCE_4_4 = exists(API + "UnixDomainSocketClientConnection");

    private static boolean exists(String type) {
        try {
            return Class.forName(type) != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public Set<Feature> features() {
        EnumSet<Feature> features = EnumSet.of(Feature.KEEPS_INTERRUPT, Feature.SENDS_ONCE, Feature.HTTP2, Feature.TAKES_PROXY,
                Feature.BODIES, Feature.COLLECTS, Feature.USER_AGENT, Feature.UNCHECKED, Feature.EXPECTS, Feature.LEAVES_TRAILERS);
        if (SINCE_4_4) {
            features.add(Feature.CLOSE);
        }
        return features;
    }

    @Override
    public String interrupted() {
        return "java.io.UncheckedIOException";
    }

    @Override
    public Http open(Map<String, String> options) throws Exception {
        Object client = invokeStatic(API + "WebClient", "builder");
        invoke(client, "followRedirects", true);
        invoke(client, "maxRedirects", 25);
        invoke(client, "keepAlive", SINCE_4_4); // before, a thread that takes a connection as it is given back may lose an answer
        if (options.containsKey("timeout")) {
            Duration timeout = Duration.ofMillis(Long.parseLong(options.get("timeout")));
            invoke(client, "connectTimeout", timeout);
            invoke(client, "readTimeout", timeout);
        } else if (options.containsKey("http2")) {
            invoke(client, "readTimeout", Duration.ofSeconds(5)); // nothing else ends a call whose stream was refused
        }
        if (options.containsKey("closes")) {
            invoke(client, "shareConnectionCache", false);
        }
        InetSocketAddress proxy = Adapter.proxy(options);
        if (proxy != null) {
            Object with = invokeStatic(API + "Proxy", "builder");
            invoke(with, "host", proxy.getHostString());
            invoke(with, "port", proxy.getPort());
            invoke(client, "proxy", invoke(with, "build"));
        }
        if (options.containsKey("http2")) {
            Object protocol = invokeStatic("io.helidon.webclient.http2.Http2ClientProtocolConfig", "builder");
            invoke(protocol, "priorKnowledge", true);
            invoke(client, "addProtocolConfig", invoke(protocol, "build"));
        }
        return new Client(invoke(client, "build"), options.containsKey("http2") ? "h2" : "http/1.1", options.get("user-agent"));
    }

    private static Object invokeStatic(String type, String method, Object... args) throws Exception {
        return call(Class.forName(type), method, null, args);
    }

    private static Object invoke(Object on, String method, Object... args) throws Exception {
        return call(on.getClass(), method, on, args);
    }

    /** By the first public type that has a method with this name that takes these. */
    private static Object call(Class<?> type, String name, Object on, Object... args) throws Exception {
        Method method = find(type, name, args);
        if (method == null) {
            throw new NoSuchMethodException(type + "." + name);
        }
        try {
            method.setAccessible(true); // some stand in an interface that is not public
            return method.invoke(on, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error) {
                throw (Error) e.getCause();
            }
            throw (Exception) e.getCause();
        }
    }

    private static Method find(Class<?> type, String name, Object... args) {
        if (type == null) {
            return null;
        }
        if (Modifier.isPublic(type.getModifiers())) {
            for (Method method : type.getMethods()) {
                if (method.getName().equals(name) && takes(method, args)) {
                    return method;
                }
            }
        }
        Method found = find(type.getSuperclass(), name, args);
        for (Class<?> parent : type.getInterfaces()) {
            found = found != null ? found : find(parent, name, args);
        }
        return found;
    }

    private static boolean takes(Method method, Object... args) {
        Class<?>[] types = method.getParameterTypes();
        boolean takes = types.length == args.length;
        for (int i = 0; takes && i < args.length; i++) {
            takes = types[i].isInstance(args[i]) || types[i] == int.class && args[i] instanceof Integer
                    || types[i] == boolean.class && args[i] instanceof Boolean;
        }
        return takes;
    }

    private static final class Client implements Http {
        private final Object client;
        private final String protocol;
        private final String userAgent;

        Client(Object client, String protocol, String userAgent) {
            this.client = client;
            this.protocol = protocol;
            this.userAgent = userAgent;
        }

        @Override
        public Reply send(Request request) throws Exception {
            Object builder = invoke(client, "method", invokeStatic("io.helidon.http.Method", "create", request.method));
            invoke(builder, "uri", request.url);
            invoke(builder, "protocolId", protocol);
            if (userAgent != null) {
                invoke(builder, "header", invokeStatic("io.helidon.http.HeaderValues", "create", "User-Agent", userAgent));
            }
            Object response = request.posts() ? invoke(builder, "outputStream", body()) : invoke(builder, "request");
            int status = (Integer) invoke(invoke(response, "status"), "code");
            List<String> headers = new ArrayList<>();
            for (Object header : (Iterable<?>) invoke(response, "headers")) {
                for (Object value : (List<?>) invoke(header, "allValues")) {
                    headers.add(invoke(header, "name") + ": " + value);
                }
            }
            boolean empty = request.method.equals("HEAD") || status == 304 // for which the client would wait
                    || status == 204 && !SINCE_4_4; // and this would fail
            InputStream stream = empty ? new ByteArrayInputStream(new byte[0]) : (InputStream) invoke(response, "inputStream");
            return new Reply(status, headers, new FilterInputStream(stream) {
                @Override
                public void close() throws IOException {
                    try {
                        invoke(response, "close");
                    } catch (RuntimeException | IOException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
        }

        private static Object body() throws ClassNotFoundException {
            Class<?> handler = Class.forName(API + "ClientRequest$OutputStreamHandler");
            return Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, (self, method, args) -> {
                try (OutputStream out = (OutputStream) args[0]) {
                    out.write(Request.BODY.getBytes(StandardCharsets.US_ASCII));
                }
                return null;
            });
        }

        @Override
        public void close() throws IOException {
            try {
                invoke(client, "closeResource");
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }
}
