package org.apache.nutch.protocol.http;

import io.tempolimit.it.programs.NutchAdapter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URL;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.net.protocols.Response;

/** In the place of the plugin's class of this name. The methods that are public are so in the plugin, too. */
public final class Http implements NutchAdapter.Plugin {
    private final int timeout;
    private final String userAgent;
    private final InetSocketAddress proxy;

    /** @param proxy null for none */
    public Http(int timeout, String userAgent, InetSocketAddress proxy) {
        this.timeout = timeout;
        this.userAgent = userAgent;
        this.proxy = proxy;
    }

    @Override
    public Response fetch(URL url, String method) throws IOException {
        METHOD.set(method);
        return getResponse(url, null, false);
    }

    /** The plugin knows no other than GET. */
    private static final ThreadLocal<String> METHOD = new ThreadLocal<>();

    protected Response getResponse(URL url, CrawlDatum datum, boolean redirect) throws IOException {
        return new HttpResponse(this, url, METHOD.get());
    }

    public String getUserAgent() {
        return userAgent;
    }

    public boolean useProxy(URL url) {
        return proxy != null;
    }

    public String getProxyHost() {
        return proxy == null ? null : proxy.getHostString();
    }

    public int getProxyPort() {
        return proxy == null ? 8080 : proxy.getPort();
    }

    int timeout() {
        return timeout;
    }
}
