package io.tempolimit.clients.apache5;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Apache HttpClient 5: the classic client, the asynchronous ones (HTTP/1.1 and HTTP/2), and the minimal ones.
 *
 * <p>A classic call waits in {@code ConnectExec}, below redirects, retries, the cache and authentication, before a connection
 * is leased. A round for which the connection is leased already (after a 401) takes its token without waiting, and the next
 * request pays. A client that is closed closes its connection manager, unless it shares it. Then a wait ends, and the client goes on to
 * find out itself that there are no connections.
 *
 * <p>An asynchronous one waits at the same place, {@code AsyncConnectExec}, without a thread. Every hop is run anew with a callback of
 * ours in place of the client's, which learns of the answer; by that callback the hook knows a hop that it has let go. A hop
 * that has to wait gives a leased connection back first (redirects within a host, 401, retries); only in the middle of an
 * NTLM handshake, which belongs to the connection, a round takes its token without waiting. From the pool's queue a hop
 * departs once more. To watch the places where the answer is seen lost: they are anonymous classes, a dozen of them.
 *
 * <p>The minimal clients have no chain; there the exchange's handler is replaced by one of ours, which is given the
 * request and is told of its end. A request over a connection that the application has leased itself waits before it is
 * given to the connection, and the connection is given back after it.
 *
 * <p>Rejections go to the callback, as all failures do, and become responses, where they shall, above all that the
 * client does by itself: where {@code doExecute} ends, and at the outermost callback, whose class has another name in
 * each of 5.0, 5.1, 5.2 and later. A call that waits while its client is closed fails with the
 * {@code CancellationException} that the client has for calls in its own queue. Timeouts begin after the wait.
 *
 * <p>Bodies are tapped raw, where they come from the connection: in a classic client below the entity that releases that (so what the
 * application gets is of the types it is used to, and what the client drops of a stream that is closed early is seen too), the exchange
 * being found there by its thread; in an asynchronous one between the callback's consumer and the connection.
 */
public final class ApacheHttpClients5 {
    private static final String CLASSIC = "org/apache/hc/client5/http/impl/classic/";
    private static final String MANAGERS = "org/apache/hc/client5/http/impl/io/";
    private static final String ASYNC = "org/apache/hc/client5/http/impl/async/";
    private static final String ENDPOINT = ASYNC + "MinimalHttpAsyncClient$InternalAsyncClientEndpoint";

    private ApacheHttpClients5() {
    }

    public static final Client CLIENT = new Client("apache5", "Apache HttpClient 5", "org.apache.hc.client5.http.HttpRoute",
            "io.tempolimit.clients.apache5.hooks",
            Site.watch(CLASSIC + "ConnectExec", "execute", "ConnectHook"),
            Site.watch(CLASSIC + "MinimalHttpClient", "doExecute", "MinimalHook").fields("connManager"),
            Site.closes(MANAGERS + "PoolingHttpClientConnectionManager", "close").descriptor("(L"),
            Site.closes(MANAGERS + "BasicHttpClientConnectionManager", "close").descriptor("(L"),
            Site.watch(CLASSIC + "InternalHttpClient", "doExecute", "CallHook"),
            Site.watch(CLASSIC + "HttpClientBuilder", "build", "BuildHook"),
            Site.watch(ASYNC + "HttpAsyncClientBuilder", "build", "BuildHook"),
            Site.watch(ASYNC + "H2AsyncClientBuilder", "build", "BuildHook"),
            Site.watch(CLASSIC + "InternalExecRuntime", "execute", "AnswerHook"),
            Site.gate(CLASSIC + "InternalExecRuntime", "discardEndpoint", "ConnectionHook"),
            Site.gate(CLASSIC + "InternalExecRuntime", "disconnectEndpoint", "ConnectionHook"),
            Site.gate(ASYNC + "AsyncConnectExec", "execute", "AsyncConnectHook"),
            Site.gate(ASYNC + "AsyncConnectExec$1", "completed", "AsyncLeasedHook").fields("val$asyncExecCallback"),
            Site.gate(ASYNC + "HttpAsyncMainClientExec", "execute", "AsyncWriteHook"),
            Site.watch(ASYNC + "InternalHttpAsyncClient", "createAsyncExecRuntime", "ClientOfHook"),
            Site.watch(ASYNC + "InternalH2AsyncClient", "createAsyncExecRuntime", "ClientOfHook"),
            Site.gate(ASYNC + "InternalAbstractHttpAsyncClient$1$2", "failed", "AsyncCallHook").optional(),
            Site.gate(ASYNC + "InternalAbstractHttpAsyncClient$1$3", "failed", "AsyncCallHook").optional(),
            Site.gate(ASYNC + "InternalAbstractHttpAsyncClient$1", "failed", "AsyncCallHook").optional(),
            Site.gate(ASYNC + "InternalAbstractHttpAsyncClient$2", "failed", "AsyncCallHook").optional(),
            Site.watch(ASYNC + "AbstractHttpAsyncClientBase", "close", "AsyncCloseHook").descriptor("(L"),
            Site.gate(ASYNC + "MinimalHttpAsyncClient", "execute", "AsyncMinimalHook"),
            Site.gate(ASYNC + "MinimalH2AsyncClient", "execute", "AsyncMinimalHook"),
            Site.gate(ENDPOINT, "execute", "AsyncEndpointHook").fields("this$0"),
            Site.gate(ENDPOINT, "releaseAndReuse", "EndpointReuseHook"),
            Site.watch(ENDPOINT, "releaseAndDiscard", "AsyncCloseHook"))
            .withCopies("org/apache/hc/client5/", "org/apache/hc/core5/", "org/apache/hc/core5/http/HttpHost",
                    "org.apache.hc.client5.http.HttpRoute", "getTargetHost");
}
