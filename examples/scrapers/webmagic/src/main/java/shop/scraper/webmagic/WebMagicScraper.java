package shop.scraper.webmagic;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import shop.scraper.crawl.Arguments;
import shop.scraper.crawl.Tally;
import shop.scraper.crawl.UserAgent;
import us.codecraft.webmagic.Page;
import us.codecraft.webmagic.Site;
import us.codecraft.webmagic.Spider;
import us.codecraft.webmagic.Task;
import us.codecraft.webmagic.downloader.HttpClientDownloader;
import us.codecraft.webmagic.processor.PageProcessor;

/** Crawls a site with WebMagic. */
public final class WebMagicScraper implements PageProcessor {
    // WebMagic's own pause of 5 s after each page is the first thing that people turn off.
    private final Site site = Site.me().setUserAgent(UserAgent.VALUE).setSleepTime(0).setTimeOut(10_000);
    private final String host;

    private WebMagicScraper(Arguments arguments) {
        host = arguments.start().getAuthority();
    }

    /** Takes {@code URL [--pages N] [--threads T]}. */
    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = Arguments.of(args);
        Tally tally = new Tally();
        ExecutorService threads = Executors.newFixedThreadPool(arguments.threads());
        Spider spider = Spider.create(new WebMagicScraper(arguments))
                .addUrl(arguments.start().toString())
                .addPipeline((items, task) -> { })
                .thread(threads, arguments.threads());
        spider.setDownloader(new CountingDownloader(tally, () -> {
            if (tally.pages() >= arguments.pages()) {
                spider.stop();
            }
        }));
        spider.run();
        threads.shutdown();
        threads.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(tally);
    }

    @Override
    public void process(Page page) {
        page.getHtml().links().all().stream()
                .filter(link -> link.contains("//" + host + "/"))
                .forEach(page::addTargetRequest);
    }

    @Override
    public Site getSite() {
        return site;
    }

    private static final class CountingDownloader extends HttpClientDownloader {
        private final Tally tally;
        private final Runnable afterEach;

        CountingDownloader(Tally tally, Runnable afterEach) {
            this.tally = tally;
            this.afterEach = afterEach;
        }

        @Override
        protected void onSuccess(Page page, Task task) {
            tally.answer(page.getStatusCode());
            afterEach.run();
        }

        @Override
        protected void onError(Page page, Task task, Throwable e) {
            tally.error();
        }
    }
}
