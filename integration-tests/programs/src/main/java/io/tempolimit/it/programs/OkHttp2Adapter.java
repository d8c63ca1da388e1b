package io.tempolimit.it.programs;

import com.squareup.okhttp.Authenticator;
import com.squareup.okhttp.Cache;
import com.squareup.okhttp.Call;
import com.squareup.okhttp.ConnectionPool;
import com.squareup.okhttp.Credentials;
import com.squareup.okhttp.Dispatcher;
import com.squareup.okhttp.OkHttpClient;
import com.squareup.okhttp.Response;
import java.io.File;
import java.io.IOException;
import java.net.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** OkHttp 2.7. */
public final class OkHttp2Adapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.KEEPS_INTERRUPT, Feature.CACHE, Feature.CLOSE,
                Feature.QUEUE, Feature.KEEPS_ALIVE, Feature.PROXY, Feature.BODIES, Feature.COLLECTS,
                Feature.ANSWERS_REJECTIONS, Feature.USER_AGENT,
                Feature.CANCELS_UNSENT);
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
    public Http open(Map<String, String> options) {
        OkHttpClient client = new OkHttpClient();
        client.setConnectionPool(new ConnectionPool(5, 60_000));
        client.setReadTimeout(60, TimeUnit.SECONDS);
        int threads = Integer.parseInt(options.getOrDefault("threads", "0"));
        // As the dispatcher's own, but its threads do not keep the JVM alive for a minute.
        ThreadPoolExecutor executor = threads == 0
                ? new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>())
                : new ThreadPoolExecutor(threads, threads, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        executor.allowCoreThreadTimeOut(true);
        client.setDispatcher(new Dispatcher(executor));
        if (options.containsKey("timeout")) {
            client.setReadTimeout(Integer.parseInt(options.get("timeout")), TimeUnit.MILLISECONDS);
            client.setSocketFactory(new OkHttpAdapter.WithoutTimeout());
        }
        if (options.containsKey("cache")) {
            client.setCache(new Cache(new File(options.get("cache")), 1_000_000));
        }
        if (options.containsKey("user")) {
            client.setAuthenticator(new Password(Credentials.basic(options.get("user"), options.get("password"))));
        }
        if (options.containsKey("proxy")) {
            client.setProxy(new Proxy(Proxy.Type.HTTP, Adapter.proxy(options)));
        }
        return new Client(client, options.get("user-agent"));
    }

    private static final class Password implements Authenticator {
        private final String credentials;

        Password(String credentials) {
            this.credentials = credentials;
        }

        @Override
        public com.squareup.okhttp.Request authenticate(Proxy proxy, Response response) {
            return with("Authorization", response);
        }

        @Override
        public com.squareup.okhttp.Request authenticateProxy(Proxy proxy, Response response) {
            return with("Proxy-Authorization", response);
        }

        private com.squareup.okhttp.Request with(String header, Response response) {
            return response.request().header(header) != null ? null : response.request().newBuilder().header(header, credentials).build();
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
            com.squareup.okhttp.Request.Builder builder = new com.squareup.okhttp.Request.Builder().tag(this).url(request.url)
                    .method(request.method, null);
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
            call(request).enqueue(new com.squareup.okhttp.Callback() {
                @Override
                public void onFailure(com.squareup.okhttp.Request failed, IOException failure) {
                    callback.failed(failure);
                }

                @Override
                public void onResponse(Response response) throws IOException {
                    callback.replied(reply(response));
                }
            });
        }

        private static Reply reply(Response response) throws IOException {
            List<String> headers = new ArrayList<>();
            for (int i = 0; i < response.headers().size(); i++) {
                if (!response.headers().name(i).startsWith("OkHttp-")) { // when it was sent and when it came
                    headers.add(response.headers().name(i) + ": " + response.headers().value(i));
                }
            }
            return new Reply(response.code(), headers, response.body().byteStream());
        }

        @Override
        public String control(String what) {
            Dispatcher dispatcher = client.getDispatcher();
            switch (what) {
                case "queued":
                    int calls = dispatcher.getQueuedCallCount() + dispatcher.getRunningCallCount();
                    return calls + " " + calls;
                case "cancel-all":
                    dispatcher.cancel(this);
                    return "done";
                default:
                    throw new IllegalArgumentException(what);
            }
        }

        @Override
        public void close() throws IOException {
            client.getDispatcher().getExecutorService().shutdown();
            client.getConnectionPool().evictAll();
            if (client.getCache() != null) {
                client.getCache().close();
            }
        }
    }
}
