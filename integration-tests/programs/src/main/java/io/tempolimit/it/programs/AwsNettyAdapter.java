package io.tempolimit.it.programs;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;

/** The Netty client of AWS SDK 2, without the SDK. It follows no redirects, so this does. */
public final class AwsNettyAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.EVENT_LOOP, Feature.SENDS_ONCE,
                Feature.NEVER_RETRIES, Feature.HTTP2, Feature.CLOSE, Feature.BODIES, Feature.USER_AGENT,
                Feature.EXPECTS);
        if (takesProxy()) {
            features.add(Feature.TAKES_PROXY);
        }
        return features;
    }

    @Override
    public Http open(Map<String, String> options) throws Exception {
        NettyNioAsyncHttpClient.Builder builder = NettyNioAsyncHttpClient.builder().maxConcurrency(200);
        if (options.containsKey("timeout")) {
            Duration timeout = Duration.ofMillis(Long.parseLong(options.get("timeout")));
            builder.readTimeout(timeout).writeTimeout(timeout).connectionTimeout(timeout).connectionAcquisitionTimeout(timeout);
        }
        if (options.containsKey("http2")) {
            builder.protocol(Protocol.HTTP2);
        }
        if (options.containsKey("closes")) {
            builder.eventLoopGroupBuilder(SdkEventLoopGroup.builder().numberOfThreads(2));
        }
        if (options.containsKey("proxy")) {
            proxy(builder, Adapter.proxy(options));
        }
        return new Client(builder.build(), options.get("user-agent"));
    }

    private static boolean takesProxy() {
        try {
            Class.forName("software.amazon.awssdk.http.nio.netty.ProxyConfiguration");
            return true;
        } catch (ClassNotFoundException older) {
            return false;
        }
    }

    private static void proxy(NettyNioAsyncHttpClient.Builder builder, InetSocketAddress proxy) throws ReflectiveOperationException {
        Class<?> type = Class.forName("software.amazon.awssdk.http.nio.netty.ProxyConfiguration");
        Class<?> building = Class.forName(type.getName() + "$Builder");
        Object configuration = type.getMethod("builder").invoke(null);
        building.getMethod("host", String.class).invoke(configuration, proxy.getHostString());
        building.getMethod("port", int.class).invoke(configuration, proxy.getPort());
        NettyNioAsyncHttpClient.Builder.class.getMethod("proxyConfiguration", type)
                .invoke(builder, building.getMethod("build").invoke(configuration));
    }

    private static final class Client extends FutureHttp {
        private final SdkAsyncHttpClient client;
        /** Null if it sends none. */
        private final String agent;

        Client(SdkAsyncHttpClient client, String agent) {
            this.client = client;
            this.agent = agent;
        }

        @Override
        Future<?> begin(Request request, CompletableFuture<Reply> reply) {
            Call call = new Call(client, agent, reply);
            call.send(request.method, URI.create(request.url));
            return call;
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** A call, with its redirects; as a future it does nothing but cancel. */
    private static final class Call extends CompletableFuture<Void> implements SdkAsyncHttpResponseHandler, Subscriber<ByteBuffer> {
        private static final int MOST_REDIRECTS = 19;

        private final SdkAsyncHttpClient client;
        private final String agent;
        private final CompletableFuture<Reply> reply;
        private final ChunkStream body = new ChunkStream();
        private URI url;
        private int redirects;
        /** Null unless the response is a redirect. */
        private URI next;
        private volatile CompletableFuture<Void> sent;

        Call(SdkAsyncHttpClient client, String agent, CompletableFuture<Reply> reply) {
            this.client = client;
            this.agent = agent;
            this.reply = reply;
        }

        void send(String method, URI to) {
            url = to;
            next = null;
            String authority = to.getPort() < 0 ? to.getHost() : to.getHost() + ":" + to.getPort();
            SdkHttpRequest.Builder request = SdkHttpRequest.builder().method(SdkHttpMethod.fromValue(method))
                    .protocol(to.getScheme()).host(to.getHost()).port(to.getPort() < 0 ? null : to.getPort())
                    .encodedPath(to.getRawPath()).putHeader("Host", authority);
            if (to.getRawQuery() != null) {
                for (String pair : to.getRawQuery().split("&")) {
                    int equals = pair.indexOf('=');
                    request.putRawQueryParameter(equals < 0 ? pair : pair.substring(0, equals),
                            equals < 0 ? null : pair.substring(equals + 1));
                }
            }
            if (agent != null) {
                request.putHeader("User-Agent", agent);
            }
            boolean posts = method.equals("POST");
            if (posts) {
                request.putHeader("Expect", "100-continue").putHeader("Content-Length", String.valueOf(Request.BODY.length()));
            }
            sent = client.execute(AsyncExecuteRequest.builder().request(request.build())
                    .requestContentPublisher(new Content(posts ? Request.BODY : ""))
                    .responseHandler(this).build());
            sent.whenComplete((none, failure) -> {
                if (failure != null) {
                    failed(failure);
                }
            });
        }

        @Override
        public boolean cancel(boolean interrupt) {
            return sent.cancel(interrupt);
        }

        @Override
        public void onHeaders(SdkHttpResponse head) {
            String location = head.statusCode() / 100 == 3 && redirects++ < MOST_REDIRECTS
                    ? head.firstMatchingHeader("Location").orElse(null) : null;
            if (location != null) {
                next = url.resolve(location);
                return;
            }
            List<String> lines = new ArrayList<>();
            head.headers().forEach((name, values) -> values.forEach(value -> lines.add(name + ": " + value)));
            reply.complete(new Reply(head.statusCode(), lines, body));
        }

        @Override
        public void onStream(Publisher<ByteBuffer> stream) {
            stream.subscribe(this);
        }

        /** The future fails, too. */
        @Override
        public void onError(Throwable failure) {
            // whoever looks at the future is told
        }

        private void failed(Throwable failure) {
            body.fail(failure);
            reply.completeExceptionally(failure);
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer bytes) {
            if (next == null) {
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(copy);
                body.add(copy);
            }
        }

        @Override
        public void onComplete() {
            if (next == null) {
                body.end();
            } else {
                send("GET", next);
            }
        }
    }

    /** What is sent. */
    private static final class Content implements SdkHttpContentPublisher {
        private final byte[] bytes;

        Content(String text) {
            bytes = text.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public Optional<Long> contentLength() {
            return Optional.of((long) bytes.length);
        }

        @Override
        public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
            subscriber.onSubscribe(new Subscription() {
                private boolean done;

                @Override
                public void request(long n) {
                    if (!done) {
                        done = true;
                        if (bytes.length > 0) {
                            subscriber.onNext(ByteBuffer.wrap(bytes));
                        }
                        subscriber.onComplete();
                    }
                }

                @Override
                public void cancel() {
                    done = true;
                }
            });
        }
    }
}
