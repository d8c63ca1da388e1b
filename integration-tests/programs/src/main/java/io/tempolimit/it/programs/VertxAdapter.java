package io.tempolimit.it.programs;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ProxyOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/** HttpClient of Vert.x 4 and 5; synchronous is a thread that waits for the future. */
public final class VertxAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.ASYNC, Feature.CLOSE, Feature.SENDS_ONCE, Feature.UNSTOPPABLE, Feature.OUTLIVES, Feature.HTTP2,
                Feature.BODIES, Feature.TAKES_PROXY, Feature.NO_TLS);
    }

    @Override
    public String cancelled() {
        return "none";
    }

    @Override
    public Http open(Map<String, String> options) throws Exception {
        Vertx vertx = Vertx.vertx();
        HttpClientOptions http = new HttpClientOptions();
        if (options.containsKey("http2")) {
            http.setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false);
        }
        if (options.containsKey("proxy")) {
            http.setProxyOptions(new ProxyOptions().setHost(Adapter.proxy(options).getHostString())
                    .setPort(Adapter.proxy(options).getPort()));
        }
        // Its type is another one in 5.
        HttpClient client = (HttpClient) Vertx.class.getMethod("createHttpClient", HttpClientOptions.class).invoke(vertx, http);
        return new Client(vertx, client, Long.parseLong(options.getOrDefault("timeout", "0")));
    }

    private static final class Client implements Http {
        private final Vertx vertx;
        private final HttpClient client;
        private final long timeout;

        Client(Vertx vertx, HttpClient client, long timeout) {
            this.vertx = vertx;
            this.client = client;
            this.timeout = timeout;
        }

        private Future<Reply> begin(Request request, boolean stream) {
            URI uri = URI.create(request.url);
            RequestOptions options = new RequestOptions().setMethod(HttpMethod.valueOf(request.method)).setHost(uri.getHost())
                    .setPort(uri.getPort() < 0 ? 80 : uri.getPort()).setSsl(false).setURI(uri.getRawPath()).setFollowRedirects(true);
            if (timeout > 0) {
                options.setTimeout(timeout);
            }
            request.cancel = () -> { }; // there is no way
            // One inside the other: a step that is added from another thread may come after the body.
            return client.request(options).compose(r -> r.send().compose(response -> reply(response, stream)));
        }

        private static Future<Reply> reply(HttpClientResponse response, boolean stream) {
            List<String> headers = new ArrayList<>();
            for (Map.Entry<String, String> header : response.headers().entries()) {
                headers.add(header.getKey() + ": " + header.getValue());
            }
            if (stream) {
                return Future.succeededFuture(new Reply(response.statusCode(), headers, new Body(response)));
            }
            return response.body().map(body -> new Reply(response.statusCode(), headers, new ByteArrayInputStream(body.getBytes())));
        }

        @Override
        public Reply send(Request request) throws Exception {
            try {
                return begin(request, true).toCompletionStage().toCompletableFuture().get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
            }
        }

        /** Called back on a thread that may block, for that is what they do. */
        @Override
        public void start(Request request, Callback callback) {
            begin(request, request.stream).toCompletionStage().whenCompleteAsync((reply, failure) -> {
                if (failure == null) {
                    callback.replied(reply);
                } else {
                    callback.failed(failure);
                }
            });
        }

        /** Vert.x and all that it has. */
        @Override
        public void close() {
            vertx.close();
        }
    }

    /** A response's body, read by a thread while it comes. */
    private static final class Body extends InputStream {
        private static final Object END = new Object();

        private final LinkedBlockingQueue<Object> chunks = new LinkedBlockingQueue<>();
        private byte[] chunk = new byte[0];
        private int at;

        Body(HttpClientResponse response) {
            response.exceptionHandler(chunks::add).handler(data -> chunks.add(data.getBytes())).endHandler(v -> chunks.add(END));
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            while (at == chunk.length) {
                Object next = next();
                if (next == END) {
                    chunks.add(END);
                    return -1;
                }
                if (next instanceof Throwable) {
                    throw new IOException((Throwable) next);
                }
                chunk = (byte[]) next;
                at = 0;
            }
            int n = Math.min(length, chunk.length - at);
            System.arraycopy(chunk, at, into, offset, n);
            at += n;
            return n;
        }

        private Object next() throws IOException {
            try {
                return chunks.take();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
