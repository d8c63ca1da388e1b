package io.tempolimit.clients.jsoup;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * jsoup's own timeout, from version 1.11. Its requests pass {@code HttpURLConnection} or the JDK's {@code HttpClient},
 * where they are paced; but jsoup notes the time before it asks those, and gives up on a page that is read later than
 * its timeout after that. What was waited in between is added to that time. A version that keeps it in another way is
 * paced all the same, and its timeout runs on.
 */
public final class Jsoup {
    private static final String INTERNAL = "org/jsoup/internal/";

    private Jsoup() {
    }

    public static final Client CLIENT = new Client("jsoup", "jsoup", "org.jsoup.helper.HttpConnection", "io.tempolimit.clients.jsoup.hooks",
            Site.watch(INTERNAL + "ControllableInputStream", "timeout", "TimeoutHook").descriptor("(JJ)").optional(), // from 1.19
            Site.watch(INTERNAL + "ConstrainableInputStream", "timeout", "TimeoutHook").descriptor("(JJ)").optional());
}
