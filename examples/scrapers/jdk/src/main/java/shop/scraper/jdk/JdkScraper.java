package shop.scraper.jdk;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import shop.scraper.crawl.Arguments;
import shop.scraper.crawl.Crawl;
import shop.scraper.crawl.Page;
import shop.scraper.crawl.UserAgent;

/** Crawls a site with the HTTP client of the JDK. */
public final class JdkScraper {

    private JdkScraper() {
    }

    /** Takes {@code URL [--pages N] [--threads T]}. */
    public static void main(String[] args) throws InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(Duration.ofSeconds(10))
                .build();
        Crawl.run(Arguments.of(args), address -> {
            HttpRequest request = HttpRequest.newBuilder(address)
                    .header("User-Agent", UserAgent.VALUE)
                    .timeout(Duration.ofSeconds(10))
                    .build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return new Page(response.statusCode(), response.body());
        });
    }
}
