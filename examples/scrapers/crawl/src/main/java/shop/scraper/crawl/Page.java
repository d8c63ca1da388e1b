package shop.scraper.crawl;

import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;

/** What an HTTP client brought back. */
public final class Page {
    private final int status;
    private final String html;

    /** A page as it came: the status after redirects, and the text. */
    public Page(int status, String html) {
        this.status = status;
        this.html = html;
    }

    int status() {
        return status;
    }

    /** The addresses that the page links to, as seen from its own. */
    List<URI> links(URI address) {
        return Jsoup.parse(html, address.toString()).select("a[href]").stream()
                .map(link -> link.absUrl("href").replaceFirst("#.*", ""))
                .filter(link -> link.startsWith("http"))
                .map(URI::create)
                .collect(Collectors.toList());
    }
}
