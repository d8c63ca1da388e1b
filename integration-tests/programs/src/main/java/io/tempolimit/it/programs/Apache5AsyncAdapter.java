package io.tempolimit.it.programs;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.hc.client5.http.async.methods.AbstractBinResponseConsumer;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.H2AsyncClientBuilder;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.entity.StringAsyncEntityProducer;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.util.Timeout;

/** Apache HttpClient 5, asynchronous. */
public final class Apache5AsyncAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.CLOSE,
                Feature.CANCELS_UNSENT, Feature.REPEATS_429,
                Feature.NEVER_RETRIES, Feature.EVENT_LOOP, Feature.PROXY, Feature.HTTP2, Feature.BODIES, Feature.ANSWERS_REJECTIONS,
                Feature.USER_AGENT, Feature.EXPECTS);
    }

    @Override
    @SuppressWarnings("deprecation")
    public Http open(Map<String, String> options) {
        if (options.containsKey("http2")) {
            CloseableHttpAsyncClient client = H2AsyncClientBuilder.create().build();
            client.start();
            return new Client(client);
        }
        HttpAsyncClientBuilder builder = HttpAsyncClientBuilder.create().setConnectionManager(
                PoolingAsyncClientConnectionManagerBuilder.create().setMaxConnPerRoute(100).setMaxConnTotal(200).build());
        if (options.containsKey("timeout")) {
            Timeout timeout = Timeout.ofMilliseconds(Long.parseLong(options.get("timeout")));
            builder.setDefaultRequestConfig(RequestConfig.custom().setConnectionRequestTimeout(timeout).setConnectTimeout(timeout)
                    .setResponseTimeout(timeout).build());
        }
        if (options.containsKey("threads")) {
            builder.setIOReactorConfig(IOReactorConfig.custom().setIoThreadCount(Integer.parseInt(options.get("threads"))).build());
        }
        if (options.containsKey("user")) {
            BasicCredentialsProvider credentials = new BasicCredentialsProvider();
            credentials.setCredentials(new AuthScope(null, -1),
                    new UsernamePasswordCredentials(options.get("user"), options.get("password").toCharArray()));
            builder.setDefaultCredentialsProvider(credentials);
        }
        builder.setUserAgent(options.get("user-agent"));
        if (options.containsKey("proxy")) {
            builder.setProxy(new HttpHost(Adapter.proxy(options).getHostString(), Adapter.proxy(options).getPort()));
        }
        CloseableHttpAsyncClient client = builder.build();
        client.start();
        return new Client(client);
    }

    private static final class Client extends FutureHttp {
        private final CloseableHttpAsyncClient client;

        Client(CloseableHttpAsyncClient client) {
            this.client = client;
        }

        @Override
        Future<?> begin(Request request, CompletableFuture<Reply> reply) {
            Consumer consumer = new Consumer(reply);
            BasicHttpRequest head = new BasicHttpRequest(request.method, URI.create(request.url));
            if (request.posts()) {
                head.setHeader("Expect", "100-continue");
            }
            return client.execute(new BasicRequestProducer(head, request.posts() ? new StringAsyncEntityProducer(Request.BODY) : null),
                    consumer, consumer);
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    private static final class Consumer extends AbstractBinResponseConsumer<Object> implements FutureCallback<Object> {
        private final CompletableFuture<Reply> reply;
        private final ChunkStream body = new ChunkStream();

        Consumer(CompletableFuture<Reply> reply) {
            this.reply = reply;
        }

        @Override
        protected void start(HttpResponse response, ContentType type) {
            List<String> headers = new ArrayList<>();
            for (Header header : response.getHeaders()) {
                headers.add(header.getName() + ": " + header.getValue());
            }
            reply.complete(new Reply(response.getCode(), headers, body));
        }

        @Override
        protected int capacityIncrement() {
            return Integer.MAX_VALUE;
        }

        @Override
        protected void data(ByteBuffer source, boolean last) {
            byte[] chunk = new byte[source.remaining()];
            source.get(chunk);
            body.add(chunk);
        }

        @Override
        protected Object buildResult() {
            body.end();
            return body;
        }

        @Override
        public void informationResponse(HttpResponse response, org.apache.hc.core5.http.protocol.HttpContext context) {
        }

        @Override
        public void releaseResources() {
        }

        @Override
        public void completed(Object result) {
            body.end();
        }

        @Override
        public void failed(Exception failure) {
            reply.completeExceptionally(failure);
            body.fail(failure);
        }

        @Override
        public void cancelled() {
            failed(new CancellationException());
        }
    }
}
