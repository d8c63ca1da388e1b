package io.tempolimit.it.programs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.reflect.Constructor;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpProxy;
import org.eclipse.jetty.client.HttpRequest;
import org.eclipse.jetty.client.api.Authentication;
import org.eclipse.jetty.client.api.ContentResponse;
import org.eclipse.jetty.client.api.Response;
import org.eclipse.jetty.client.api.Result;
import org.eclipse.jetty.client.util.BasicAuthentication;
import org.eclipse.jetty.client.util.BufferingResponseListener;
import org.eclipse.jetty.client.util.InputStreamResponseListener;
import org.eclipse.jetty.client.util.StringContentProvider;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.http.HttpClientTransportOverHTTP2;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/** Jetty's {@code HttpClient} 9.4 to 11. */
public final class JettyAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        EnumSet<Feature> features = EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.CLOSE,
                Feature.CANCELS_UNSENT, Feature.NEVER_RETRIES,
                Feature.BUFFERS_SYNC, Feature.PROXY, Feature.HTTP2, Feature.BODIES, Feature.USER_AGENT, Feature.EXPECTS);
        if (before949()) {
            features.add(Feature.TIMES_OUT_IN_SYNC);
        }
        return features;
    }

    private static boolean before949() {
        try {
            return HttpRequest.class.getDeclaredMethod("sent") == null;
        } catch (NoSuchMethodException e) {
            return true;
        }
    }

    @Override
    public Http open(Map<String, String> options) throws Exception {
        HttpClient client = options.containsKey("http2") ? http2() : new HttpClient();
        QueuedThreadPool threads = new QueuedThreadPool(Math.max(8, Integer.parseInt(options.getOrDefault("threads", "0")) + 6));
        threads.setDaemon(true);
        client.setExecutor(threads);
        client.setScheduler(new ScheduledExecutorScheduler("scheduler", true));
        if (options.containsKey("proxy")) {
            InetSocketAddress proxy = Adapter.proxy(options);
            client.getProxyConfiguration().getProxies().add(new HttpProxy(proxy.getHostString(), proxy.getPort()));
            client.getAuthenticationStore().addAuthentication(new BasicAuthentication(URI.create("http://" + options.get("proxy")),
                    Authentication.ANY_REALM, options.get("user"), options.get("password")));
        }
        if (options.containsKey("user-agent")) {
            client.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, options.get("user-agent")));
        }
        client.start();
        return new Client(client, options);
    }

    /** Up to 9.4 with a second argument. */
    private static HttpClient http2() throws Exception {
        Object transport = new HttpClientTransportOverHTTP2(new HTTP2Client());
        for (Constructor<?> constructor : HttpClient.class.getConstructors()) {
            Class<?>[] types = constructor.getParameterTypes();
            if (types.length > 0 && types[0].isInstance(transport)) {
                return (HttpClient) (types.length == 1 ? constructor.newInstance(transport) : constructor.newInstance(transport, null));
            }
        }
        throw new NoSuchMethodException("HttpClient(HttpClientTransport)");
    }

    private static final class Client implements Http {
        private final HttpClient client;
        private final Map<String, String> options;

        Client(HttpClient client, Map<String, String> options) {
            this.client = client;
            this.options = options;
        }

        private org.eclipse.jetty.client.api.Request build(Request request) {
            if (options.containsKey("user")) {
                client.getAuthenticationStore().addAuthentication(new BasicAuthentication(URI.create(request.url).resolve("/"),
                        Authentication.ANY_REALM, options.get("user"), options.get("password")));
            }
            org.eclipse.jetty.client.api.Request built = client.newRequest(request.url).method(request.method);
            if (options.containsKey("timeout")) {
                built.timeout(Long.parseLong(options.get("timeout")), TimeUnit.MILLISECONDS);
            }
            if (request.posts()) {
                built.header(HttpHeader.EXPECT, "100-continue").content(new StringContentProvider(Request.BODY));
            }
            request.cancel = () -> built.abort(new CancellationException("no longer wanted"));
            return built;
        }

        /** What the program or the agent has aborted the request with is in an envelope, which is taken off for the contract. */
        @Override
        public Reply send(Request request) throws Exception {
            try {
                ContentResponse response = build(request).send();
                return reply(response, new ByteArrayInputStream(response.getContent()));
            } catch (ExecutionException e) {
                boolean aborted = e.getCause() instanceof CancellationException || e.getCause() instanceof InterruptedIOException;
                throw aborted ? (Exception) e.getCause() : e;
            }
        }

        /** Calls back on another thread than the client does: one on which Jetty allows no waiting. */
        @Override
        public void start(Request request, Callback callback) {
            if (request.stream) {
                InputStreamResponseListener listener = new InputStreamResponseListener() {
                    private boolean begun;

                    @Override
                    public void onHeaders(Response response) {
                        super.onHeaders(response);
                        InputStream body = getInputStream();
                        begun = true;
                        callBack(() -> callback.replied(reply(response, body)));
                    }

                    @Override
                    public void onFailure(Response response, Throwable failure) {
                        super.onFailure(response, failure);
                        if (!begun) {
                            callBack(() -> callback.failed(failure));
                        }
                    }
                };
                build(request).send(listener);
                return;
            }
            build(request).send(new BufferingResponseListener(20_000_000) {
                @Override
                public void onComplete(Result result) {
                    byte[] content = getContent() == null ? new byte[0] : getContent();
                    callBack(() -> {
                        if (result.isFailed()) {
                            callback.failed(result.getFailure());
                        } else {
                            callback.replied(reply(result.getResponse(), new ByteArrayInputStream(content)));
                        }
                    });
                }
            });
        }

        /** On the client's executor; one that is being stopped forgets what is in its queue. */
        private void callBack(Runnable callback) {
            if (client.isRunning()) {
                client.getExecutor().execute(callback);
            } else {
                new Thread(callback, "callback").start();
            }
        }

        private static Reply reply(Response response, InputStream body) {
            List<String> headers = new ArrayList<>();
            Iterable<HttpField> fields = response.getHeaders(); // a class up to 9.4, an interface after that
            for (HttpField field : fields) {
                headers.add(field.getName() + ": " + field.getValue());
            }
            return new Reply(response.getStatus(), headers, body);
        }

        @Override
        public void close() throws IOException {
            try {
                client.stop();
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }
}
