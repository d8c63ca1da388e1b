package io.tempolimit.clients.nutch;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Nutch 1 and 2 with {@code protocol-http}, the plugin that Nutch fetches with unless it is told otherwise.
 *
 * <p>The plugin writes to sockets of its own. {@code Http.getResponse} runs once for each request, also for {@code robots.txt} and
 * for each of its redirects; a page's redirects are pages of their own. It opens the connection, reads the whole answer, and
 * closes the connection. So a request waits before that, on the fetcher's thread, and all of the plugin's timeouts begin
 * after the wait. There is nothing to cancel: an interrupt ends a wait.
 *
 * <p>A rejection is thrown, and Nutch takes it for a failure of the page, which it tries again in a later round.
 *
 * <p>{@code HttpResponse} reads the head in {@code parseHeaders}, and is judged by it there. The body is judged when all of it has
 * come, in the length to which {@code http.content.limit} cuts it.
 *
 * <p>The plugin is loaded by a loader of its own. Its types are found by name: no registry has the plugin, and Nutch's own jar
 * needs Hadoop to be linked to.
 */
public final class Nutch {
    private Nutch() {
    }

    public static final Client CLIENT = new Client("nutch", "Nutch protocol-http", "org.apache.nutch.protocol.http.Http",
            "io.tempolimit.clients.nutch.hooks",
            Site.watch("org/apache/nutch/protocol/http/Http", "getResponse", "SendHook").descriptor("(Ljava/net/URL;"),
            Site.watch("org/apache/nutch/protocol/http/HttpResponse", "parseHeaders", "AnswerHook"));
}
