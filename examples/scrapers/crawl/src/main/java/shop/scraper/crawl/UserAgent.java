package shop.scraper.crawl;

/** How the scrapers introduce themselves. */
public final class UserAgent {
    /** A name, and where to complain. */
    public static final String VALUE = "shop-prices/1.0 (+mailto:prices@shop.example)";

    private UserAgent() {
    }
}
