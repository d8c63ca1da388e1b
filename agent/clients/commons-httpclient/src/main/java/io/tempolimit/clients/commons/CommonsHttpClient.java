package io.tempolimit.clients.commons;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Commons HttpClient 3.0 and 3.1, the ancestor of Apache's clients.
 *
 * <p>{@code HttpMethodDirector.executeWithRetry} runs once for each round of a call: the first one, each redirect and each
 * authentication. There the client has leased a connection already, and most pools have two for a host. So a round that has
 * to wait gives its connection back, and leases one again after its wait. A round with a password goes on the connection
 * that has asked for it, since the password may hold for that connection alone: it takes its token without waiting, and the
 * next request pays.
 *
 * <p>What the client sends again by itself, in a new attempt, takes its token in {@code HttpMethodBase.execute}.
 *
 * <p>{@code abort} ends a wait, and so does the end of a pool of connections. The client then goes on to find out itself that
 * there are no connections.
 *
 * <p>A rejection is thrown where the round would wait, and becomes a response, if it shall, where {@code executeMethod} ends.
 * The client has a method for that, which it needs for what proxies say of a tunnel.
 *
 * <p>The body is tapped where the client makes its stream: of that it says itself how closing it gets the connection free.
 */
public final class CommonsHttpClient {
    private static final String IN = "org/apache/commons/httpclient/";

    private CommonsHttpClient() {
    }

    public static final Client CLIENT = new Client("commons-httpclient", "Commons HttpClient", "org.apache.commons.httpclient.HttpClient",
            "io.tempolimit.clients.commons.hooks",
            Site.watch(IN + "HttpMethodDirector", "executeMethod", "CallHook"),
            Site.watch(IN + "HttpMethodDirector", "executeWithRetry", "SendHook")
                    .fields("conn", "state", "hostConfiguration", "connectionManager", "params"),
            Site.watch(IN + "HttpMethodBase", "execute", "AttemptHook"),
            Site.watch(IN + "HttpMethodBase", "readResponseBody", "AnswerHook"),
            Site.watch(IN + "HttpMethodBase", "abort", "CancelHook"),
            Site.closes(IN + "MultiThreadedHttpConnectionManager", "shutdown"))
            .withCopies(IN);
}
