package io.tempolimit.clients.playwright;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;
import io.tempolimit.weave.browser.ContentHook;

/**
 * Playwright for Java: {@code navigate} of pages and frames, {@code reload}, {@code goBack}, {@code goForward}, and
 * {@code APIRequestContext}.
 *
 * <p>Each waits on the calling thread, before the message to the driver is sent and the timeout begins; messages go through a
 * pipe, so that no woven client sees them. Like a sleep of the application's, the wait keeps this thread's events
 * and route handlers waiting too. Rejections and interrupts are {@code PlaywrightException}s, with what happened as
 * their cause.
 *
 * <p>The browser follows redirects by itself: a navigation's are known when it is over, and each takes its token then, without waiting, for
 * the next request to pay; of an {@code APIRequestContext}'s only the last is seen, and the others are not counted. The
 * host of {@code goBack} and {@code goForward} is taken to be the current one; if the answer says otherwise the token
 * goes back and the right host is charged. What was answered without the network (no history, an anchor of the
 * same page) gives its token back.
 *
 * <p>Answers are judged by their status, headers and addresses, which come with the answer; a redirect to a known
 * address of blocks is a block by who sent it. Bodies stay with the driver. If the application asks for a frame's document, or
 * {@code detect.browser} lets us ask for it, that is judged, too.
 *
 * <p>{@code Route.fetch} is the page's own request in other clothes, and is not charged. Clicks, scripts and what a page loads for itself
 * are not paced.
 */
public final class Playwright {
    private static final String IMPL = "com/microsoft/playwright/impl/";

    private Playwright() {
    }

    public static final Client CLIENT = new Client("playwright", "Playwright", "com.microsoft.playwright.Playwright",
            "io.tempolimit.clients.playwright.hooks",
            Site.watch(IMPL + "FrameImpl", "navigateImpl", "NavigateHook"),
            Site.watch(IMPL + "FrameImpl", "content|contentImpl", ContentHook.class.getName()),
            Site.watch(IMPL + "PageImpl", "reloadImpl", "HistoryHook"),
            Site.watch(IMPL + "PageImpl", "goBackImpl", "HistoryHook"),
            Site.watch(IMPL + "PageImpl", "goForwardImpl", "HistoryHook"),
            Site.watch(IMPL + "APIRequestContextImpl", "fetchImpl", "FetchHook"),
            Site.watch(IMPL + "BrowserTypeImpl", "launch", "ProxyHook")
                    .descriptor("(Lcom/microsoft/playwright/BrowserType$LaunchOptions;)"),
            Site.watch(IMPL + "BrowserTypeImpl", "launchPersistentContext", "ProxyHook").descriptor("(Ljava/nio/file/Path;"),
            Site.watch(IMPL + "BrowserImpl", "newContext", "ProxyHook")
                    .descriptor("(Lcom/microsoft/playwright/Browser$NewContextOptions;)"),
            Site.watch(IMPL + "APIRequestImpl", "newContext", "NewContextHook")
                    .descriptor("(Lcom/microsoft/playwright/APIRequest$NewContextOptions;)"),
            Site.watch(IMPL + "BrowserContextImpl", "request", "ContextRequestHook").optional(),
            Site.watch(IMPL + "RouteImpl", "fetch", "RouteFetchHook")
                    .descriptor("(Lcom/microsoft/playwright/Route$FetchOptions;)").optional());
}
