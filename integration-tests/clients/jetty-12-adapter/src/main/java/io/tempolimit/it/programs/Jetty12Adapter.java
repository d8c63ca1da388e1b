package io.tempolimit.it.programs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
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
import org.eclipse.jetty.client.Authentication;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.BasicAuthentication;
import org.eclipse.jetty.client.BufferingResponseListener;
import org.eclipse.jetty.client.HttpProxy;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/** Jetty's {@code HttpClient} 12. */
public final class Jetty12Adapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.CLOSE,
                Feature.CANCELS_UNSENT, Feature.NEVER_RETRIES,
                Feature.BUFFERS_SYNC, Feature.PROXY, Feature.HTTP2, Feature.BODIES, Feature.USER_AGENT, Feature.EXPECTS);
    }

    @Override
    public Http open(Map<String, String> options) throws Exception {
        HttpClient client = options.containsKey("http2") ? new HttpClient(new HttpClientTransportOverHTTP2(new HTTP2Client()))
                : new HttpClient();
        QueuedThreadPool threads = new QueuedThreadPool(Math.max(8, Integer.parseInt(options.getOrDefault("threads", "0")) + 6));
        threads.setDaemon(true);
        client.setExecutor(threads);
        client.setScheduler(new ScheduledExecutorScheduler("scheduler", true));
        if (options.containsKey("proxy")) {
            InetSocketAddress proxy = Adapter.proxy(options);
            client.getProxyConfiguration().addProxy(new HttpProxy(proxy.getHostString(), proxy.getPort()));
            client.getAuthenticationStore().addAuthentication(new BasicAuthentication(URI.create("http://" + options.get("proxy")),
                    Authentication.ANY_REALM, options.get("user"), options.get("password")));
        }
        if (options.containsKey("user-agent")) {
            client.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, options.get("user-agent")));
        }
        client.start();
        return new Client(client, options);
    }

    private static final class Client implements Http {
        private final HttpClient client;
        private final Map<String, String> options;

        Client(HttpClient client, Map<String, String> options) {
            this.client = client;
            this.options = options;
        }

        private org.eclipse.jetty.client.Request build(Request request) {
            if (options.containsKey("user")) {
                client.getAuthenticationStore().addAuthentication(new BasicAuthentication(URI.create(request.url).resolve("/"),
                        Authentication.ANY_REALM, options.get("user"), options.get("password")));
            }
            org.eclipse.jetty.client.Request built = client.newRequest(request.url).method(request.method);
            if (options.containsKey("timeout")) {
                built.timeout(Long.parseLong(options.get("timeout")), TimeUnit.MILLISECONDS);
            }
            if (request.posts()) {
                built.headers(headers -> headers.put(HttpHeader.EXPECT, "100-continue")).body(new StringRequestContent(Request.BODY));
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
            Iterable<HttpField> fields = response.getHeaders();
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
