package io.tempolimit.it.programs.riding;

import edu.uci.ics.crawler4j.crawler.CrawlConfig;
import edu.uci.ics.crawler4j.fetcher.PageFetchResult;
import edu.uci.ics.crawler4j.fetcher.PageFetcher;
import edu.uci.ics.crawler4j.url.WebURL;
import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.util.ArrayList;
import java.util.List;
import org.apache.http.Header;

/** crawler4j's fetcher, without the pause that it makes of itself. */
public final class Crawler4jRider implements Http {
    private final PageFetcher fetcher;

    public Crawler4jRider(String on) {
        CrawlConfig config = new CrawlConfig();
        config.setPolitenessDelay(0);
        fetcher = new PageFetcher(config);
    }

    @Override
    public Reply send(Request request) throws Exception {
        WebURL url = new WebURL();
        url.setURL(request.url);
        PageFetchResult result = fetcher.fetchPage(url);
        List<String> headers = new ArrayList<>();
        for (Header header : result.getResponseHeaders()) {
            headers.add(header.getName() + ": " + header.getValue());
        }
        return new Reply(result.getStatusCode(), headers, result.getEntity().getContent());
    }
}
