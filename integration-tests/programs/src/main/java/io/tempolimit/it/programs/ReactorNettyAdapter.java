package io.tempolimit.it.programs;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import reactor.core.Disposable;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.transport.ProxyProvider;

/** Reactor Netty 1's {@code HttpClient}. Its exceptions are taken out of a future, where {@code block} would wrap them. */
public final class ReactorNettyAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.LOSES_CANCELLED, Feature.EVENT_LOOP,
                Feature.SENDS_ONCE, Feature.HTTP2, Feature.CLOSE, Feature.BODIES, Feature.USER_AGENT, Feature.TAKES_PROXY);
    }

    @Override
    public Http open(Map<String, String> options) {
        HttpClient client = HttpClient.create(ConnectionProvider.create("contract", 200)).followRedirect(true);
        if (options.containsKey("timeout")) {
            client = client.responseTimeout(Duration.ofMillis(Long.parseLong(options.get("timeout"))));
        }
        if (options.containsKey("proxy")) {
            client = client.proxy(proxy -> proxy.type(ProxyProvider.Proxy.HTTP).address(Adapter.proxy(options)));
        }
        if (options.containsKey("http2")) {
            client = client.protocol(HttpProtocol.H2C);
        }
        if (options.containsKey("user-agent")) {
            String agent = options.get("user-agent");
            client = client.headers(headers -> headers.set("User-Agent", agent));
        }
        LoopResources loops = options.containsKey("closes") ? LoopResources.create("contract", 2, true) : null;
        return new Client(loops == null ? client : client.runOn(loops), loops);
    }

    private static final class Client extends FutureHttp {
        private final HttpClient client;
        /** Null if they are those of all clients. */
        private final LoopResources loops;

        Client(HttpClient client, LoopResources loops) {
            this.client = client;
            this.loops = loops;
        }

        @Override
        Future<?> begin(Request request, CompletableFuture<Reply> reply) {
            ChunkStream body = new ChunkStream();
            Disposable call = client.request(io.netty.handler.codec.http.HttpMethod.valueOf(request.method)).uri(request.url)
                    .response((response, content) -> {
                        reply.complete(new Reply(response.status().code(), headers(response), body));
                        return content.doOnComplete(body::end);
                    })
                    .subscribe(data -> body.add(bytes(data)), failure -> {
                        body.fail(failure);
                        reply.completeExceptionally(failure);
                    });
            return new CompletableFuture<Void>() {
                /** A subscriber that cancels hears no more: that it is over, it knows by itself. */
                @Override
                public boolean cancel(boolean interrupt) {
                    call.dispose();
                    CancellationException cancelled = new CancellationException();
                    body.fail(cancelled);
                    return reply.completeExceptionally(cancelled);
                }
            };
        }

        @Override
        public void close() {
            if (loops != null) {
                loops.disposeLater(Duration.ZERO, Duration.ofSeconds(10)).block();
            }
        }

        private static List<String> headers(HttpClientResponse response) {
            List<String> headers = new ArrayList<>();
            for (Map.Entry<String, String> header : response.responseHeaders().entries()) {
                headers.add(header.getKey() + ": " + header.getValue());
            }
            return headers;
        }

        private static byte[] bytes(ByteBuf data) {
            byte[] bytes = new byte[data.readableBytes()];
            data.readBytes(bytes);
            return bytes;
        }
    }
}
