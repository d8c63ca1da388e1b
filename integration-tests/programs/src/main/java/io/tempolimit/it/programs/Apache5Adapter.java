package io.tempolimit.it.programs;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.cache.CachingHttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.CloseableHttpResponse;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.Timeout;

/** Apache HttpClient 5, classic. */
public final class Apache5Adapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.CANCEL_SYNC, Feature.KEEPS_INTERRUPT, Feature.CACHE, Feature.CLOSE, Feature.REPEATS_429, Feature.PROXY,
                Feature.BODIES, Feature.COLLECTS, Feature.ANSWERS_REJECTIONS, Feature.USER_AGENT, Feature.EXPECTS);
    }

    @Override
    public String cancelled() {
        return "org.apache.hc.client5.http.impl.classic.RequestFailedException";
    }

    @Override
    public String interrupted() {
        return "org.apache.hc.client5.http.impl.classic.RequestFailedException";
    }

    @Override
    @SuppressWarnings("deprecation")
    public Http open(Map<String, String> options) {
        HttpClientBuilder builder = options.containsKey("cache")
                ? CachingHttpClientBuilder.create().setCacheDir(new File(options.get("cache")))
                : HttpClientBuilder.create();
        PoolingHttpClientConnectionManager connections = new PoolingHttpClientConnectionManager();
        connections.setDefaultMaxPerRoute(100);
        connections.setMaxTotal(200);
        builder.setConnectionManager(connections);
        if (options.containsKey("timeout")) {
            Timeout timeout = Timeout.ofMilliseconds(Long.parseLong(options.get("timeout")));
            builder.setDefaultRequestConfig(RequestConfig.custom().setConnectionRequestTimeout(timeout).setConnectTimeout(timeout)
                    .setResponseTimeout(timeout).build());
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
        return new Client(builder.build());
    }

    private static final class Client implements Http {
        private final CloseableHttpClient client;

        Client(CloseableHttpClient client) {
            this.client = client;
        }

        @Override
        public Reply send(Request request) throws IOException {
            HttpUriRequestBase base = new HttpUriRequestBase(request.method, java.net.URI.create(request.url));
            if (request.posts()) {
                base.setConfig(RequestConfig.custom().setExpectContinueEnabled(true).build());
                base.setEntity(new StringEntity(Request.BODY));
            }
            request.cancel = base::cancel;
            CloseableHttpResponse response = client.execute(base);
            List<String> headers = new ArrayList<>();
            for (Header header : response.getHeaders()) {
                headers.add(header.getName() + ": " + header.getValue());
            }
            HttpEntity entity = response.getEntity();
            InputStream body = entity == null ? new ByteArrayInputStream(new byte[0]) : entity.getContent();
            return new Reply(response.getCode(), headers, new FilterInputStream(body) {
                @Override
                public void close() throws IOException {
                    super.close();
                    response.close();
                }
            });
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }
}
