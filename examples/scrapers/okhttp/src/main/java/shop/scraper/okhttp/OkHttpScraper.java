package shop.scraper.okhttp;

import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import shop.scraper.crawl.Arguments;
import shop.scraper.crawl.Crawl;
import shop.scraper.crawl.Page;
import shop.scraper.crawl.UserAgent;

/** Crawls a site with OkHttp. */
public final class OkHttpScraper {

    private OkHttpScraper() {
    }

    /** Takes {@code URL [--pages N] [--threads T]}. */
    public static void main(String[] args) throws InterruptedException {
        OkHttpClient client = new OkHttpClient.Builder().callTimeout(10, TimeUnit.SECONDS).build();
        Crawl.run(Arguments.of(args), address -> {
            Request request = new Request.Builder().url(address.toURL()).header("User-Agent", UserAgent.VALUE).build();
            try (Response response = client.newCall(request).execute()) {
                return new Page(response.code(), response.body().string());
            }
        });
    }
}
