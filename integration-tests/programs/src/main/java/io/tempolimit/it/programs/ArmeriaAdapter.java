package io.tempolimit.it.programs;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.SessionProtocolNegotiationCache;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.WebClientBuilder;
import com.linecorp.armeria.client.proxy.ProxyConfig;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Armeria's {@code WebClient}. Up to 1.9 it follows no redirects, so this does. */
public final class ArmeriaAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.EVENT_LOOP, Feature.SENDS_ONCE, Feature.HTTP2,
                Feature.CLOSE, Feature.BODIES, Feature.USER_AGENT, Feature.TAKES_PROXY);
    }

    @Override
    public String cancelled() {
        return "com.linecorp.armeria.common.stream.AbortedStreamException";
    }

    /**
     * To a site without TLS it would ask for HTTP/2 first, by requests of its own; only with the option {@code http2}
     * it does.
     */
    @Override
    public Http open(Map<String, String> options) {
        long timeout = Long.parseLong(options.getOrDefault("timeout", "0"));
        ClientFactoryBuilder factory = ClientFactory.builder().connectTimeoutMillis(timeout == 0 ? 20_000 : timeout);
        if (options.containsKey("proxy")) {
            factory.proxyConfig(ProxyConfig.connect(Adapter.proxy(options)));
        }
        ClientFactory built = factory.build();
        WebClientBuilder client = WebClient.builder().factory(built).responseTimeoutMillis(timeout).writeTimeoutMillis(timeout)
                .maxResponseLength(0);
        if (options.containsKey("user-agent")) {
            client.setHeader("User-Agent", options.get("user-agent"));
        }
        if (!options.containsKey("http2")) {
            client.decorator((next, context, request) -> {
                Endpoint site = context.endpoint().withDefaultPort(80);
                SessionProtocolNegotiationCache.setUnsupported(InetSocketAddress.createUnresolved(site.host(), site.port()),
                        SessionProtocol.H2C);
                return next.execute(context, request);
            });
        }
        boolean follows = followsRedirects(client);
        return new Client(client.build(), built, follows);
    }

    private static boolean followsRedirects(WebClientBuilder client) {
        try {
            WebClientBuilder.class.getMethod("followRedirects").invoke(client);
            return true;
        } catch (NoSuchMethodException older) {
            return false;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Client extends FutureHttp {
        private final WebClient client;
        private final ClientFactory factory;
        private final boolean follows;

        Client(WebClient client, ClientFactory factory, boolean follows) {
            this.client = client;
            this.factory = factory;
            this.follows = follows;
        }

        @Override
        Future<?> begin(Request request, CompletableFuture<Reply> reply) {
            Call call = new Call(client, !follows, reply);
            call.send(request.method, request.url);
            return call;
        }

        @Override
        public void close() {
            factory.close();
        }
    }

    /** A call, with its redirects; as a future it does nothing but cancel. */
    private static final class Call extends CompletableFuture<Void> implements Subscriber<HttpObject> {
        /** As many as newer versions follow. */
        private static final int MOST_REDIRECTS = 19;

        private final WebClient client;
        private final boolean follow;
        private final CompletableFuture<Reply> reply;
        private final ChunkStream body = new ChunkStream();
        private String url;
        private int redirects;
        /** Null unless the response is a redirect. */
        private String next;
        private volatile HttpResponse response;

        Call(WebClient client, boolean follow, CompletableFuture<Reply> reply) {
            this.client = client;
            this.follow = follow;
            this.reply = reply;
        }

        void send(String method, String to) {
            url = to;
            next = null;
            response = client.execute(HttpRequest.of(RequestHeaders.of(HttpMethod.valueOf(method), to)));
            response.subscribe(this);
        }

        @Override
        public boolean cancel(boolean interrupt) {
            response.abort();
            return true;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(HttpObject part) {
            if (part instanceof HttpData) {
                if (next == null) {
                    body.add(((HttpData) part).array());
                }
            } else if (part instanceof ResponseHeaders && !((ResponseHeaders) part).status().isInformational()) {
                headed((ResponseHeaders) part);
            }
        }

        private void headed(ResponseHeaders head) {
            int status = head.status().code();
            String location = follow && status / 100 == 3 && redirects++ < MOST_REDIRECTS ? head.get("location") : null;
            if (location != null) {
                next = URI.create(url).resolve(location).toString();
                return;
            }
            List<String> lines = new ArrayList<>();
            head.forEach((name, value) -> {
                if (name.charAt(0) != ':') {
                    lines.add(name + ": " + value);
                }
            });
            reply.complete(new Reply(status, lines, body));
        }

        @Override
        public void onError(Throwable failure) {
            body.fail(failure);
            reply.completeExceptionally(failure);
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
}
