package io.tempolimit.clients.jvppeteer;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;
import io.tempolimit.weave.browser.ContentHook;

/**
 * jvppeteer, versions 1 to 3: {@code goTo} of pages and frames, {@code reload}, {@code goBack}, {@code goForward}.
 * Version 3 has classes for Chromium's protocol and others for WebDriver BiDi, by which it drives Firefox.
 *
 * <p>Each waits on the calling thread, before the message to the browser is sent and the timeout begins. Rejections and
 * interrupts are {@code JvppeteerException}s ({@code NavigateException}s in version 1), with what happened as their
 * cause. If the page or its browser is closed meanwhile, the wait ends, and the method fails as it does on any closed
 * page.
 *
 * <p>Redirects, history and answers without the network are as with Playwright. Answers are judged by the response that
 * the method returns: its status, its headers and the addresses on the way to it. A {@code goTo} that does not block
 * returns none, and is not judged. What came from the browser's cache gives its token back. If the application asks a
 * frame for its document, or {@code detect.browser} lets us ask for it, that is judged, too. Nothing is known of an
 * answer if the page is there before the response, or if it is an error without a body in version 1, which has no more
 * than an exception for it.
 *
 * <p>Not woven: version 1's {@code goBack} and {@code goForward}, which wait for an arrival before they send anything,
 * and so send nothing; clicks, scripts, sessions of one's own, and what a page loads for itself. New pages are blank.
 *
 * <p>What is said to the browser is no request: the handshake of the web socket, which another thread writes, and the
 * question for its address ({@code /json/version}).
 *
 * <p>The versions have the same methods in other packages, so the hooks ask for them by name.
 */
public final class Jvppeteer {
    private static final String ROOT = "com/ruiyun/jvppeteer/";
    private static final String V1 = ROOT + "core/page/";
    private static final String V2 = ROOT + "core/";
    private static final String CDP = ROOT + "cdp/core/";
    private static final String BIDI = ROOT + "bidi/core/";
    private static final String SESSION = "primaryTargetClient";
    private static final String CONTENT = ContentHook.class.getName();

    private Jvppeteer() {
    }

    public static final Client CLIENT = new Client("jvppeteer", "jvppeteer", "com.ruiyun.jvppeteer.exception.TimeoutException",
            "io.tempolimit.clients.jvppeteer.hooks",
            Site.watch(V1 + "Frame", "goTo", "NavigateHook").fields("client"),
            Site.watch(V2 + "Frame", "goTo", "NavigateHook").fields("client"),
            Site.watch(CDP + "CdpFrame", "goTo", "NavigateHook").fields("client"),
            Site.watch(BIDI + "BidiFrame", "goTo", "NavigateHook").fields("browsingContext"),
            Site.watch(V1 + "Frame", "content", CONTENT),
            Site.watch(V2 + "Frame", "content", CONTENT),
            Site.watch(ROOT + "api/core/Frame", "content", CONTENT),
            Site.watch(V1 + "Page", "reload", "HistoryHook").fields("client"),
            Site.watch(V2 + "Frame", "waitForNavigation", "ReloadHook").fields("client"),
            Site.watch(V2 + "Page", "go", "HistoryHook").fields(SESSION),
            Site.watch(CDP + "CdpPage", "reload|go", "HistoryHook").fields(SESSION),
            Site.watch(BIDI + "BidiPage", "reload|go", "HistoryHook").fields("frame"),
            Site.closes(ROOT + "transport/CDPSession", "onClosed"),
            Site.closes(ROOT + "transport/CdpCDPSession", "onClosed"),
            Site.closes(BIDI + "BrowsingContext", "dispose"),
            Site.watch(ROOT + "launch/ChromeLauncher", "launch", "ProxyHook"),
            Site.watch(V2 + "Browser", "createBrowserContext", "ProxyHook")
                    .descriptor("(L" + ROOT + "entities/BrowserContextOptions;)"),
            Site.watch(CDP + "CdpBrowser", "createBrowserContext", "ProxyHook"),
            Site.gate(ROOT + "transport/factory/WebSocketTransportFactory", "create", "ConnectHook"),
            Site.gate(ROOT + "transport/WebSocketTransportFactory", "create", "ConnectHook")
                    .descriptor("(Ljava/lang/String;)L" + ROOT + "transport/WebSocketTransport;|(Ljava/lang/String;Ljava/util/Map;I)"),
            Site.exempts(ROOT + "launch/ChromeLauncher", "getWSEndpoint").optional(),
            Site.exempts(ROOT + "launch/BrowserLauncher", "getWSEndpoint"));
}
