package shop.scraper.crawl;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how the requests of a crawl ended. */
public final class Tally {
    private final long began = System.nanoTime();
    private final AtomicInteger pages = new AtomicInteger();
    private final AtomicInteger tooMany = new AtomicInteger();
    private final AtomicInteger forbidden = new AtomicInteger();
    private final AtomicInteger errors = new AtomicInteger();

    /** Counts an answer by its status. */
    public void answer(int status) {
        if (status == 200) {
            pages.incrementAndGet();
        } else if (status == 429) {
            tooMany.incrementAndGet();
        } else if (status == 403) {
            forbidden.incrementAndGet();
        } else {
            errors.incrementAndGet();
        }
    }

    /** Counts a request that got no answer. */
    public void error() {
        errors.incrementAndGet();
    }

    /** How many pages were got so far. */
    public int pages() {
        return pages.get();
    }

    /** The line that a scraper ends with. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "pages %d, refused %d (429: %d, 403: %d), errors %d, seconds %.1f", pages.get(),
                tooMany.get() + forbidden.get(), tooMany.get(), forbidden.get(), errors.get(),
                (System.nanoTime() - began) / 1e9);
    }
}
