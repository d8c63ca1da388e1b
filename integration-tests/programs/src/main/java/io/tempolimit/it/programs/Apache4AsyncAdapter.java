package io.tempolimit.it.programs;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.http.Header;
import org.apache.http.HttpHost;
import org.apache.http.HttpResponse;
import org.apache.http.auth.AuthScope;
import org.apache.http.auth.UsernamePasswordCredentials;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.HttpEntityEnclosingRequestBase;
import org.apache.http.concurrent.FutureCallback;
import org.apache.http.entity.StringEntity;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.impl.nio.client.CloseableHttpAsyncClient;
import org.apache.http.impl.nio.client.HttpAsyncClientBuilder;
import org.apache.http.impl.nio.reactor.IOReactorConfig;
import org.apache.http.nio.IOControl;
import org.apache.http.nio.client.methods.AsyncByteConsumer;
import org.apache.http.nio.client.methods.HttpAsyncMethods;
import org.apache.http.protocol.HttpContext;

/** Apache HttpAsyncClient 4.1. */
public final class Apache4AsyncAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.CLOSE,
                Feature.CANCELS_UNSENT, Feature.NEVER_RETRIES,
                Feature.EVENT_LOOP, Feature.OUTLIVES, Feature.PROXY, Feature.BODIES, Feature.ANSWERS_REJECTIONS, Feature.USER_AGENT,
                Feature.EXPECTS);
    }

    @Override
    public Http open(Map<String, String> options) {
        HttpAsyncClientBuilder builder = HttpAsyncClientBuilder.create().setMaxConnPerRoute(100).setMaxConnTotal(200);
        if (options.containsKey("timeout")) {
            int timeout = Integer.parseInt(options.get("timeout"));
            builder.setDefaultRequestConfig(RequestConfig.custom().setConnectionRequestTimeout(timeout).setConnectTimeout(timeout)
                    .setSocketTimeout(timeout).build());
        }
        if (options.containsKey("threads")) {
            builder.setDefaultIOReactorConfig(IOReactorConfig.custom().setIoThreadCount(Integer.parseInt(options.get("threads"))).build());
        }
        if (options.containsKey("user")) {
            BasicCredentialsProvider credentials = new BasicCredentialsProvider();
            credentials.setCredentials(AuthScope.ANY, new UsernamePasswordCredentials(options.get("user"), options.get("password")));
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
            HttpEntityEnclosingRequestBase base = new HttpEntityEnclosingRequestBase() {
                @Override
                public String getMethod() {
                    return request.method;
                }
            };
            base.setURI(URI.create(request.url));
            if (request.posts()) {
                base.setConfig(RequestConfig.custom().setExpectContinueEnabled(true).build());
                base.setEntity(new StringEntity(Request.BODY, StandardCharsets.US_ASCII));
            }
            Consumer consumer = new Consumer(reply);
            return client.execute(HttpAsyncMethods.create(base), consumer, consumer.callback());
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    private static final class Consumer extends AsyncByteConsumer<Object> {
        private final CompletableFuture<Reply> reply;
        private final ChunkStream body = new ChunkStream();

        Consumer(CompletableFuture<Reply> reply) {
            this.reply = reply;
        }

        @Override
        protected void onResponseReceived(HttpResponse response) {
            List<String> headers = new ArrayList<>();
            for (Header header : response.getAllHeaders()) {
                headers.add(header.getName() + ": " + header.getValue());
            }
            reply.complete(new Reply(response.getStatusLine().getStatusCode(), headers, body));
        }

        @Override
        protected void onByteReceived(ByteBuffer buffer, IOControl control) {
            byte[] chunk = new byte[buffer.remaining()];
            buffer.get(chunk);
            body.add(chunk);
        }

        @Override
        protected Object buildResult(HttpContext context) {
            body.end();
            return body;
        }

        FutureCallback<Object> callback() {
            return new FutureCallback<Object>() {
                @Override
                public void completed(Object result) {
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
            };
        }
    }
}
