package io.tempolimit.it.programs;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.httpclient.Header;
import org.apache.commons.httpclient.HttpClient;
import org.apache.commons.httpclient.HttpMethodBase;
import org.apache.commons.httpclient.MultiThreadedHttpConnectionManager;
import org.apache.commons.httpclient.UsernamePasswordCredentials;
import org.apache.commons.httpclient.auth.AuthScope;
import org.apache.commons.httpclient.methods.GetMethod;
import org.apache.commons.httpclient.methods.HeadMethod;
import org.apache.commons.httpclient.params.HttpClientParams;
import org.apache.commons.httpclient.params.HttpMethodParams;

/** Commons HttpClient 3. */
public final class CommonsHttpClientAdapter implements Adapter {
    static {
        System.setProperty("org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.CANCEL_SYNC, Feature.KEEPS_INTERRUPT, Feature.CLOSE, Feature.PROXY, Feature.BODIES, Feature.COLLECTS,
                Feature.ANSWERS_REJECTIONS, Feature.USER_AGENT);
    }

    @Override
    public String cancelled() {
        return "java.lang.IllegalStateException";
    }

    @Override
    public String interrupted() {
        return "java.io.InterruptedIOException";
    }

    @Override
    public Http open(Map<String, String> options) {
        MultiThreadedHttpConnectionManager connections = new MultiThreadedHttpConnectionManager();
        connections.getParams().setDefaultMaxConnectionsPerHost(1000);
        connections.getParams().setMaxTotalConnections(2000);
        HttpClient client = new HttpClient(connections);
        client.getParams().setParameter(HttpClientParams.MAX_REDIRECTS, 20);
        if (options.containsKey("timeout")) {
            int timeout = Integer.parseInt(options.get("timeout"));
            client.getParams().setConnectionManagerTimeout(timeout);
            connections.getParams().setConnectionTimeout(timeout);
            connections.getParams().setSoTimeout(timeout);
        }
        if (options.containsKey("user")) {
            UsernamePasswordCredentials credentials = new UsernamePasswordCredentials(options.get("user"), options.get("password"));
            client.getState().setCredentials(AuthScope.ANY, credentials);
            client.getState().setProxyCredentials(AuthScope.ANY, credentials);
        }
        if (options.containsKey("user-agent")) {
            client.getParams().setParameter(HttpMethodParams.USER_AGENT, options.get("user-agent"));
        }
        if (options.containsKey("proxy")) {
            client.getHostConfiguration().setProxy(Adapter.proxy(options).getHostString(), Adapter.proxy(options).getPort());
        }
        return new Client(client, connections);
    }

    private static final class Client implements Http {
        private final HttpClient client;
        private final MultiThreadedHttpConnectionManager connections;

        Client(HttpClient client, MultiThreadedHttpConnectionManager connections) {
            this.client = client;
            this.connections = connections;
        }

        @Override
        public Reply send(Request request) throws IOException {
            HttpMethodBase method = request.method.equals("HEAD") ? new HeadMethod(request.url) : new GetMethod(request.url);
            request.cancel = method::abort;
            boolean answered = false;
            try {
                int status = client.executeMethod(method);
                answered = true;
                return new Reply(status, headers(method), body(method));
            } finally {
                if (!answered) {
                    method.releaseConnection(); // as its documentation asks for
                }
            }
        }

        private static List<String> headers(HttpMethodBase method) {
            List<String> headers = new ArrayList<>();
            for (Header header : method.getResponseHeaders()) {
                headers.add(header.getName() + ": " + header.getValue());
            }
            return headers;
        }

        private static InputStream body(HttpMethodBase method) throws IOException {
            InputStream body = method.getResponseBodyAsStream();
            return new FilterInputStream(body == null ? new ByteArrayInputStream(new byte[0]) : body) {
                @Override
                public void close() {
                    method.releaseConnection();
                }
            };
        }

        @Override
        public void close() {
            connections.shutdown();
        }
    }
}
