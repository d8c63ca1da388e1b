package io.tempolimit.clients.apache5;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Apache HttpClient 5, classic.
 *
 * <p>Waits in {@code ConnectExec}, below redirects, retries, the cache and authentication, before a connection is leased.
 * A round for which the connection is leased already (after a 401) takes its token without waiting, and the next request pays.
 */
public final class ApacheHttpClients5 {
    private static final String CLASSIC = "org/apache/hc/client5/http/impl/classic/";

    private ApacheHttpClients5() {
    }

    public static final Client CLIENT = new Client("apache5", "Apache HttpClient 5", "org.apache.hc.client5.http.classic.ExecChain",
            "io.tempolimit.clients.apache5.hooks",
            Site.watch(CLASSIC + "ConnectExec", "execute", "ConnectHook"),
            Site.watch(CLASSIC + "MinimalHttpClient", "doExecute", "MinimalHook"));
}
