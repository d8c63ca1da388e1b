package io.tempolimit.it.programs;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.asynchttpclient.AsyncHandler;
import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.DefaultAsyncHttpClient;
import org.asynchttpclient.DefaultAsyncHttpClientConfig;
import org.asynchttpclient.HttpResponseBodyPart;
import org.asynchttpclient.HttpResponseStatus;
import org.asynchttpclient.Realm;
import org.asynchttpclient.RequestBuilder;
import org.asynchttpclient.proxy.ProxyServer;

/** AsyncHttpClient 2 and 3. */
public final class AsyncHttpClientAdapter implements Adapter {
    /** How to ask for HTTP/2 in clear text; null in versions without. */
    private static final Method HTTP2 = http2();

    private static Method http2() {
        try {
            return DefaultAsyncHttpClientConfig.Builder.class.getMethod("setHttp2CleartextEnabled", boolean.class);
        } catch (NoSuchMethodException older) {
            return null;
        }
    }

    @Override
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.CLOSE, Feature.EVENT_LOOP,
                Feature.OUTLIVES, Feature.PROXY, Feature.BODIES, Feature.USER_AGENT, Feature.EXPECTS);
        if (HTTP2 != null) {
            features.add(Feature.HTTP2);
        }
        return features;
    }

    @Override
    public Http open(Map<String, String> options) throws Exception {
        DefaultAsyncHttpClientConfig.Builder builder = new DefaultAsyncHttpClientConfig.Builder().setFollowRedirect(true);
        if (options.containsKey("timeout")) {
            setTimeout(builder, "setRequestTimeout", Integer.parseInt(options.get("timeout")));
            setTimeout(builder, "setReadTimeout", Integer.parseInt(options.get("timeout")));
        }
        if (options.containsKey("user-agent")) {
            builder.setUserAgent(options.get("user-agent"));
        }
        if (options.containsKey("http2")) {
            HTTP2.invoke(builder, true);
        }
        Realm realm = null;
        if (options.containsKey("user")) {
            realm = new Realm.Builder(options.get("user"), options.get("password")).setScheme(Realm.AuthScheme.BASIC).build();
            builder.setRealm(realm);
        }
        if (options.containsKey("proxy")) {
            builder.setProxyServer(new ProxyServer.Builder(Adapter.proxy(options).getHostString(), Adapter.proxy(options).getPort())
                    .setRealm(realm));
        }
        return new Client(new DefaultAsyncHttpClient(builder.build()));
    }

    /** It takes a number up to 2, and a duration since 3. */
    private static void setTimeout(DefaultAsyncHttpClientConfig.Builder builder, String name, int millis)
            throws ReflectiveOperationException {
        try {
            builder.getClass().getMethod(name, int.class).invoke(builder, millis);
        } catch (NoSuchMethodException since3) {
            builder.getClass().getMethod(name, Duration.class).invoke(builder, Duration.ofMillis(millis));
        }
    }

    private static final class Client extends FutureHttp {
        private final AsyncHttpClient client;

        Client(AsyncHttpClient client) {
            this.client = client;
        }

        @Override
        Future<?> begin(Request request, CompletableFuture<Reply> reply) {
            Handler handler = new Handler(reply);
            // The types of what its methods take and give have moved between versions.
            AsyncHandler<?> anyVersion = (AsyncHandler<?>) Proxy.newProxyInstance(AsyncHandler.class.getClassLoader(),
                    new Class<?>[] {AsyncHandler.class}, handler::called);
            RequestBuilder builder = new RequestBuilder(request.method).setUrl(request.url);
            if (request.posts()) {
                builder.setHeader("Expect", "100-continue").setBody(Request.BODY);
            }
            return client.executeRequest(builder.build(), anyVersion);
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    private static final class Handler {
        private final CompletableFuture<Reply> reply;
        private final ChunkStream body = new ChunkStream();
        private int status;

        Handler(CompletableFuture<Reply> reply) {
            this.reply = reply;
        }

        private Object called(Object proxy, Method method, Object[] args) throws Throwable {
            switch (method.getName()) {
                case "onStatusReceived":
                    status = ((HttpResponseStatus) args[0]).getStatusCode();
                    return goOn(method);
                case "onHeadersReceived":
                    reply.complete(new Reply(status, headers(args[0]), body));
                    return goOn(method);
                case "onBodyPartReceived":
                    body.add(((HttpResponseBodyPart) args[0]).getBodyPartBytes());
                    return goOn(method);
                case "onThrowable":
                    body.fail((Throwable) args[0]);
                    reply.completeExceptionally((Throwable) args[0]);
                    return null;
                case "onCompleted":
                    body.end();
                    reply.completeExceptionally(new IOException("complete without an answer")); // 2.0 says so of half a head
                    return null;
                case "hashCode":
                    return hashCode();
                case "equals":
                    return proxy == args[0];
                case "toString":
                    return toString();
                default:
                    return method.getReturnType().isEnum() ? goOn(method) : null;
            }
        }

        /** The constant that says so. */
        private static Object goOn(Method method) {
            return method.getReturnType().getEnumConstants()[1];
        }

        private static List<String> headers(Object given) throws Exception {
            Object headers = given;
            try {
                headers = given.getClass().getMethod("getHeaders").invoke(given); // an envelope, up to 2.0
            } catch (NoSuchMethodException since21) {
                // it is them
            } catch (InvocationTargetException e) {
                throw new IllegalStateException(e);
            }
            List<String> lines = new ArrayList<>();
            for (Map.Entry<?, ?> header : (Iterable<Map.Entry<?, ?>>) headers) {
                lines.add(header.getKey() + ": " + header.getValue());
            }
            return lines;
        }
    }
}
