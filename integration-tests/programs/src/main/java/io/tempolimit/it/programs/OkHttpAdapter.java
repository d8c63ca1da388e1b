package io.tempolimit.it.programs;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import okhttp3.Authenticator;
import okhttp3.Cache;
import okhttp3.Call;
import okhttp3.Credentials;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.RequestBody;
import okhttp3.Response;

/** OkHttp 3 to 5. */
public final class OkHttpAdapter implements Adapter {
    /** HTTP/2 in clear text; null up to 3.10. */
    private static final Protocol H2 = Arrays.stream(Protocol.values()).filter(p -> p.name().equals("H2_PRIOR_KNOWLEDGE")).findFirst()
            .orElse(null);

    @Override
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.KEEPS_INTERRUPT,
                Feature.CACHE, Feature.CLOSE,
                Feature.QUEUE, Feature.KEEPS_ALIVE, Feature.PROXY, Feature.BODIES, Feature.COLLECTS, Feature.ANSWERS_REJECTIONS,
                Feature.USER_AGENT, Feature.EXPECTS);
        if (H2 != null) {
            features.add(Feature.HTTP2);
        }
        if (Arrays.stream(Call.class.getMethods()).noneMatch(m -> m.getName().equals("timeout"))) { // up to 3.11
            features.add(Feature.CANCELS_UNSENT);
        }
        return features;
    }

    @Override
    public String cancelled() {
        return "java.io.IOException";
    }

    @Override
    public String interrupted() {
        return "java.io.InterruptedIOException";
    }

    @Override
    public Http open(Map<String, String> options) throws ReflectiveOperationException {
        // its ten are too few beside a busy machine
        OkHttpClient.Builder builder = new OkHttpClient.Builder().readTimeout(60, TimeUnit.SECONDS);
        int threads = Integer.parseInt(options.getOrDefault("threads", "0"));
        // As the dispatcher's own, but its threads do not keep the JVM alive for a minute.
        ThreadPoolExecutor executor = threads == 0
                ? new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>())
                : new ThreadPoolExecutor(threads, threads, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        executor.allowCoreThreadTimeOut(true);
        builder.dispatcher(new Dispatcher(executor));
        if (options.containsKey("timeout")) {
            setTimeout(builder, Integer.parseInt(options.get("timeout")));
        }
        if (options.containsKey("http2")) {
            builder.protocols(Collections.singletonList(H2));
        }
        if (options.containsKey("cache")) {
            builder.cache(new Cache(new File(options.get("cache")), 1_000_000));
        }
        if (options.containsKey("user")) {
            String credentials = Credentials.basic(options.get("user"), options.get("password"));
            Authenticator authenticator = (route, response) -> {
                String header = response.code() == 407 ? "Proxy-Authorization" : "Authorization";
                return response.request().header(header) != null ? null
                        : response.request().newBuilder().header(header, credentials).build();
            };
            builder.authenticator(authenticator).proxyAuthenticator(authenticator); // up to 3.2 a proxy's 407 goes to the first one
        }
        if (options.containsKey("proxy")) {
            builder.proxy(new Proxy(Proxy.Type.HTTP, Adapter.proxy(options)));
        }
        return new Client(builder.build(), options.get("user-agent"));
    }

    /** There is one for the whole call since 3.12. */
    private static void setTimeout(OkHttpClient.Builder builder, int millis) throws ReflectiveOperationException {
        try {
            builder.getClass().getMethod("callTimeout", long.class, TimeUnit.class).invoke(builder, millis, TimeUnit.MILLISECONDS);
        } catch (NoSuchMethodException older) {
            builder.readTimeout(millis, TimeUnit.MILLISECONDS).socketFactory(new WithoutTimeout());
        }
    }

    /** Of two timeouts of a read, the socket's and the client's, with two messages, it leaves the client's. */
    static final class WithoutTimeout extends SocketFactory {
        @Override
        public Socket createSocket() {
            return new Socket() {
                @Override
                public void setSoTimeout(int millis) {
                }
            };
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class Client implements Http {
        private final OkHttpClient client;
        private final String userAgent;

        Client(OkHttpClient client, String userAgent) {
            this.client = client;
            this.userAgent = userAgent;
        }

        private Call call(Request request) {
            okhttp3.Request.Builder builder = new okhttp3.Request.Builder().url(request.url)
                    .method(request.method, request.posts() ? RequestBody.create(null, Request.BODY) : null);
            if (request.posts()) {
                builder.header("Expect", "100-continue");
            }
            if (userAgent != null) {
                builder.header("User-Agent", userAgent);
            }
            Call call = client.newCall(builder.build());
            request.cancel = call::cancel;
            return call;
        }

        @Override
        public Reply send(Request request) throws IOException {
            return reply(call(request).execute());
        }

        @Override
        public void start(Request request, Callback callback) {
            call(request).enqueue(new okhttp3.Callback() {
                @Override
                public void onFailure(Call call, IOException failure) {
                    callback.failed(failure);
                }

                @Override
                public void onResponse(Call call, Response response) {
                    callback.replied(reply(response));
                }
            });
        }

        private static Reply reply(Response response) {
            List<String> headers = new ArrayList<>();
            for (int i = 0; i < response.headers().size(); i++) {
                if (!response.headers().name(i).startsWith("OkHttp-")) { // up to 3.3: when it was sent and when it came
                    headers.add(response.headers().name(i) + ": " + response.headers().value(i));
                }
            }
            return new Reply(response.code(), headers, response.body().byteStream());
        }

        @Override
        public String control(String what) {
            Dispatcher dispatcher = client.dispatcher();
            switch (what) {
                case "queued":
                    return dispatcher.queuedCallsCount() + dispatcher.runningCallsCount() + " " + dispatcher.queuedCalls().size();
                case "cancel-all":
                    dispatcher.cancelAll();
                    return "done";
                default:
                    throw new IllegalArgumentException(what);
            }
        }

        @Override
        public void close() throws IOException {
            client.dispatcher().executorService().shutdown();
            client.connectionPool().evictAll();
            if (client.cache() != null) {
                client.cache().close();
            }
        }
    }
}
