package shop.scraper.crawl;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * Follows the links of one site from page to page, with as many threads as told. As simple scrapers do, it asks for a page once
 * more when it was refused or failed, at once, and then goes on with the next.
 */
public final class Crawl {

    /** Gets one page with the HTTP client that the scraper was written for. */
    public interface Fetcher {
        /** Asks for a page, following redirects, whatever status it comes with. */
        Page fetch(URI address) throws IOException, InterruptedException;
    }

    private final Arguments arguments;
    private final Fetcher fetcher;
    private final Tally tally = new Tally();
    private final Queue<URI> waiting = new ArrayDeque<>();
    private final Set<URI> seen = new HashSet<>();
    private int underWay;

    private Crawl(Arguments arguments, Fetcher fetcher) {
        this.arguments = arguments;
        this.fetcher = fetcher;
        found(Collections.singletonList(arguments.start()));
    }

    /** Crawls until there are enough pages or no more links, and prints how it went. */
    public static void run(Arguments arguments, Fetcher fetcher) throws InterruptedException {
        Crawl crawl = new Crawl(arguments, fetcher);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < arguments.threads(); i++) {
            Thread thread = new Thread(crawl::work, "scraper-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(crawl.tally);
    }

    private void work() {
        try {
            for (URI address = next(); address != null; address = next()) {
                try {
                    found(links(address));
                } finally {
                    done();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<URI> links(URI address) throws InterruptedException {
        for (int attempt = 1; attempt <= 2; attempt++) {
            try {
                Page page = fetcher.fetch(address);
                tally.answer(page.status());
                if (page.status() == 200) {
                    return page.links(address);
                }
                if (page.status() == 404) {
                    break;
                }
            } catch (IOException e) {
                tally.error();
            }
        }
        return Collections.emptyList();
    }

    /** The next page to ask for; none if there is nothing left to do. */
    private synchronized URI next() throws InterruptedException {
        while (true) {
            boolean wanted = tally.pages() + underWay < arguments.pages();
            if (wanted && !waiting.isEmpty()) {
                underWay++;
                return waiting.remove();
            }
            if (underWay == 0) {
                return null;
            }
            // What is under way may yet bring links, or fail and leave room for another page.
            wait();
        }
    }

    private synchronized void done() {
        underWay--;
        notifyAll();
    }

    private synchronized void found(List<URI> links) {
        for (URI link : links) {
            if (link.getAuthority().equals(arguments.start().getAuthority()) && seen.add(link)) {
                waiting.add(link);
            }
        }
    }
}
