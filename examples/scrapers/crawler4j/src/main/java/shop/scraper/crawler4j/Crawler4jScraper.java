package shop.scraper.crawler4j;

import edu.uci.ics.crawler4j.crawler.CrawlConfig;
import edu.uci.ics.crawler4j.crawler.CrawlController;
import edu.uci.ics.crawler4j.crawler.Page;
import edu.uci.ics.crawler4j.crawler.WebCrawler;
import edu.uci.ics.crawler4j.fetcher.PageFetcher;
import edu.uci.ics.crawler4j.robotstxt.RobotstxtConfig;
import edu.uci.ics.crawler4j.robotstxt.RobotstxtServer;
import edu.uci.ics.crawler4j.url.WebURL;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import shop.scraper.crawl.Arguments;
import shop.scraper.crawl.Tally;
import shop.scraper.crawl.UserAgent;

/** Crawls a site with crawler4j. */
public final class Crawler4jScraper extends WebCrawler {
    private final String host;
    private final Tally tally;

    private Crawler4jScraper(Arguments arguments, Tally tally) {
        host = arguments.start().getAuthority();
        this.tally = tally;
    }

    /** Takes {@code URL [--pages N] [--threads T]}. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args);
        Tally tally = new Tally();
        Path storage = Files.createTempDirectory("crawl");
        try {
            crawl(arguments, tally, storage);
        } finally {
            delete(storage);
        }
        System.out.println(tally);
    }

    private static void crawl(Arguments arguments, Tally tally, Path storage) throws Exception {
        CrawlConfig config = new CrawlConfig();
        config.setCrawlStorageFolder(storage.toString());
        config.setUserAgentString(UserAgent.VALUE);
        config.setMaxPagesToFetch(arguments.pages());
        config.setPolitenessDelay(0);
        // It waits 10 s each of these times to see whether the crawl is really over.
        config.setThreadMonitoringDelaySeconds(1);
        config.setThreadShutdownDelaySeconds(1);
        config.setCleanupDelaySeconds(1);
        PageFetcher fetcher = new PageFetcher(config);
        CrawlController controller =
                new CrawlController(config, fetcher, new RobotstxtServer(new RobotstxtConfig(), fetcher));
        controller.addSeed(arguments.start().toString());
        controller.start(() -> new Crawler4jScraper(arguments, tally), arguments.threads());
    }

    @Override
    public boolean shouldVisit(Page referrer, WebURL link) {
        return link.getURL().contains("//" + host + "/");
    }

    @Override
    protected void handlePageStatusCode(WebURL address, int status, String description) {
        // A redirect is followed like a link and its page counted then.
        if (status < 300 || status >= 400) {
            tally.answer(status);
        }
    }

    @Override
    protected void onContentFetchError(Page page) {
        tally.error();
    }

    @Override
    protected void onUnhandledException(WebURL address, Throwable e) {
        tally.error();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
