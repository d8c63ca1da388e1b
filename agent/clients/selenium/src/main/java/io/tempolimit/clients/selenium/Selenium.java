package io.tempolimit.clients.selenium;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Selenium 4: {@code WebDriver.get} and {@code Navigation.to}, {@code refresh}, {@code back}, {@code forward}.
 *
 * <p>All commands of a session pass {@code RemoteWebDriver.execute}; those that load a page wait there, on the calling
 * thread, before the command is sent and the page-load timeout begins. The host of {@code refresh}, {@code back} and
 * {@code forward} is that of the page last navigated to or, if the application has asked for it since, of the current
 * URL: the driver keeps the history, and to ask for it would be a command more. Rejections and interrupts are
 * {@code WebDriverException}s, with what happened as their cause.
 *
 * <p>The commands themselves go to a driver or a grid, and are no requests: while a thread is inside of Selenium's own
 * HTTP client (the JDK's; AsyncHttpClient up to 4.13; {@code HttpURLConnection} to see whether a driver is up), nothing
 * that it sends is one. To tell them by their host would not do: a grid may be anywhere, and a page on localhost.
 *
 * <p>A driver says nothing of a page's status or its redirects: a page that has loaded is an answer that says nothing
 * of blocks, and takes one token whatever the browser loads for it. If the application asks for the current URL, and that
 * is a known address of blocks, the page that was loaded last was a block. If it asks for the page's source, that is
 * judged as the document of the page that was loaded last; with {@code detect.browser} we ask for it after each load.
 * Clicks, scripts and the BiDi and DevTools interfaces are not paced.
 */
public final class Selenium {
    private static final String REMOTE = "org/openqa/selenium/remote/";
    private static final String HTTP = REMOTE + "http/";

    private Selenium() {
    }

    public static final Client CLIENT = new Client("selenium", "Selenium", "org.openqa.selenium.remote.RemoteWebDriver",
            "io.tempolimit.clients.selenium.hooks",
            Site.watch(REMOTE + "RemoteWebDriver", "execute", "ExecuteHook").descriptor("(L" + REMOTE + "CommandPayload;)"),
            Site.exempts(HTTP + "jdk/JdkHttpClient", "execute0|execute|openSocket"),
            Site.exempts(HTTP + "netty/NettyHttpHandler", "makeCall"),
            Site.exempts(HTTP + "netty/NettyClient", "openSocket"),
            Site.exempts("org/openqa/selenium/net/UrlChecker", "connectToUrl"));
}
