package shop.scraper.apache5;

import java.io.IOException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import shop.scraper.crawl.Arguments;
import shop.scraper.crawl.Crawl;
import shop.scraper.crawl.Page;
import shop.scraper.crawl.UserAgent;

/** Crawls a site with Apache HttpClient 5. */
public final class ApacheScraper {

    private ApacheScraper() {
    }

    /** Takes {@code URL [--pages N] [--threads T]}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Arguments arguments = Arguments.of(args);
        try (CloseableHttpClient client = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(arguments.threads())
                        .setMaxConnTotal(arguments.threads())
                        .build())
                .setUserAgent(UserAgent.VALUE)
                // The crawl asks again itself; both together would ask four times.
                .disableAutomaticRetries()
                .build()) {
            Crawl.run(arguments, address -> client.execute(new HttpGet(address),
                    response -> new Page(response.getCode(), EntityUtils.toString(response.getEntity()))));
        }
    }
}
