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
import org.apache.http.Header;
import org.apache.http.HttpEntity;
import org.apache.http.HttpHost;
import org.apache.http.HttpResponse;
import org.apache.http.auth.AuthScope;
import org.apache.http.auth.UsernamePasswordCredentials;
import org.apache.http.client.ServiceUnavailableRetryStrategy;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.client.methods.HttpHead;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.client.methods.HttpRequestBase;
import org.apache.http.entity.StringEntity;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.impl.client.cache.CachingHttpClientBuilder;
import org.apache.http.protocol.HttpContext;

/** Apache HttpClient 4.3 to 4.5. */
public final class Apache4Adapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.CANCEL_SYNC, Feature.KEEPS_INTERRUPT, Feature.CACHE, Feature.CLOSE, Feature.PROXY,
                Feature.BODIES, Feature.COLLECTS, Feature.ANSWERS_REJECTIONS, Feature.USER_AGENT, Feature.EXPECTS);
    }

    @Override
    public String cancelled() {
        return "org.apache.http.impl.execchain.RequestAbortedException";
    }

    @Override
    public String interrupted() {
        return "org.apache.http.impl.execchain.RequestAbortedException";
    }

    @Override
    public Http open(Map<String, String> options) {
        HttpClientBuilder builder = options.containsKey("cache")
                ? CachingHttpClientBuilder.create().setCacheDir(new File(options.get("cache")))
                : HttpClientBuilder.create();
        builder.setMaxConnPerRoute(100).setMaxConnTotal(200);
        int timeout = Integer.parseInt(options.getOrDefault("timeout", "-1"));
        builder.setDefaultRequestConfig(RequestConfig.custom().setConnectionRequestTimeout(timeout).setConnectTimeout(timeout)
                .setSocketTimeout(timeout).build());
        if (options.containsKey("user")) {
            BasicCredentialsProvider credentials = new BasicCredentialsProvider();
            credentials.setCredentials(AuthScope.ANY, new UsernamePasswordCredentials(options.get("user"), options.get("password")));
            builder.setDefaultCredentialsProvider(credentials);
        }
        builder.setUserAgent(options.get("user-agent"));
        int repeat = Integer.parseInt(options.getOrDefault("repeat", "0"));
        builder.setServiceUnavailableRetryStrategy(new ServiceUnavailableRetryStrategy() {
            @Override
            public boolean retryRequest(HttpResponse response, int executions, HttpContext context) {
                return executions <= repeat && response.getStatusLine().getStatusCode() == 429;
            }

            @Override
            public long getRetryInterval() {
                return 1;
            }
        });
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

        private static HttpPost post(String url) throws IOException {
            HttpPost post = new HttpPost(url);
            post.setConfig(RequestConfig.custom().setExpectContinueEnabled(true).build());
            post.setEntity(new StringEntity(Request.BODY));
            return post;
        }

        @Override
        public Reply send(Request request) throws IOException {
            HttpRequestBase base = request.posts() ? post(request.url)
                    : request.method.equals("HEAD") ? new HttpHead(request.url) : new HttpGet(request.url);
            request.cancel = base::abort;
            CloseableHttpResponse response = client.execute(base);
            List<String> headers = new ArrayList<>();
            for (Header header : response.getAllHeaders()) {
                headers.add(header.getName() + ": " + header.getValue());
            }
            HttpEntity entity = response.getEntity();
            InputStream body = entity == null ? new ByteArrayInputStream(new byte[0]) : entity.getContent();
            return new Reply(response.getStatusLine().getStatusCode(), headers, new FilterInputStream(body) {
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
