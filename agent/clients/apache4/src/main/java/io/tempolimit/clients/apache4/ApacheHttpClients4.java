package io.tempolimit.clients.apache4;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Apache HttpClient 4.3 to 4.5.
 *
 * <p>Waits at the end of the execution chain, below redirects, retries and the cache, before a connection is leased.
 * A 401 round runs inside {@code MainClientExec} on the connection that is leased already: it takes its token where the
 * client decides on it, and the next request pays.
 *
 * <p>The deprecated {@code DefaultHttpClient} does all of that in one object per call, {@code DefaultRequestDirector}: its
 * first hop waits before a connection is leased, a redirect to another host while one is.
 */
public final class ApacheHttpClients4 {
    private static final String DIRECTOR = "org/apache/http/impl/client/DefaultRequestDirector";
    private static final String MAIN = "org/apache/http/impl/execchain/MainClientExec";

    private ApacheHttpClients4() {
    }

    public static final Client CLIENT = new Client("apache4", "Apache HttpClient 4", "org.apache.http.client.HttpClient",
            "io.tempolimit.clients.apache4.hooks",
            Site.watch(MAIN, "execute", "ExecHook"),
            Site.watch(MAIN, "needAuthentication", "AuthenticationHook"),
            Site.watch("org/apache/http/impl/execchain/MinimalClientExec", "execute", "ExecHook"),
            Site.watch(DIRECTOR, "execute", "DirectorHook"),
            Site.watch(DIRECTOR, "tryExecute", "DirectorRoundHook"))
            .withCopies("org/apache/http/");
}
