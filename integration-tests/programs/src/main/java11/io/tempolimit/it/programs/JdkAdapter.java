package io.tempolimit.it.programs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/** {@code java.net.http.HttpClient}. */
public final class JdkAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        EnumSet<Feature> features = EnumSet.of(Feature.ASYNC, Feature.CANCEL_ASYNC, Feature.PROXY, Feature.HTTP2, Feature.BODIES,
                Feature.ANSWERS_REJECTIONS, Feature.USER_AGENT);
        if (Runtime.version().feature() >= 21) {
            features.add(Feature.CLOSE);
            features.add(Feature.EXPECTS); // before, a call that is answered otherwise than by a 100 never ends
        }
        return features;
    }

    @Override
    public Http open(Map<String, String> options) {
        HttpClient.Builder builder = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS)
                .version(options.containsKey("http2") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        if (options.containsKey("user")) {
            builder.authenticator(new Authenticator() {
                @Override
                protected PasswordAuthentication getPasswordAuthentication() {
                    return new PasswordAuthentication(options.get("user"), options.get("password").toCharArray());
                }
            });
        }
        if (options.containsKey("proxy")) {
            builder.proxy(ProxySelector.of(Adapter.proxy(options)));
        }
        if (options.containsKey("threads")) {
            builder.executor(Executors.newFixedThreadPool(Integer.parseInt(options.get("threads")), task -> {
                Thread thread = new Thread(task, "client");
                thread.setDaemon(true);
                return thread;
            }));
        }
        Duration timeout = options.containsKey("timeout") ? Duration.ofMillis(Long.parseLong(options.get("timeout"))) : null;
        return new Client(builder.build(), timeout, options.get("user-agent"));
    }

    private static final class Client implements Http {
        private final HttpClient client;
        private final Duration timeout;
        private final String userAgent;

        Client(HttpClient client, Duration timeout, String userAgent) {
            this.client = client;
            this.timeout = timeout;
            this.userAgent = userAgent;
        }

        private HttpRequest build(Request request) {
            HttpRequest.BodyPublisher body = request.posts() ? HttpRequest.BodyPublishers.ofString(Request.BODY)
                    : HttpRequest.BodyPublishers.noBody();
            HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(request.url)).expectContinue(request.posts())
                    .method(request.method, body);
            if (timeout != null) {
                builder.timeout(timeout);
            }
            if (userAgent != null) {
                builder.header("User-Agent", userAgent);
            }
            return builder.build();
        }

        @Override
        public Reply send(Request request) throws IOException, InterruptedException {
            HttpResponse<InputStream> response = client.send(build(request), HttpResponse.BodyHandlers.ofInputStream());
            return reply(response, response.body());
        }

        @Override
        public void start(Request request, Callback callback) {
            if (request.stream) {
                end(request, client.sendAsync(build(request), HttpResponse.BodyHandlers.ofInputStream()), callback, body -> body);
            } else {
                end(request, client.sendAsync(build(request), HttpResponse.BodyHandlers.ofByteArray()), callback,
                        ByteArrayInputStream::new);
            }
        }

        private static <T> void end(Request request, CompletableFuture<HttpResponse<T>> future, Callback callback,
                java.util.function.Function<T, InputStream> toStream) {
            request.cancel = () -> future.cancel(true);
            future.whenComplete((response, failure) -> {
                if (failure == null) {
                    callback.replied(reply(response, toStream.apply(response.body())));
                } else {
                    callback.failed(failure);
                }
            });
        }

        private static Reply reply(HttpResponse<?> response, InputStream body) {
            List<String> headers = new ArrayList<>();
            response.headers().map().forEach((name, values) -> values.forEach(value -> headers.add(name + ": " + value)));
            return new Reply(response.statusCode(), headers, body);
        }

        /** {@code shutdownNow}, Java 21. */
        @Override
        public void close() {
            try {
                HttpClient.class.getMethod("shutdownNow").invoke(client);
            } catch (NoSuchMethodException older) {
                // it ends when nobody refers to it
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
