package shop.scraper.jsoup;

import org.jsoup.Connection;
import org.jsoup.Jsoup;
import shop.scraper.crawl.Arguments;
import shop.scraper.crawl.Crawl;
import shop.scraper.crawl.Page;
import shop.scraper.crawl.UserAgent;

/** Crawls a site with jsoup. */
public final class JsoupScraper {

    private JsoupScraper() {
    }

    /** Takes {@code URL [--pages N] [--threads T]}. */
    public static void main(String[] args) throws InterruptedException {
        Connection session = Jsoup.newSession().userAgent(UserAgent.VALUE).timeout(10_000).ignoreHttpErrors(true);
        Crawl.run(Arguments.of(args), address -> {
            Connection.Response response = session.newRequest(address.toString()).execute();
            return new Page(response.statusCode(), response.body());
        });
    }
}
