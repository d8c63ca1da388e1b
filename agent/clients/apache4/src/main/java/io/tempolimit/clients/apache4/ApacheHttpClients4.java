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
 * <p>A client that is closed shuts its connection manager down, unless it shares it. Then a wait ends, and the client
 * goes on to find out itself that there are no connections.
 *
 * <p>The deprecated {@code DefaultHttpClient} does all of that in one object per call, {@code DefaultRequestDirector}: its
 * first hop waits before a connection is leased, a redirect to another host while one is.
 *
 * <p>A rejection is thrown where the request would wait, and becomes a response, if it shall, where {@code doExecute}
 * ends: above all that the client repeats, follows or caches.
 *
 * <p>The body is tapped where it comes from the connection, so raw, before the client wraps it in what releases the connection; so
 * what the application gets is of the types it is used to, and what the client itself drops, of a round that it repeats or of a
 * stream that is closed early, is seen too. The wrapping is the last moment for that; the hop is found there by its thread. Tried
 * and lost: to wrap what the method returns: its stream would no longer be one that can be asked to release the connection.
 */
public final class ApacheHttpClients4 {
    private static final String CLIENT_PACKAGE = "org/apache/http/impl/client/";
    private static final String DIRECTOR = CLIENT_PACKAGE + "DefaultRequestDirector";
    private static final String CHAIN = "org/apache/http/impl/execchain/";
    private static final String MANAGERS = "org/apache/http/impl/conn/";
    private static final String MAIN = CHAIN + "MainClientExec";

    private ApacheHttpClients4() {
    }

    public static final Client CLIENT = new Client("apache4", "Apache HttpClient 4", "org.apache.http.client.HttpClient",
            "io.tempolimit.clients.apache4.hooks",
            Site.watch(CLIENT_PACKAGE + "InternalHttpClient", "doExecute", "CallHook"),
            Site.watch(CLIENT_PACKAGE + "MinimalHttpClient", "doExecute", "CallHook"),
            Site.watch(CLIENT_PACKAGE + "AbstractHttpClient", "doExecute", "CallHook"),
            Site.watch(MAIN, "execute", "ExecHook").fields("connManager"),
            Site.watch(MAIN, "needAuthentication", "AuthenticationHook"),
            Site.watch(CHAIN + "MinimalClientExec", "execute", "ExecHook").fields("connManager"),
            Site.gate(CHAIN + "ResponseEntityProxy", "enchance", "ResponseHook"),
            Site.gate(CHAIN + "ConnectionHolder", "abortConnection|close", "ConnectionHook"),
            Site.watch(DIRECTOR, "execute", "DirectorHook").fields("params", "routePlanner", "connManager"),
            Site.watch(DIRECTOR, "tryExecute", "DirectorRoundHook").fields("managedConn", "routePlanner"),
            Site.closes(MANAGERS + "PoolingHttpClientConnectionManager", "shutdown"),
            Site.closes(MANAGERS + "BasicHttpClientConnectionManager", "shutdown"),
            Site.closes(MANAGERS + "PoolingClientConnectionManager", "shutdown"),
            Site.closes(MANAGERS + "BasicClientConnectionManager", "shutdown"),
            Site.closes(MANAGERS + "SingleClientConnManager", "shutdown"),
            Site.closes(MANAGERS + "tsccm/ThreadSafeClientConnManager", "shutdown"),
            Site.gate("org/apache/http/impl/conn/ManagedClientConnectionImpl", "abortConnection", "ConnectionHook"),
            Site.gate("org/apache/http/impl/conn/AbstractClientConnAdapter", "abortConnection", "ConnectionHook"))
            .withCopies("org/apache/http/");
}
